//go:build peers

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
)

// Machine holds the properties of the machine behind the figures.
type Machine struct {
	OS   string `json:"os"`
	Arch string `json:"arch"`
	CPUs int    `json:"cpus"`
	Go   string `json:"go"`
}

func machine() Machine {
	return Machine{runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version()}
}

// contender builds a level again and again.
type contender interface {
	name() string
	// turn builds a few times. An [unable] means that the contender cannot build the level, any
	// other error ends the benchmark.
	turn(ctx context.Context) (Turn, error)
}

// unable tells why a level cannot be built: a result like any other.
type unable struct{ error }

// Turn is the result of a turn.
type Turn struct {
	TotalMS []float64 // of every counted build, from triangles in memory to a mesh that can be asked
	Stages  []Stage   // medians over the turn
	Mesh    Mesh
}

// Stage is a part of a build.
type Stage struct {
	Name string  `json:"name"`
	MS   float64 `json:"ms"`
}

// Mesh holds counts of a mesh.
type Mesh struct {
	Components int `json:"components"`
	// All is of everything, Largest of the part of the largest area.
	All     Extent `json:"all"`
	Largest Extent `json:"largest"`
	// Bytes is the size of the stored data, BytesFlat without the heights inside of polygons.
	Bytes     int `json:"bytes"`
	BytesFlat int `json:"bytes_without_heights"`
	// Heights is the number of triangles that tell the heights.
	Heights int `json:"height_triangles"`
	// Faults is the number of faults found by the mesh's own check, -1 without a check.
	Faults int `json:"faults"`
	// Spans is the number of Recast's spans on which something can stand.
	Spans int `json:"spans,omitempty"`
}

// Extent is how large a set of polygons is.
type Extent struct {
	Polys    int     `json:"polys"`
	Vertices int     `json:"vertices"`
	Area     float64 `json:"area_m2"`
	Border   float64 `json:"border_m"`
}

// Measure is a contender's result on a level.
type Measure struct {
	Name string `json:"name"`
	// Failed is the reason why all other fields are empty.
	Failed string `json:"failed,omitempty"`
	// MedianMS is the median over turns of the median in a turn, BestMS the best single build.
	MedianMS float64   `json:"median_ms"`
	BestMS   float64   `json:"best_ms"`
	TotalMS  []float64 `json:"total_ms"`
	Stages   []Stage   `json:"stages"`
	Mesh     Mesh      `json:"mesh"`
}

// measureTurns gives every contender a turn in every round and returns the measures in the order of contenders. Every
// other round goes backwards, so nobody always runs behind the same neighbour.
func measureTurns(ctx context.Context, level string, all []contender, s settings, log io.Writer) ([]Measure, error) {
	turns := make([][]Turn, len(all))
	failed := make([]string, len(all))
	for round := range s.rounds {
		fmt.Fprintf(log, "%s: round %d of %d\n", level, round+1, s.rounds)
		for k := range all {
			if round%2 == 1 {
				k = len(all) - 1 - k
			}
			if failed[k] != "" {
				continue
			}
			t, err := all[k].turn(ctx)
			if cannot := (unable{}); err != nil && !errors.As(err, &cannot) {
				return nil, fmt.Errorf("%s: %s: %w", level, all[k].name(), err)
			}
			if err != nil {
				failed[k] = err.Error()
				fmt.Fprintf(log, "%s: %s: %v\n", level, all[k].name(), err)
				continue
			}
			turns[k] = append(turns[k], t)
		}
	}
	measures := make([]Measure, len(all))
	for k := range all {
		measures[k] = Measure{Name: all[k].name(), Failed: failed[k]}
		if failed[k] == "" {
			measures[k].summarize(turns[k])
		}
	}
	return measures, nil
}

func (m *Measure) summarize(turns []Turn) {
	medians := make([]float64, len(turns))
	for i, t := range turns {
		medians[i] = median(t.TotalMS)
		m.TotalMS = append(m.TotalMS, t.TotalMS...)
	}
	m.MedianMS = median(medians)
	m.BestMS = slices.Min(m.TotalMS)
	for i, stage := range turns[0].Stages {
		for k, t := range turns {
			medians[k] = t.Stages[i].MS
		}
		m.Stages = append(m.Stages, Stage{stage.Name, median(medians)})
	}
	m.Mesh = turns[0].Mesh
}

// median returns the middle of values, the mean of the two middle ones for an even number.
func median(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	n := len(v)
	if n%2 == 1 {
		return v[n/2]
	}
	return (v[n/2-1] + v[n/2]) / 2
}
