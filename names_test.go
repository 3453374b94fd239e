package meadow_test

import (
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/lab/catalog"
)

// generator returns the generator with a name of the catalog.
func generator(tb testing.TB, name string) gen.Generator {
	tb.Helper()
	g, err := catalog.Generator(name)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// extractor returns the extractor with a name of the catalog.
func extractor(tb testing.TB, name string) floorplan.Extractor {
	tb.Helper()
	x, err := catalog.Extractor(name, 0)
	if err != nil {
		tb.Fatal(err)
	}
	return x
}
