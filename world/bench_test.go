package world

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"
	"slices"

	"github.com/meadow-nav/meadow/navmesh/navfile"
)

func BenchmarkCutOnly(b *testing.B) {
	f, err := os.Open(os.Getenv("MESH"))
	if err != nil {
		b.Skip(err)
	}
	m, err := navfile.Read(f)
	if err != nil {
		b.Fatal(err)
	}
	w, err := New(context.Background(), m, Options{})
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	q := w.Now().NewQuery()
	s := w.sheets[0]
	var prep, hits, cut []float64
	cells, regions := 0, 0
	for i := 0; b.Loop(); i++ {
		at, _ := q.RandomPoint(rng)
		t0 := time.Now()
		t := &thing{edit: Put{ID: ID(fmt.Sprint(i))}, solid: Cylinder{Base: at.Point, Radius: 1, Height: 2}}
		p, err := printOf(t.solid, m.Frame, m.Agent, false)
		if err != nil {
			b.Fatal(err)
		}
		t1 := time.Now()
		h := s.hits(t, p)
		t2 := time.Now()
		for region, list := range h {
			c, whole := s.cut(&w.cutter, region, list)
			cells += len(c)
			if !whole {
				regions++
			}
		}
		t3 := time.Now()
		prep = append(prep, float64(t1.Sub(t0).Nanoseconds())/1000)
		hits = append(hits, float64(t2.Sub(t1).Nanoseconds())/1000)
		cut = append(cut, float64(t3.Sub(t2).Nanoseconds())/1000)
	}
	show := func(name string, x []float64) {
		slices.Sort(x)
		b.Logf("%s p50 %.1f p99 %.1f µs", name, x[len(x)/2], x[len(x)*99/100])
	}
	show("print", prep)
	show("hits", hits)
	show("cut", cut)
	b.Logf("regions %.2f cells %.2f of %d", float64(regions)/float64(len(cut)), float64(cells)/float64(len(cut)), m.RegionCount())
}
