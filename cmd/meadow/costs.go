package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow"
)

// costFlags are the costs of ground.
type costFlags struct {
	Cost    []string `placeholder:"AREA=COST" help:"Cost of a metre of this area, given by name or number; inf closes it; may be repeated (default: what --method says, else 1)." group:"Passing"`
	Epsilon number   `default:"0.01" placeholder:"E" help:"Where costs differ: maximum relative excess over the cheapest cost (default ${default})." group:"Passing" rare:""`
}

// areaCosts returns the costs by area, nil without any.
func (f costFlags) areaCosts(mesh *meadow.Mesh) (map[uint8]float64, error) {
	if len(f.Cost) == 0 {
		return nil, nil
	}
	costs := make(map[uint8]float64, len(f.Cost))
	for _, text := range f.Cost {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("--cost: invalid cost %q; want AREA=COST, as in road=0.5", text)
		}
		area, err := areaCalled(mesh, strings.TrimSpace(name))
		if err != nil {
			return nil, fmt.Errorf("--cost: %w", err)
		}
		cost, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil {
			return nil, fmt.Errorf("--cost: %s: %q is not a number", name, value)
		}
		costs[area] = cost
	}
	return costs, nil
}

// areaCalled returns the area of a name or number.
func areaCalled(mesh *meadow.Mesh, name string) (uint8, error) {
	for i, a := range mesh.Areas {
		if strings.EqualFold(a, name) {
			return uint8(i), nil
		}
	}
	n, err := strconv.ParseUint(name, 10, 8)
	switch {
	case err == nil:
		return uint8(n), nil
	case len(mesh.Areas) == 0:
		return 0, fmt.Errorf("unknown area %q; the mesh has no names, only numbers 0 to 255", name)
	}
	return 0, fmt.Errorf("unknown area %q; areas: %s", name, strings.Join(mesh.Areas, ", "))
}
