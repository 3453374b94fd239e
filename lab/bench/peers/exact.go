//go:build peers

package main

import (
	"fmt"
	"strings"
)

// Exact extraction is held to be no slower than this, by the time that Recast takes with the demo's cells.
// Where Recast samples little for every triangle, it is allowed more.
const (
	manySpans    = 10 // for every triangle
	bound        = 0.5
	boundFew     = 1
	boundOne     = 0.8 // on one core
	boundOneFew  = 1.5
	boundRegions = 0.7 // by Recast's polygons
)

// exactTimes prints the first of two tables that are never mixed: time, where nothing is simplified. The
// table of made worlds has the borders.
func (res *Results) exactTimes(b *strings.Builder) {
	row := table(b, "Exact extraction, nothing simplified: time, ms: median (best)", "level", "triangles", "spans a triangle", "Recast", "Recast, fine cells",
		"exact, one core", "/ Recast", "at most", "exact, all cores", "/ Recast", "at most", "raster, all cores / exact")
	for _, l := range res.Levels {
		c := l.Contenders
		spans := float64(c[atRecast].Mesh.Spans) / float64(l.Triangles)
		one, all := boundOneFew, float64(boundFew)
		if spans > manySpans {
			one, all = boundOne, bound
		}
		time := func(k int) string {
			if c[k].Failed != "" {
				return nothing
			}
			return fmt.Sprintf("%s (%s)", digits(c[k].MedianMS), digits(c[k].BestMS))
		}
		share := func(a, b int) string {
			return fmt.Sprintf("%s (%s)", ratio(c[a].MedianMS, c[b].MedianMS), ratio(c[a].BestMS, c[b].BestMS))
		}
		row(l.Name, fmt.Sprint(l.Triangles), digits(spans), time(atRecast), time(atFine),
			time(atExactOneCore), share(atExactOneCore, atRecast), fmt.Sprint(one),
			time(atExact), share(atExact, atRecast), fmt.Sprint(all), share(atAllCores, atExact))
	}
}

// complexity prints the second table: numbers of polygons, with equally straightened borders. The largest
// part is the reachable part.
func (res *Results) complexity(b *strings.Builder) {
	row := table(b, fmt.Sprintf("Complexity of the largest part, borders straightened by up to %g m", recastTolerance), "level", "Recast: polygons", "vertices", "area m²",
		"`anavmg`: regions", "vertices", "area m²", "/ Recast", "`best`: regions", "/ Recast", "at most", "faults")
	for _, l := range res.Levels {
		c := l.Contenders
		them, us, few := c[atRecast].Mesh, c[atANavMG].Mesh, c[atSimplified].Mesh
		cells := []string{l.Name}
		of := func(k int, cell ...string) {
			for i := range cell {
				if c[k].Failed != "" {
					cell[i] = nothing
				}
			}
			cells = append(cells, cell...)
		}
		share := func(x Mesh) string { return ratio(float64(x.Largest.Polys), float64(them.Largest.Polys)) }
		of(atRecast, fmt.Sprint(them.Largest.Polys), fmt.Sprint(them.Largest.Vertices), digits(them.Largest.Area))
		of(atANavMG, fmt.Sprint(us.Largest.Polys), fmt.Sprint(us.Largest.Vertices), digits(us.Largest.Area), share(us))
		of(atSimplified, fmt.Sprint(few.Largest.Polys), share(few))
		row(append(cells, fmt.Sprint(boundRegions), fmt.Sprint(us.Faults+few.Faults))...)
	}
}
