package detail_test

import (
	"bufio"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom/detail"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/reallevels"
)

// TestTerrain compares real terrain with its simplification, at its old vertices and at as many random places.
func TestTerrain(t *testing.T) {
	race.Skip(t)
	if testing.Short() {
		t.Skip("281,496 triangles")
	}
	f, err := os.Open(reallevels.Path(t, "sthelens.obj"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tin := &lattice.TIN{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var c [3]float64
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 {
			continue
		}
		for k := range c {
			if c[k], err = strconv.ParseFloat(fields[k+1], 64); err != nil {
				break
			}
		}
		units := func(v float64) int32 { return int32(math.Floor(float64(v*lattice.UnitsPerMetre) + 0.5)) }
		switch fields[0] {
		case "v":
			tin.Vertices = append(tin.Vertices, vertex(units(c[0]), units(-c[2]), units(c[1])))
		case "f":
			tin.Triangles = append(tin.Triangles, [3]uint32{uint32(c[0]) - 1, uint32(c[1]) - 1, uint32(c[2]) - 1})
		}
	}
	const limit = 205 // 5 cm
	out := simplify(t, tin, detail.Options{Error: limit})
	if len(out.Triangles) > len(tin.Triangles)*7/10 {
		t.Errorf("%d of %d triangles are left", len(out.Triangles), len(tin.Triangles))
	}
	box := lattice.EmptyBox()
	for _, v := range tin.Vertices {
		box = box.Extend(v.Point)
	}
	was, is := lattice.NewSampler(tin), lattice.NewSampler(out)
	worst := 0.0
	compare := func(x, y float64) {
		a, okA := was.Height(x, y)
		b, okB := is.Height(x, y)
		if okA != okB {
			t.Fatalf("(%g, %g) has a height on one surface only", x, y)
		}
		worst = max(worst, math.Abs(a-b))
	}
	r := rand.New(rand.NewPCG(11, 11))
	w, h := box.Size()
	for _, v := range tin.Vertices {
		compare(float64(v.X), float64(v.Y))
		compare(r.Float64()*float64(w), r.Float64()*float64(h))
	}
	if worst > limit+0.01 {
		t.Errorf("heights differ by %.2f units", worst)
	}
	t.Logf("%d triangles became %d, heights differ by up to %.2f units", len(tin.Triangles), len(out.Triangles), worst)
}
