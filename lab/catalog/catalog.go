// Package catalog is the only list of all generators.
package catalog

import (
	"fmt"
	"strings"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/best"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/pasfv"
	"github.com/meadow-nav/meadow/build/wavefront"
	"github.com/meadow-nav/meadow/lab/delaunay"
	"github.com/meadow-nav/meadow/lab/dirichlet"
	"github.com/meadow-nav/meadow/build/hertelmehlhorn"
	"github.com/meadow-nav/meadow/lab/medialaxis"
	"github.com/meadow-nav/meadow/lab/optimal"
	"github.com/meadow-nav/meadow/lab/quadtree"
	"github.com/meadow-nav/meadow/lab/sfv"
	"github.com/meadow-nav/meadow/lab/sweep"
	"github.com/meadow-nav/meadow/lab/trapezoid"
	"github.com/meadow-nav/meadow/lab/watershed"
)

// Default is the name of the generator that a user gets who names none.
const Default = "anavmg"

// generators are in the order in which they are listed and compared.
var generators = []gen.Generator{
	anavmg.Generator{},
	best.Generator{Rivals: []gen.Generator{hertelmehlhorn.Generator{}, anavmg.Generator{}}},
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

// limited refuse domains beyond their limits, so that they are known by name and not listed: who goes
// through all names wants an answer on every level.
var limited = []gen.Generator{optimal.Generator{}}

// Names returns the names of all generators that take every domain, the default first.
func Names() []string {
	names := make([]string, len(generators))
	for i, g := range generators {
		names[i] = g.Name()
	}
	return names
}

// Limited returns the names of the generators that refuse domains beyond their limits. They are not
// among [Names].
func Limited() []string {
	names := make([]string, len(limited))
	for i, g := range limited {
		names[i] = g.Name()
	}
	return names
}

// New returns the generator with a name, with its default options; "" means [Default]. Besides those
// of [Names] there is "optimal", which takes small domains only.
func New(name string) (gen.Generator, error) {
	if name == "" {
		name = Default
	}
	for _, list := range [][]gen.Generator{generators, limited} {
		for _, g := range list {
			if g.Name() == name {
				return g, nil
			}
		}
	}
	return nil, fmt.Errorf("catalog: no generator is named %q, there are %s", name, strings.Join(Names(), ", "))
}
