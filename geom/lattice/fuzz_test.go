package lattice

import "testing"

// The fuzz targets compare every predicate with its reference. The remainder of an argument becomes a
// coordinate of the frame, so no input is wasted.

func clampCoord(v int64) int32 {
	const span = 2*MaxCoord + 1
	v %= span
	if v < -MaxCoord {
		v += span
	} else if v > MaxCoord {
		v -= span
	}
	return int32(v)
}

func fuzzPoints(ax, ay, bx, by, cx, cy, dx, dy int64) (a, b, c, d Point) {
	return Point{clampCoord(ax), clampCoord(ay)}, Point{clampCoord(bx), clampCoord(by)},
		Point{clampCoord(cx), clampCoord(cy)}, Point{clampCoord(dx), clampCoord(dy)}
}

// addSeeds adds one quadruple of points for every degenerate class.
func addSeeds(f *testing.F) {
	const m = int64(MaxCoord)
	for _, s := range [][8]int64{
		{0, 0, 10, 10, 0, 10, 10, 0}, // crossing
		{0, 0, 1, 1, 0, 1, 1, 0},     // crossing between lattice points
		{0, 0, 5, 5, 5, 5, 9, 0},     // common end
		{0, 0, 10, 0, 5, 0, 5, 5},    // T
		{0, 0, 5, 5, 3, 3, 9, 9},     // collinear, overlapping
		{0, 0, 2, 2, 3, 3, 9, 9},     // collinear, apart
		{0, 0, 5, 5, 5, 5, 9, 9},     // collinear, end to end
		{0, 0, 10, 0, 0, 1, 10, 1},   // horizontal
		{0, 0, 0, 10, 1, 0, 1, 10},   // vertical
		{4, 4, 4, 4, 4, 4, 4, 4},     // coincident
		{4, 4, 4, 4, 0, 0, 8, 8},     // a point and a segment through it
		{-m, -m, m, m, -m, m, m, -m}, // diagonals of the frame
		{-m, -m, m, -m, m, m, -m, m}, // corners of the frame
		{-m, 0, m, 1, -m, 1, m, 0},   // nearly parallel over the whole frame
		{-m, -m, m, m - 1, 0, 0, 1, 1},
	} {
		f.Add(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7])
	}
}

func FuzzOrient(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, ax, ay, bx, by, cx, cy, dx, dy int64) {
		a, b, c, d := fuzzPoints(ax, ay, bx, by, cx, cy, dx, dy)
		if got, want := sign(Orient(a, b, c)), refOrient(a, b, c).Sign(); got != want {
			t.Fatalf("Orient(%v, %v, %v) has sign %d, want %d", a, b, c, got, want)
		}
		if got, want := InCircle(a, b, c, d), refInCircle(a, b, c, d); got != want {
			t.Fatalf("InCircle(%v, %v, %v, %v) = %d, want %d", a, b, c, d, got, want)
		}
		checkInCone(t, d, a, b, c)
	})
}

func sign(v int64) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

func FuzzSegmentContact(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, ax, ay, bx, by, cx, cy, dx, dy int64) {
		a, b, c, d := fuzzPoints(ax, ay, bx, by, cx, cy, dx, dy)
		checkContact(t, a, b, c, d)
	})
}

func FuzzDistanceAndIntersection(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, ax, ay, bx, by, cx, cy, dx, dy int64) {
		a, b, c, d := fuzzPoints(ax, ay, bx, by, cx, cy, dx, dy)
		checkDistance(t, a, b, c, d)
		checkNearest(t, a, c, d)
		checkLineIntersection(t, a, b, c, d)
	})
}

func FuzzLocate(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, ax, ay, bx, by, cx, cy, dx, dy int64) {
		a, b, c, d := fuzzPoints(ax, ay, bx, by, cx, cy, dx, dy)
		checkLocate(t, Ring{a, b, c}, d)
		checkLocate(t, Ring{a, b, c, {a.Y, a.X}, {b.Y, -b.X}}, d)
	})
}
