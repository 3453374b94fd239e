package draw

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"
)

// The size of the letters of remarks, in pixels, with a rim.
const (
	letterWidth, letterHeight = 8, 16
	remarkRight, remarkDown   = 8, 5
)

// Remark returns where the baseline of a label without a Size begins, in pixels from the left and from the top; 0, 0 for nil.
func (c *Camera) Remark(l *Label) (x, y float64) {
	if l == nil {
		return 0, 0
	}
	x, y, _ = c.Pixel(l.P)
	if l.Align == AlignMiddle {
		return x - letterWidth*float64(utf8.RuneCountInString(l.Text))/2, y + remarkDown
	}
	return x + remarkRight, y + remarkDown
}

// Legible returns the indices of the labels to draw, ascending. Of labels with a Rank that overlap each other in the picture the
// one with the greatest Rank stays, and of equals the first; labels without a Rank, or with a Size, all stay. Time n log n for n labels of few letters.
func (c *Camera) Legible(labels []Label) []int {
	order := make([]int, 0, len(labels))
	for i := range labels {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(labels[b].Rank, labels[a].Rank) })
	type square struct{ column, row int }
	taken := map[square]bool{}
	var kept []int
	for _, i := range order {
		l := &labels[i]
		if l.Size > 0 || !(l.Rank > 0) {
			kept = append(kept, i)
			continue
		}
		x, y := c.Remark(l)
		w, h := float64(c.Width), float64(c.Height)
		if !(x > -w && x < 2*w && y > -h && y < 2*h) {
			continue // out of sight
		}
		// Squares of half a letter, so that rows and columns of labels may lie close.
		const side = letterHeight / 2
		var mine []square
		right := math.Min(x+letterWidth*float64(utf8.RuneCountInString(l.Text)), 2*w)
		for column := int(math.Floor(x / side)); column <= int(math.Floor(right/side)); column++ {
			for row := int(math.Floor((y - letterHeight + remarkDown) / side)); row <= int(math.Floor(y/side)); row++ {
				mine = append(mine, square{column, row})
			}
		}
		if slices.ContainsFunc(mine, func(s square) bool { return taken[s] }) {
			continue
		}
		for _, s := range mine {
			taken[s] = true
		}
		kept = append(kept, i)
	}
	slices.Sort(kept)
	return kept
}
