package metric

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Regions is metric 1, the number of regions (section 6.1). Fewer are better: the search graph is smaller.
type Regions struct {
	Value int `json:"value"`
}

// Coverage is metric 2 (section 6.2, equation 6.1): the area of the regions as a share of the free space. A complete
// mesh has 1, up to millionths by rounded corners; a mesh below 0.95 should be discarded. Unknown without Options.Free,
// and for an empty free space.
type Coverage struct {
	Value    Number `json:"value"`
	Area     Number `json:"area_m2"` // of the regions
	FreeArea Number `json:"free_m2"`
}

func (v *view) coverage(opt *Options) Coverage {
	c := Coverage{Value: unknown, FreeArea: unknown}
	var sum float64
	for _, a := range v.area2 {
		sum += float64(a)
	}
	c.Area = Number(lattice.SquareMetres(sum))
	if opt.Free != nil {
		c.FreeArea = Number(opt.Free.Area)
		if opt.Free.Area > 0 {
			c.Value = c.Area / c.FreeArea
		}
	}
	return c
}

// AreaSizes is metric 3, the distribution of area sizes in square metres (section 6.3). Its value is the mean.
type AreaSizes struct {
	Value Number `json:"value"`
	Alpha Number `json:"alpha_m2"`
	Delta Number `json:"delta"`
	// Below is the number of regions smaller than Alpha: no object fits into them.
	Below        int          `json:"below_alpha"`
	Distribution Distribution `json:"distribution"`
	// Histogram has the groups of equations 6.2 to 6.4: [0, α), [α, αΔ], then (nαΔ, (n+1)αΔ] for n = 1, 2 …; the last
	// group takes all larger areas. Empty groups at the end are left out. For Δ below 1 the second group is [α, α], and
	// the third begins at α.
	Histogram []Bin `json:"histogram"`
}

func (v *view) areaSizes(opt *Options) AreaSizes {
	s := AreaSizes{Alpha: Number(opt.Alpha), Delta: Number(opt.Delta), Histogram: []Bin{}}
	areas := v.areas()
	for _, a := range areas {
		if a < opt.Alpha {
			s.Below++
		}
		g := areaGroup(a, opt)
		for len(s.Histogram) <= g {
			s.Histogram = append(s.Histogram, areaBin(len(s.Histogram), opt))
		}
		s.Histogram[g].Count++
	}
	s.Distribution = describe(areas)
	s.Value = s.Distribution.Mean
	return s
}

// areas are the sizes of all regions in square metres.
func (v *view) areas() []float64 {
	areas := make([]float64, len(v.area2))
	for i, a := range v.area2 {
		areas[i] = lattice.SquareMetres(a)
	}
	return areas
}

// areaGroup returns the group of an area.
func areaGroup(area float64, opt *Options) int {
	step := float64(opt.Alpha * opt.Delta)
	switch {
	case area < opt.Alpha:
		return 0
	case area <= max(opt.Alpha, step):
		return 1
	}
	// The quotient may be rounded across a border of groups: the borders themselves decide.
	last := opt.Categories - 1
	g := int(min(math.Ceil(area/step), float64(last)))
	for g > 2 && area <= float64(float64(g-1)*step) {
		g--
	}
	for g < last && area > float64(float64(g)*step) {
		g++
	}
	return max(g, 2)
}

// areaBin returns the borders of a group.
func areaBin(g int, opt *Options) Bin {
	step := opt.Alpha * opt.Delta
	b := Bin{Low: Number(max(opt.Alpha, float64(g-1)*step)), High: Number(max(opt.Alpha, float64(g)*step))}
	switch g {
	case 0:
		b.Low, b.High = 0, Number(opt.Alpha)
	case 1:
		b.Low = Number(opt.Alpha)
	case opt.Categories - 1:
		b.High = infinite
	}
	return b
}
