// Package catalog is the only list of all generators and of all extractors.
package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/best"
	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/hertelmehlhorn"
	"github.com/meadow-nav/meadow/build/pasfv"
	"github.com/meadow-nav/meadow/build/wavefront"
	"github.com/meadow-nav/meadow/lab/brep"
	"github.com/meadow-nav/meadow/lab/delaunay"
	"github.com/meadow-nav/meadow/lab/dirichlet"
	"github.com/meadow-nav/meadow/lab/medialaxis"
	"github.com/meadow-nav/meadow/lab/optimal"
	"github.com/meadow-nav/meadow/lab/quadtree"
	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/lab/sfv"
	"github.com/meadow-nav/meadow/lab/sweep"
	"github.com/meadow-nav/meadow/lab/topview"
	"github.com/meadow-nav/meadow/lab/trapezoid"
	"github.com/meadow-nav/meadow/lab/watershed"
	published "github.com/meadow-nav/meadow/lab/wavefront"
)

// Default and DefaultExtractor are the names of the generator and of the extractor that an empty name stands for.
const (
	Default          = "best"
	DefaultExtractor = "exact"
)

// generators are in the order of lists and comparisons.
var generators = []gen.Generator{
	best.Generator{},
	anavmg.Generator{},
	wavefront.Generator{},
	pasfv.Generator{},
	delaunay.Generator{},
	hertelmehlhorn.Generator{},
	trapezoid.Generator{},
	trapezoid.Generator{Horizontal: true},
	quadtree.Generator{},
	watershed.Generator{},
	dirichlet.Generator{},
	medialaxis.Generator{},
	sweep.Generator{},
	sfv.Generator{},
}

// limited generators refuse domains beyond their limits. Names leaves them out, because a loop over all names needs an
// answer on every level.
var limited = []gen.Generator{optimal.Generator{}}

// publishedForms are sources' own forms of generators above, for the study of sources. They are slow, and no list of methods to
// compare by default has them.
var publishedForms = []gen.Generator{published.Generator{}}

// Names returns the names of all generators that take every domain, the default first.
func Names() []string { return namesOf(generators) }

// Limited returns the names of the generators that refuse domains beyond their limits. [Names] does not list
// them.
func Limited() []string { return namesOf(limited) }

// Published returns the names of the generators that follow a source to the letter. They refuse large domains, too, and
// neither [Names] nor [Limited] lists them.
func Published() []string { return namesOf(publishedForms) }

func namesOf(list []gen.Generator) []string {
	names := make([]string, len(list))
	for i, g := range list {
		names[i] = g.Name()
	}
	return names
}

// Generator returns the generator with a name, with its default options; "" means [Default].
func Generator(name string) (gen.Generator, error) {
	if name == "" {
		name = Default
	}
	for _, list := range [][]gen.Generator{generators, limited, publishedForms} {
		for _, g := range list {
			if g.Name() == name {
				return g, nil
			}
		}
	}
	known := slices.Concat(Names(), Limited(), Published())
	return nil, fmt.Errorf("unknown generator %q; generators: %s", name, strings.Join(known, ", "))
}

// Extractors returns the names of all extractors that find every floor of a level, the default first.
func Extractors() []string { return []string{DefaultExtractor, "raster", "brep"} }

// LimitedExtractors returns the names of the extractors that find only some floors of a level. [Extractors] does not list them.
func LimitedExtractors() []string { return []string{"topview"} }

// Surfaces returns the names of the extractors whose plan is a mesh already, with links of its own: for levels without
// doors and ladders. [Extractors] does not list them.
func Surfaces() []string { return []string{brep.Surface{}.Name()} }

// Extractor returns the extractor with a name of [Extractors], [LimitedExtractors] or [Surfaces]; "" means [DefaultExtractor]. An extractor that samples uses cells of
// cellSize metres, or its own choice for 0.
func Extractor(name string, cellSize float64) (floorplan.Extractor, error) {
	switch name {
	case "", DefaultExtractor:
		return exact.Extractor{}, nil
	case "raster":
		return raster.Extractor{CellSize: cellSize}, nil
	case "brep":
		return brep.Extractor{}, nil
	case "topview":
		return topview.Extractor{CellSize: cellSize}, nil
	case "brand":
		return brep.Surface{}, nil
	}
	known := slices.Concat(Extractors(), LimitedExtractors(), Surfaces())
	return nil, fmt.Errorf("unknown extractor %q; extractors: %s", name, strings.Join(known, ", "))
}
