package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/level/levelgen"
)

// parts are the parts of the measurement.
var parts = []string{"cost", "scale", "safety", "unseen", "kinds", "quality"}

// theCase is a scenario to play.
type theCase struct {
	part, name string
	level      string // file in the folder of levels, "" for the scenario's own
	text       string
	systems    []string
}

// both are the systems with walls and paths.
var both = []string{ours, dt}

// cases lists the cases of the parts, without levels that are missing.
func (s *settings) cases() ([]theCase, error) {
	all := slices.Concat(s.costs(), s.scales(), s.safeties(), s.unseen(), s.kinds())
	quality, err := s.qualities()
	if err != nil {
		return nil, err
	}
	var list []theCase
	for _, c := range append(all, quality...) {
		if !slices.Contains(strings.Split(s.parts, ","), c.part) || !strings.Contains(c.name, s.only) {
			continue
		}
		if c.level != "" {
			if _, err := os.Stat(filepath.Join(s.levels, c.level+".obj")); err != nil {
				continue
			}
		}
		if !s.peers {
			c.systems = []string{ours}
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no case of %s has %q in its name", s.parts, s.only)
	}
	return list, nil
}

// some is a number of agents, or a tenth in the quick form.
func (s *settings) some(n int) int {
	if s.quick {
		return max(1, n/10)
	}
	return n
}

// seconds is a time, or a fifth in the quick form.
func (s *settings) seconds(v float64) float64 {
	if s.quick {
		return v / 5
	}
	return v
}

// walkers is a scenario of agents anywhere.
func (s *settings) walkers(level string, n int, seconds float64) string {
	return fmt.Sprintf("%s\nagents radius 0.4 speed 1.4\narrive 1\nseconds %g\ncrowd walkers %d anywhere to anywhere then again\n", level, s.seconds(seconds), s.some(n))
}

// costs are five levels at 1,000 agents, and five at 10,000: only large floors hold as many.
func (s *settings) costs() []theCase {
	var list []theCase
	for _, c := range []struct {
		n       int
		seconds float64
		name    string
		level   string // file
		text    string // generated
	}{
		{1000, 20, "nav_test", "nav_test", ""},
		{1000, 20, "undulating", "undulating", ""},
		{1000, 20, "sthelens", "sthelens", ""},
		{1000, 20, "oa_shouse", "oa_shouse", ""},
		{1000, 20, "tower of 8 storeys", "", "level tower storeys 8"},
		{10_000, 5, "sthelens", "sthelens", ""},
		{10_000, 5, "city of 190 m", "", "level city size 190"},
		{10_000, 5, "urban of 170 m", "", "level urban size 170"},
		{10_000, 5, "terrain of 192 m", "", "level terrain size 192"},
		{10_000, 5, "tower of 60 storeys", "", "level tower storeys 60"},
	} {
		list = append(list, theCase{part: "cost", name: fmt.Sprintf("%s, %d agents", c.name, s.some(c.n)), level: c.level, text: s.walkers(c.text, c.n, c.seconds), systems: both})
	}
	return list
}

// scales are numbers of agents on an open plane, two square metres for each.
func (s *settings) scales() []theCase {
	var list []theCase
	for _, n := range []int{100, 300, 1000, 3000, 10_000, 30_000, 100_000} {
		side := math.Sqrt(2*float64(s.some(n)))/2 + 0.4
		list = append(list, theCase{
			part: "scale", name: fmt.Sprintf("%d agents", s.some(n)), systems: []string{ours, dt, rvo2},
			text: s.walkers(fmt.Sprintf("floor %g,%g %g,%g", -side, -side, side, side), n, min(20, max(3, 1e5/float64(n)))),
		})
	}
	return list
}

// safeties are twenty scenarios of ten million steps of agents in all.
func (s *settings) safeties() []theCase {
	const walls = "floor -20,-20 20,20\nwall 0,0,-11 size 0.4,2.5,18\nwall 0,0,11 size 0.4,2.5,18\nbox west -19,-19 -3,19\nbox east 3,-19 19,19\n"
	rows := []struct{ name, text string }{
		{"rooms", "level rooms size 40 seed 1\n" + people(500, "anywhere to anywhere then again")},
		{"other rooms", "level rooms size 40 seed 2\nagents radius 0.2..0.4\n" + people(500, "anywhere to anywhere then again")},
		{"maze", "level maze size 36 seed 1\n" + people(500, "anywhere to anywhere then again")},
		{"city", "level city size 90 seed 1\n" + people(500, "anywhere to anywhere then again")},
		{"terrain", "level terrain size 64 seed 1\n" + people(500, "anywhere to anywhere then again")},
		{"stairs", "level stairs\n" + people(120, "anywhere to anywhere then again")},
		{"spiral stair", "level spiral\n" + people(60, "anywhere to anywhere then again")},
		{"bridge", "level bridge\n" + people(400, "anywhere to anywhere then again")},
		{"car park", "level carpark\n" + people(500, "anywhere to anywhere then again")},
		{"arch", "level arch\n" + people(300, "anywhere to anywhere then again")},
		{"demo", "level demo\n" + people(300, "anywhere to anywhere then again")},
		{"slanted boxes", "level random size 60 seed 1\n" + people(500, "anywhere to anywhere then again")},
		{"urban", "level urban size 80 seed 1\nagents speed 0.5..3\n" + people(500, "anywhere to anywhere then again")},
		{"tower", "level tower storeys 4\n" + people(300, "anywhere to anywhere then again")},
		{"catwalks", "level catwalks\n" + people(200, "anywhere to anywhere then again")},
		{"pillars", "level pillars size 40 seed 1\n" + people(500, "anywhere to anywhere then again")},
		{"rough ground", "level rough size 60 seed 1\n" + people(300, "anywhere to anywhere then again")},
		{"two streams and a door", walls + people(150, "in west to east then again") + people(150, "in east to west then again")},
		{"one place for all", walls + "place there 10,0,0\n" + people(300, "in west to there")},
		{"crates come and go", walls + crates() + people(200, "in west to east then again") + people(200, "anywhere to anywhere then again")},
	}
	return s.casts("safety", 67, rows)
}

// unseen are casts that nobody looked at while the crowd was made: levels of other seeds and sizes, radii and speeds that differ, worlds that change.
func (s *settings) unseen() []theCase {
	const again = "anywhere to anywhere then again"
	rows := []struct{ name, text string }{
		{"rooms, radii and speeds differ", "seed 101\nlevel rooms size 56 seed 101\nagents radius 0.15..0.45 speed 0.7..2.2\n" + people(400, again)},
		{"maze, crates come and go", "seed 102\nlevel maze size 45 seed 102\nagents radius 0.2..0.35\n" + scattered(102, 21, -21, 18, 30) + people(300, again)},
		{"city, crates come and go", "seed 103\nlevel city size 80 seed 103\nagents radius 0.25..0.5 speed 0.5..3\n" + scattered(103, 25, -25, 22, 60) + people(500, again)},
		{"rough ground, radii differ", "seed 104\nlevel rough size 50 seed 104\nagents radius 0.2..0.6\n" + people(250, again)},
		{"two places for all, crates come and go", "seed 105\nlevel random size 40 seed 105\nagents radius 0.2..0.4\n" + scattered(105, 0, 0, 18, 30) +
			"box middle -6,-6 6,6\n" + people(150, again) + people(150, "anywhere to middle then again")},
	}
	return s.casts("unseen", 60, rows)
}

// crowded are the numbers of walkers of kinds; small has no room for the second.
var crowded = []int{60, 250}

const small = "stairs"

// kinds are few and many walkers on every kind of generated level, with two seeds.
func (s *settings) kinds() []theCase {
	var list []theCase
	for _, k := range levelgen.Kinds() {
		for seed := s.seed; seed <= s.seed+1; seed++ {
			for _, n := range crowded {
				if k.Name == small && n > crowded[0] {
					continue
				}
				list = append(list, theCase{
					part: "kinds", name: fmt.Sprintf("%s, seed %d, %d agents", k.Name, seed, n), systems: []string{ours},
					text: fmt.Sprintf("seed %d\nseconds %g\nlevel %s seed %d\n", seed, s.seconds(60), k.Name, seed) + people(s.some(n), "anywhere to anywhere then again"),
				})
			}
		}
	}
	return list
}

// casts makes the cases of a part of scenarios that last some seconds. In a world that changes only our own system walks.
func (s *settings) casts(part string, seconds float64, rows []struct{ name, text string }) []theCase {
	var list []theCase
	for _, r := range rows {
		systems := both
		if strings.Contains(r.text, "\nat ") {
			systems = []string{ours}
		}
		list = append(list, theCase{part: part, name: r.name, text: fmt.Sprintf("seconds %g\n", s.seconds(seconds)) + r.text, systems: systems})
	}
	return list
}

// scattered are crates that come and go at random places of a square with a middle and half a side in metres.
func scattered(seed uint64, midX, midZ, half float64, n int) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	for i := range n {
		from := 1 + r.IntN(45)
		x, z := midX+math.Round(half*(2*r.Float64()-1)), midZ+math.Round(half*(2*r.Float64()-1))
		fmt.Fprintf(&b, "at %d put box%d box %g,0,%g size %g,1.5,%g\nat %d take box%d\n", from, i, x, z, 0.5+r.Float64(), 0.5+2*r.Float64(), from+4+r.IntN(9), i)
	}
	return b.String()
}

