package footprints

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

func madeSectors(t testing.TB, seed uint64, side int32, cuts int, opt SectorOptions) *Sectors {
	t.Helper()
	rings, links := floor(t, seed, side, cuts)
	s, err := NewSectors(rings, links, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRunsAgainstBruteForce: the runs of a polygon are the places that it contains, and its blocks hold each place once.
func TestRunsAgainstBruteForce(t *testing.T) {
	for seed := range uint64(4) {
		rings, _ := floor(t, seed, 12, 10)
		s := madeSectors(t, seed, 12, 10, SectorOptions{})
		found := 0
		for i := range s.polygons {
			p := &s.polygons[i]
			bottom, runs := s.runsOf(p.ring, p.low[1], p.high[1])
			all := rows{bottom: bottom, runs: runs}
			for y := p.low[1]/2048 - 2; y < p.high[1]/2048+2; y++ {
				for x := p.low[0]/2048 - 2; x < p.high[0]/2048+2; x++ {
					in := p.contains(lattice.Point{X: x * 2048, Y: y * 2048})
					if in != all.has(x, y) {
						t.Fatalf("polygon %v: place %d,%d: %t, has %t", rings[i], x, y, in, !in)
					}
				}
			}
			places := map[[2]int32]int{}
			for _, b := range p.blocks {
				s.each(b, func(x, y, _ int32) { places[[2]int32{x, y}]++ })
			}
			count := 0
			for _, r := range p.runs {
				count += int(r.last - r.first + 1)
			}
			if count != len(places) {
				t.Fatalf("polygon %d has %d places, its blocks %d", i, count, len(places))
			}
			found += count
		}
		if area := 5 * 12 * 12 * 4; found < area*9/10 || found > area*11/10 {
			t.Errorf("seed %d: %d places, want about %d", seed, found, area)
		}
	}
}

// TestSectorWays: ways cost what relaxation finds over the same nodes; all places stay joined, whichever blocks are fine; ways avoid solid footprints.
func TestSectorWays(t *testing.T) {
	s := madeSectors(t, 11, 24, 14, SectorOptions{Reach: 100, Delay: 3})
	r := rand.New(rand.NewPCG(11, 11))
	fine, coarse := 0, 0
	for now := range int64(12) {
		from, to := spot(r, 24), spot(r, 24)
		var others []Volume
		for k := range 3 {
			others = append(others, Volume{Center: spot(r, 24), Radius: 0.5 + r.Float64(), Strength: 3, Solid: now%2 == 1 && k > 0})
		}
		w, points, err := s.Find(t.Context(), now, from, to, others)
		if err != nil || !w.Found || points[0] != from || points[len(points)-1] != to {
			t.Fatalf("found %t, from %v to %v (%v)", w.Found, from, to, err)
		}
		spheres, err := near(from, others, 100)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.begin(now, spheres); err != nil {
			t.Fatal(err)
		}
		if want := s.relax(w.Nodes[0], w.Nodes[len(w.Nodes)-1]); math.Abs(w.Cost-want) > 1e-9*(1+want) {
			t.Errorf("a way costs %g, relaxation %g", w.Cost, want)
		}
		s.End()
		if w.Cost < metres2(s, w.Nodes)-1e-9 {
			t.Errorf("a way costs %g and is %g m long", w.Cost, metres2(s, w.Nodes))
		}
		for _, n := range w.Nodes {
			if _, b, page, _ := s.parts(n); page >= 0 {
				fine++
			} else if b >= 0 {
				coarse++
			}
		}
		s.Clean(now)
	}
	if fine == 0 || coarse == 0 {
		t.Errorf("ways take %d places and %d coarse blocks", fine, coarse)
	}
}

// TestSectorSolid: on open floor a way leads straight over a place, around a solid footprint on the place, and around a heavy one at some distance.
func TestSectorSolid(t *testing.T) {
	ring := []lattice.Vertex{{}, place(20, 0), place(20, 12), place(0, 12)}
	s, err := NewSectors([][]lattice.Vertex{ring}, nil, SectorOptions{Reach: 100})
	if err != nil {
		t.Fatal(err)
	}
	at := place(10, 6)
	nearest := func(v Volume) float64 {
		t.Helper()
		w, points, err := s.Find(t.Context(), 0, place(2, 6), place(18, 6), []Volume{v})
		if err != nil || !w.Found {
			t.Fatal(w, err)
		}
		least := math.Inf(1)
		for _, p := range points {
			least = min(least, metres(p, at))
		}
		return least
	}
	if d := nearest(Volume{Center: at, Radius: 1.9, Strength: 1e-9}); d > 0.6 {
		t.Errorf("without weight the way passes at %g m", d)
	}
	if d := nearest(Volume{Center: at, Radius: 1.9, Solid: true}); d <= 1.9 {
		t.Errorf("the way passes the middle of a solid footprint at %g m", d)
	}
	if d := nearest(Volume{Center: at, Radius: 1.9, Strength: 5}); d < 1.5 {
		t.Errorf("the way passes the middle of a heavy footprint at %g m", d)
	}
}

// TestSectorWaysBesideStones: between many solid footprints a way costs what relaxation finds, and no way is found only where
// none exists.
func TestSectorWaysBesideStones(t *testing.T) {
	ring := []lattice.Vertex{{}, place(20, 0), place(20, 12), place(0, 12)}
	s, err := NewSectors([][]lattice.Vertex{ring}, nil, SectorOptions{Reach: 100})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(14, 14))
	found := 0
	for range 20 {
		var stones []Volume
		for range 14 {
			stones = append(stones, Volume{Center: place(3+14*r.Float64(), 12*r.Float64()), Radius: 0.6 + r.Float64(), Solid: true})
		}
		from, to := place(1, 1+10*r.Float64()), place(19, 1+10*r.Float64())
		w, _, err := s.Find(t.Context(), 0, from, to, stones)
		if err != nil {
			t.Fatal(err)
		}
		spheres, err := near(from, stones, 100)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.begin(0, spheres); err != nil {
			t.Fatal(err)
		}
		end := func(at lattice.Vertex) int32 {
			p := s.locate(at)
			return s.node(p, s.nearest(&s.polygons[p], at.Point))
		}
		want := s.relax(end(from), end(to))
		s.End()
		if w.Found != !math.IsInf(want, 1) || w.Found && math.Abs(w.Cost-want) > 1e-9*(1+want) {
			t.Errorf("found %t at %g, relaxation %g", w.Found, w.Cost, want)
		}
		if w.Found {
			found++
		}
	}
	if found < 5 {
		t.Errorf("%d ways found", found)
	}
}

func metres2(s *Sectors, nodes []int32) (sum float64) {
	for k := 1; k < len(nodes); k++ {
		a, _, _ := s.middle(nodes[k-1])
		b, _, _ := s.middle(nodes[k])
		sum += metres(a, b)
	}
	return sum
}

// relax is the cost of a cheapest way by relaxation. Every edge must have its way back.
func (s *Sectors) relax(start, goal int32) float64 {
	cost := map[int32]float64{start: 0}
	next := map[int32][]int32{}
	of := func(n int32) []int32 {
		if _, ok := next[n]; !ok {
			next[n] = s.neighbours(nil, n)
		}
		return next[n]
	}
	for list := []int32{start}; len(list) > 0; list = list[1:] {
		u := list[0]
		at, _, _ := s.middle(u)
		for _, v := range of(u) {
			if !slices.Contains(of(v), u) {
				panic(fmt.Sprintf("node %d leads to %d, and not back", u, v))
			}
			to, weight, solid := s.middle(v)
			if solid && v != goal {
				continue
			}
			c := cost[u] + metres(at, to)*(1+weight)
			if old, ok := cost[v]; !ok || c < old-1e-12 {
				cost[v] = c
				list = append(list, v)
			}
		}
	}
	if c, ok := cost[goal]; ok {
		return c
	}
	return math.Inf(1)
}

// TestSectorsCleanUp: blocks under a footprint become fine at once, stay for the delay, and leave no weight; their memory is used again.
func TestSectorsCleanUp(t *testing.T) {
	s := madeSectors(t, 12, 24, 14, SectorOptions{Reach: 100, Delay: 10})
	before, _ := s.Nodes()
	stone := []Volume{{Center: place(10, 20), Radius: 0.7}}
	find := func(now int64) {
		t.Helper()
		if w, _, err := s.Find(t.Context(), now, place(0, 20), place(20, 20), stone); err != nil || !w.Found {
			t.Fatal(w, err)
		}
		for k := range s.pages {
			if s.pages[k].weight != [sectorPlaces]float64{} || s.pages[k].solid != [sectorPlaces]bool{} {
				t.Fatal("a weight stays after the session")
			}
		}
	}
	find(0)
	during, opened := s.Nodes()
	if during <= before || opened == 0 {
		t.Fatalf("%d nodes before, %d with a footprint", before, during)
	}
	if _, fine := s.Bytes(); fine != opened*(8+4*sectorPlaces) {
		t.Errorf("%d fine blocks take %d bytes", opened, fine)
	}
	find(5)
	for _, c := range []struct {
		now  int64
		want int
	}{{14, 0}, {15, opened}, {16, 0}} {
		if got := s.Clean(c.now); got != c.want {
			t.Errorf("at %d: %d blocks coarse again, want %d", c.now, got, c.want)
		}
	}
	if after, _ := s.Nodes(); after != before {
		t.Errorf("%d nodes before, %d after", before, after)
	}
	pages := len(s.pages)
	if _, fine := s.Bytes(); fine != 0 {
		t.Errorf("%d bytes of fine blocks stay", fine)
	}
	find(20)
	if len(s.pages) != pages {
		t.Errorf("%d pages, then %d", pages, len(s.pages))
	}
}

// TestSectorsAreTheSameAgain: the same calls give the same ways, on every processor.
func TestSectorsAreTheSameAgain(t *testing.T) {
	run := func() (log string) {
		s := madeSectors(t, 13, 24, 14, SectorOptions{Delay: 2, Reach: 100})
		r := rand.New(rand.NewPCG(13, 13))
		for now := range int64(12) {
			w, points, err := s.Find(t.Context(), now, spot(r, 24), spot(r, 24), []Volume{{Center: spot(r, 24), Radius: 1}})
			if err != nil {
				t.Fatal(err)
			}
			nodes, _ := s.Nodes()
			log += fmt.Sprintf("%v %x %x %d %d\n", points, math.Float64bits(w.Cost), math.Float64bits(w.Length), w.Expanded, nodes)
			s.Clean(now)
		}
		return log
	}
	if first, second := run(), run(); first != second {
		t.Errorf("differs:\n%s\n%s", first, second)
	} else if got := crc32.ChecksumIEEE([]byte(first)); got != 0x28431312 {
		t.Errorf("the ways have the checksum %#x", got)
	}
}

// TestSectorErrors: bad options, and too many places.
func TestSectorErrors(t *testing.T) {
	ring := []lattice.Vertex{{}, place(8000, 0), place(8000, 8000), place(0, 8000)}
	if _, err := NewSectors([][]lattice.Vertex{ring}, nil, SectorOptions{}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too many places: %v", err)
	}
	if _, err := NewSectors(nil, nil, SectorOptions{Spacing: math.NaN()}); err == nil {
		t.Error("no error for a spacing that is no number")
	}
	s, err := NewSectors([][]lattice.Vertex{{{}, place(5, 0), place(5, 5)}}, nil, SectorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Find(t.Context(), 0, place(1, 3), place(4, 1), nil); !errors.Is(err, ErrOffMesh) {
		t.Errorf("off the floor: %v", err)
	}
}
