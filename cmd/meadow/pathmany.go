package main

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// check reports incompatible flags of meadow path.
func (c *pathCmd) check() error {
	switch {
	case c.Nearest && c.Many == "":
		return errors.New("--nearest needs goals: --many")
	case c.Partial && c.Many != "":
		return errors.New("--partial is for one goal, not for --many")
	case (c.Partial || c.Many != "") && !c.plain():
		return errors.New("--partial and --many are for the shortest path, not for graphs and curves")
	}
	return nil
}

// manyReport is the output of --many --json.
type manyReport struct {
	Goals    []goalReport `json:"goals"`
	Found    int          `json:"found"`
	Expanded int          `json:"expanded"`
}

// goalReport is a goal of many. Cost is 0 for an unreachable goal.
type goalReport struct {
	At    place   `json:"at"`
	Found bool    `json:"found"`
	Cost  float64 `json:"cost"`
}

// printMany finds the distances to many goals. If none is reachable, the answer is no.
func (c *pathCmd) printMany(e *env, q *query.Query) error {
	goals, err := readPlaces(c.Many)
	if err != nil {
		return err
	}
	fan, err := q.ToMany(e.ctx, geom.Vec(c.From), goals)
	if err != nil {
		return inFile(c.Mesh, err)
	}
	r := manyReport{Goals: []goalReport{}, Expanded: fan.Expanded}
	for i, cost := range fan.Costs {
		g := goalReport{At: placeOf(goals[i])}
		if !math.IsInf(cost, 1) {
			g.Found, g.Cost = true, cost
			r.Found++
		}
		r.Goals = append(r.Goals, g)
	}
	if c.JSON {
		if err := writeJSON(e.stdout, r); err != nil {
			return err
		}
	} else {
		for i, g := range r.Goals {
			answer := "no way"
			if g.Found {
				answer = fmt.Sprintf("%.3f m", g.Cost)
			}
			fmt.Fprintf(e.stdout, "%v: %s\n", goals[i], answer)
		}
	}
	if r.Found == 0 {
		return no("%s: no path from %v: no way leads to any of the goals", c.Mesh, geom.Vec(c.From))
	}
	return nil
}

// nearest finds the nearest of many goals and the path to it.
func (c *pathCmd) nearest(e *env, q *query.Query) (goal geom.Vec, path query.Path, err error) {
	goals, err := readPlaces(c.Many)
	if err != nil {
		return goal, path, err
	}
	i, path, err := q.NearestOf(e.ctx, geom.Vec(c.From), goals)
	if i >= 0 {
		goal = goals[i]
	}
	return goal, path, err
}

// readPlaces reads a file of places, one X,Y,Z in a line. Empty lines, and lines with # at the start, are
// skipped.
func readPlaces(path string) ([]geom.Vec, error) {
	text, err := readFile(path)
	if err != nil {
		return nil, err
	}
	var out []geom.Vec
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		p, err := parsePlace(line)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, number, err)
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: the file has no goals", path)
	}
	return out, nil
}
