package chart

import "math"

// arrangement is where the storeys of a plan are drawn in a panel: the upper left corner of each in metres
// from that of the panel, and the size of it all.
type arrangement struct {
	spots         [][2]float64
	width, height float64
}

// unfit is how much room an arrangement takes in a panel of 4 by 3: the smaller, the larger all is drawn.
func (a *arrangement) unfit() float64 { return math.Max(a.width/4, a.height/3) }

// arrange places the storeys, lowest first: in a row, or in a column with the lowest at the bottom, both with
// every storey at its place in the other direction; or in several columns, where that shows all
// larger by a twentieth or more.
func arrange(floors []storey) arrangement {
	west, south, east, north := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, f := range floors {
		west, south, east, north = min(west, f.west), min(south, f.south), max(east, f.east), max(north, f.north)
	}
	gap := 0.06 * max(east-west, north-south)
	row := arrangement{height: north - south}
	column := arrangement{width: east - west}
	for i, f := range floors {
		if i > 0 {
			row.width += gap
			column.height += gap
		}
		row.spots = append(row.spots, [2]float64{row.width, north - f.north})
		row.width += f.east - f.west
		column.height += f.north - f.south
		column.spots = append(column.spots, [2]float64{f.west - west, column.height})
	}
	for i := range column.spots {
		column.spots[i][1] = column.height - column.spots[i][1] // counted from the top
	}
	best := row
	if column.unfit() < row.unfit() {
		best = column
	}
	limit := best.unfit() * 20 / 21
	for i := range floors {
		most := -gap
		for _, f := range floors[i:] {
			most += f.north - f.south + gap
			if c := columns(floors, most, gap); c.unfit() < limit {
				best, limit = c, c.unfit()
			}
		}
	}
	return best
}

// columns places the storeys in columns, each from the bottom up to a height at most, or one storey.
func columns(floors []storey, most, gap float64) arrangement {
	const slack = 1e-9 // of sums that are equal but for their order
	var a arrangement
	x, y, wide := 0.0, 0.0, 0.0
	for _, f := range floors {
		w, h := f.east-f.west, f.north-f.south
		if y > 0 && y+h > most+slack {
			x, y, wide = x+wide+gap, 0, 0
		}
		a.spots = append(a.spots, [2]float64{x, y + h})
		wide = max(wide, w)
		a.width, a.height = max(a.width, x+w), max(a.height, y+h)
		y += h + gap
	}
	for i := range a.spots {
		a.spots[i][1] = a.height - a.spots[i][1]
	}
	return a
}