// people is a source of agents.
func people(n int, rest string) string { return fmt.Sprintf("crowd people %d %s\n", n, rest) }

// crates come and go.
func crates() string {
	var b strings.Builder
	for i := range 24 {
		x, z := -16+float64(i*7%33), -16+float64(i*13%33)
		fmt.Fprintf(&b, "at %d put crate%d box %g,0,%g size 1.5,1,1.5\nat %d take crate%d\n", 1+i, i, x, z, 9+i, i)
	}
	return b.String()
}

// bottleneckWidths are in metres, densities in persons a square metre.
var (
	bottleneckWidths = []float64{0.8, 1, 1.2, 1.6, 2, 2.4}
	densities        = []float64{0.5, 1, 1.5, 2, 3, 4}
)

// qualities are the circle, bottlenecks, the loop, and the scenarios of a folder.
func (s *settings) qualities() ([]theCase, error) {
	list := []theCase{{
		part: "quality", name: "circle of 250", systems: []string{ours, dt, rvo2},
		// The circle of RVO2's examples: bodies of 1.5 m, a metre a second, 400 m to walk.
		text: "floor -230,-230 230,230\nagents radius 1.5 speed 1 acceleration 8\narrive 1.5\ndt 0.25\nseconds 1000\ncircle ring 250 around 0,0,0 ring 200\n",
	}}
	for _, w := range bottleneckWidths {
		wall := (5 - w/2)
		list = append(list, theCase{
			part: "quality", name: fmt.Sprintf("bottleneck of %.1f m", w), systems: both,
			text: fmt.Sprintf(`floor -14,-5 8,5
wall 0,0,%g size 0.4,2.5,%g
wall 0,0,%g size 0.4,2.5,%g
agents radius 0.2 speed 1.34
box room -13.5,-4.7 -1,4.7
box out 4,-4.5 7.5,4.5
line gap 0,%g 0,%g
crowd people 150 in room to out then leave
seconds 150
`, -w/2-wall/2, wall, w/2+wall/2, wall, -w/2, w/2),
		})
	}
	for _, d := range densities {
		// A loop 3 m wide around a block of 12 m by 12 m has 180 m². Wider bodies cannot be put there at random at four a square metre.
		list = append(list, theCase{
			part: "quality", name: fmt.Sprintf("loop at %.1f persons/m²", d), systems: both,
			text: fmt.Sprintf(`floor -9,-9 9,9
wall 0,0,0 size 12,2.5,12
agents radius 0.17 speed 1.34
arrive 1.5
place a 7.5,0,7.5
place b 7.5,0,-7.5
place c -7.5,0,-7.5
place d -7.5,0,7.5
box south -8.7,6.3 6,8.7
box east 6.3,-6 8.7,8.7
box north -6,-8.7 8.7,-6.3
box west -8.7,-8.7 -6.3,6
crowd s %[1]d in south tour a b c d then again
crowd e %[1]d in east tour b c d a then again
crowd n %[1]d in north tour c d a b then again
crowd w %[1]d in west tour d a b c then again
seconds 40
`, int(d*180/4)),
		})
	}
	names, err := filepath.Glob(filepath.Join(s.examples, "*.txt"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		systems := both
		if strings.Contains(string(text), "\nat ") || strings.Contains(string(text), "\ngroup ") {
			systems = []string{ours} // no other system has doors that close, or groups
		}
		list = append(list, theCase{part: "quality", name: strings.TrimSuffix(filepath.Base(name), ".txt"), text: string(text), systems: systems})
	}
	return list, nil
}
