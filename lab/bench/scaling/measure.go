package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/internal/bench"
)

// figure is one measurement.
type figure struct {
	task     `json:"-"`
	Vertices int
	Cells    int
	Runs     int
	// Best and Median are of the processor time for one decomposition, in nanoseconds.
	Best, Median int64
	// Allocated is the heap allocation of a decomposition in all, Peak the largest heap during the first, less
	// the heap before; bytes.
	Allocated, Peak uint64
	Failed          string
}

func (f figure) String() string {
	if f.Failed != "" {
		return fmt.Sprintf("%d vertices %s", f.Size, f.Failed)
	}
	return fmt.Sprintf("%d vertices, %v, %d MB", f.Vertices, time.Duration(f.Best), f.Allocated>>20)
}

// fewestRuns is the least number of runs, however long.
const fewestRuns = 3

// measure decomposes the world of a task a few times, and then as often as time permits. The result is
// checked: its cells have the area of the domain.
func measure(ctx context.Context, t task, slice time.Duration) (figure, error) {
	g, err := catalog.Generator(t.Method)
	if err != nil {
		return figure{}, err
	}
	d, err := t.world()
	if err != nil {
		return figure{}, err
	}
	f := figure{task: t, Vertices: d.Len()}
	runtime.GC()
	before := memory()
	begin, from := time.Now(), bench.Clock()
	res, err := g.Decompose(ctx, gen.Input{Domain: d})
	took := bench.Clock() - from
	if err != nil {
		return f, err
	}
	if got, want := area2(res.Cells)+res.Report.Lost, d.Area2(); got != want {
		return f, fmt.Errorf("%s: twice the area is %d, want %d", t.Method, got, want)
	}
	f.Cells = len(res.Cells)
	after := memory()
	f.Allocated, f.Peak = after.TotalAlloc-before.TotalAlloc, after.HeapSys-before.HeapInuse
	// Short ones are repeated until the clock can resolve them.
	repeat := max(1, int64(shortest/max(took, 1)))
	var times []int64
	for len(times) < fewestRuns || time.Since(begin) < slice {
		runtime.GC()
		from := bench.Clock()
		for range repeat {
			if _, err := g.Decompose(ctx, gen.Input{Domain: d}); err != nil {
				return f, err
			}
		}
		times = append(times, (bench.Clock()-from).Nanoseconds()/repeat)
	}
	slices.Sort(times)
	f.Runs, f.Best, f.Median = len(times), times[0], times[len(times)/2]
	return f, nil
}

// shortest is the least measured time.
const shortest = 5 * time.Millisecond

// memory returns statistics of the heap.
func memory() (m runtime.MemStats) {
	runtime.ReadMemStats(&m)
	return m
}

func area2(cells []plan.Cell) (sum int64) {
	for _, c := range cells {
		for i := range c.Corners {
			p, q := c.Corners[i], c.Corners[(i+1)%len(c.Corners)]
			sum += int64(p.X)*int64(q.Y) - int64(p.Y)*int64(q.X)
		}
	}
	return sum
}
