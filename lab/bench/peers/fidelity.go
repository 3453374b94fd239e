//go:build peers

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/obj"
)

// Fidelity is how well a mesh keeps to the exact border of a made level.
type Fidelity struct {
	World string `json:"world"`
	Name  string `json:"name"`
	// Failed is the reason why all other fields are empty.
	Failed string `json:"failed,omitempty"`
	Polys  int    `json:"polys"`
	// Area and Border describe the largest part, Exact holds the exact values, zero where unknown.
	Area        float64 `json:"area_m2"`
	ExactArea   float64 `json:"exact_area_m2,omitempty"`
	Border      float64 `json:"border_m"`
	ExactBorder float64 `json:"exact_border_m,omitempty"`
	Judged      Border  `json:"judged"`
}

// measureFidelity builds every made level with everybody and judges the borders.
func measureFidelity(ctx context.Context, s settings, log io.Writer) ([]Fidelity, error) {
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	made, err := worlds(s.agent)
	if err != nil {
		return nil, err
	}
	var out []Fidelity
	for i, w := range made {
		fmt.Fprintf(log, "%s: border\n", w.name)
		path := filepath.Join(dir, fmt.Sprintf("%d.obj", i))
		if err := writeLevel(path, w); err != nil {
			return nil, err
		}
		judged := walls(w.level, s.agent.MaxClimb, s.agent.Height)
		for _, g := range []grid{demoGrid, fineGrid} {
			peer := recast{program: s.recast, level: path, agent: s.agent, grid: g, runs: 1, border: true}
			f := Fidelity{World: w.name, Name: peer.name(), ExactArea: w.area, ExactBorder: w.border}
			rep, err := peer.report(ctx)
			switch cannot := (unable{}); {
			case errors.As(err, &cannot):
				f.Failed = err.Error()
			case err != nil:
				return nil, err
			default:
				f.judge(rep.mesh(), rep.segments(), judged, w.edge, s.agent.Radius)
			}
			out = append(out, f)
		}
		for _, c := range []struct {
			name string
			opt  options
		}{
			{"Meadow, nothing simplified", exactly(options{floor: meadow.FloorOptions{Agent: s.agent}}, 0)},
			{"Meadow", options{floor: meadow.FloorOptions{Agent: s.agent}}},
		} {
			f := Fidelity{World: w.name, Name: c.name, ExactArea: w.area, ExactBorder: w.border}
			if err := f.judgeOurs(ctx, w, judged, c.opt); err != nil {
				f.Failed = err.Error()
			}
			out = append(out, f)
		}
	}
	return out, nil
}

func writeLevel(path string, w world) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := obj.Encode(file, w.level, ""); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

func (f *Fidelity) judge(m Mesh, border, walls, edge []segment, radius float64) {
	f.Polys, f.Area, f.Border = m.Largest.Polys, m.Largest.Area, m.Largest.Border
	f.Judged = judge(border, walls, edge, radius)
}

func (f *Fidelity) judgeOurs(ctx context.Context, w world, walls []segment, opt options) error {
	m, err := meadow.BuildWith(ctx, w.level, opt.floor, opt.mesh)
	if err != nil {
		return err
	}
	counted, err := count(m.Mesh)
	if err != nil {
		return err
	}
	f.judge(counted, meshBorder(m.Mesh), walls, w.edge, opt.floor.Agent.Radius)
	return nil
}

// segments returns the border that the program printed, seen from above.
func (rep *recastReport) segments() []segment {
	out := make([]segment, len(rep.Border))
	for i, b := range rep.Border {
		s := &out[i]
		s.a.x, s.a.y = geom.Ground(geom.Vec{X: b[0], Y: b[1], Z: b[2]})
		s.b.x, s.b.y = geom.Ground(geom.Vec{X: b[3], Y: b[4], Z: b[5]})
	}
	return out
}
