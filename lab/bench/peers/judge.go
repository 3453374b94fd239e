//go:build peers

package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/groundtruth"
	"github.com/meadow-nav/meadow/lab/delaunay"
	"github.com/meadow-nav/meadow/lab/internal/standings"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/metric/verify"
)

// truthOf finds the whole floor of a level by the exact extractor, with borders and heights as they are, and its parts above the smallest
// area that Recast keeps.
func truthOf(ctx context.Context, lvl *level.Level, agent meadow.Agent) (verify.Truth, error) {
	opt := meadow.FloorOptions{Agent: agent, KeepArea: smallestPart, Simplify: -1, Detail: -1}
	reachable, err := meadow.FindFloor(ctx, lvl, opt)
	if err != nil {
		return verify.Truth{}, err
	}
	opt.KeepArea, opt.KeepAll = 0, true
	all, err := meadow.FindFloor(ctx, lvl, opt)
	if err != nil {
		return verify.Truth{}, err
	}
	mesh, err := reachable.Mesh(ctx, meadow.MeshOptions{Generator: delaunay.Generator{}})
	if err != nil {
		return verify.Truth{}, err
	}
	return verify.Truth{All: all.Plan, Reachable: reachable.Plan, Mesh: mesh.Mesh}, nil
}

// judge adds the quality of all meshes, and asks the brute-force judge where they differ from the floor.
func (b board) judge(ctx context.Context, lvl *level.Level, all []contestant, out *standings.Level) error {
	truth, err := truthOf(ctx, lvl, b.agent)
	if err != nil {
		return fmt.Errorf("the floor: %w", err)
	}
	out.Parts = truth.Reachable.Components
	referee := newReferee(lvl, truth)
	for i := range all {
		e := &out.Entries[i]
		if e.Failed != "" || all[i].twin != "" {
			continue
		}
		if err := b.judgeOne(ctx, referee, all[i].load, e, out); err != nil {
			if ctx.Err() != nil {
				return err
			}
			e.Unjudged = err.Error()
		}
	}
	return nil
}

// judgeOne adds the quality of a mesh to its entry, and the floor to the level.
func (b board) judgeOne(ctx context.Context, referee *referee, load func() (*meadow.Mesh, error), e *standings.Entry, out *standings.Level) error {
	mesh, err := load()
	if err != nil {
		return err
	}
	r, err := verify.Measure(ctx, mesh.Mesh, referee.truth, verify.Options{Pairs: b.pairs, Seed: 1})
	if err != nil {
		return err
	}
	out.Floor = r.Floor
	e.Quality, e.Disputes = qualityOf(r), referee.disputes(r)
	return nil
}

func qualityOf(r *verify.Report) *standings.Quality {
	known := func(v metric.Number) *float64 {
		if !v.Known() {
			return nil
		}
		f := float64(v)
		return &f
	}
	c := &r.Components
	return &standings.Quality{
		Coverage: r.Coverage, Lost: r.Lost.Area, Outside: r.Outside.Area, Unreachable: r.Unreachable, Overlap: r.Overlap.Area,
		LostParts: len(c.Lost), InventedParts: len(c.Invented), SplitParts: len(c.Split), JoinedParts: len(c.Joined),
		Pairs: r.Paths.Pairs, Missing: r.Paths.Missing, Short: r.Paths.Shorter, Longest: r.Paths.Max, Mean: r.Paths.Mean,
		Border: known(r.Border.Value), BorderMean: known(r.Border.MeshToPlan.Mean), Rise: r.Height.Max, Rise95: r.Height.Most,
	}
}

// referee asks the brute-force judge about places of a level.
type referee struct {
	truth           verify.Truth
	plain           func() *groundtruth.Judge
	lenient, strict func() [2]*groundtruth.Judge
}

func newReferee(lvl *level.Level, truth verify.Truth) *referee {
	agent := truth.All.Agent
	once := func(f func(*level.Level, geom.Agent) [2]*groundtruth.Judge) func() [2]*groundtruth.Judge {
		return sync.OnceValue(func() [2]*groundtruth.Judge { return f(lvl, agent) })
	}
	plain := sync.OnceValue(func() *groundtruth.Judge { return groundtruth.New(lvl, agent) })
	return &referee{truth: truth, plain: plain, lenient: once(groundtruth.Lenient), strict: once(groundtruth.Strict)}
}

const (
	// askedPieces of each kind are asked about, the largest ones of at least leastPiece m².
	askedPieces = 3
	leastPiece  = 0.05
	// thinPiece is the least distance in metres of a place from the border of its piece.
	thinPiece = 0.01
	// roundCorner is how far beyond the arcs around corners the extractor's border may lie, in metres, and nearTruth how far off the judge
	// may be.
	roundCorner = 0.05
	nearTruth   = 0.01
)

// disputes judges the largest pieces of ground that only the mesh or only the floor has.
func (r *referee) disputes(report *verify.Report) []standings.Dispute {
	var out []standings.Dispute
	for _, kind := range []struct {
		lost   bool
		pieces *verify.Pieces
	}{{true, &report.Lost}, {false, &report.Outside}} {
		for _, piece := range kind.pieces.Largest[:min(len(kind.pieces.Largest), askedPieces)] {
			if piece.Area < leastPiece {
				continue
			}
			d := standings.Dispute{At: piece.At, Area: piece.Area, Lost: kind.lost, Side: standings.Thin}
			if at, inside, ok := piece.Middle(); ok && inside > thinPiece {
				d.At = at
				r.decide(&d)
			}
			out = append(out, d)
		}
	}
	return out
}

// decide says who is right about a place.
func (r *referee) decide(d *standings.Dispute) {
	v := r.plain().At(d.At.X, d.At.Z, d.At.Y)
	both := func(js [2]*groundtruth.Judge, holds func(margin float64) bool) bool {
		return holds(js[0].At(d.At.X, d.At.Z, d.At.Y).Margin) && holds(js[1].At(d.At.X, d.At.Z, d.At.Y).Margin)
	}
	d.By, d.Side = v.Margin, standings.Open
	walkable, blocked := roundCorner, -nearTruth
	if d.Lost {
		walkable = nearTruth
	}
	switch {
	case v.Margin > walkable && both(r.strict(), func(m float64) bool { return m > walkable }):
		d.Side = standings.Mesh
		if d.Lost {
			d.Side = standings.Floor
		}
	case v.Margin < blocked && both(r.lenient(), func(m float64) bool { return m < blocked }):
		d.Side = standings.Floor
		if d.Lost {
			d.Side = standings.Mesh
		}
	}
}
