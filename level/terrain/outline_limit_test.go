package terrain

import (
	"strings"
	"testing"
)

// TestNoiseIsRefused checks that a chessboard of pixels is refused before its outlines are made, and that half a
// chessboard is accepted.
func TestNoiseIsRefused(t *testing.T) {
	const size = 2050 // 2 × 2050 × 2049 sides
	l := &labels{width: size, height: size, at: make([]uint16, size*size)}
	for i := range l.at {
		l.at[i] = uint16(1 + (i+i/size)%2)
	}
	if n := l.borders(1 << 30); n != 2*size*(size-1) {
		t.Errorf("%d sides", n)
	}
	if _, err := l.outlines([4]float64{0, 0, 1e4, 1e4}, 0); err == nil || !strings.Contains(err.Error(), "the picture is noise") {
		t.Errorf("got %v", err)
	}
}
