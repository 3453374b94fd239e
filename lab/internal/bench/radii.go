package bench

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseRadii reads numbers of metres, 0 or more, with commas between them.
func ParseRadii(text string) ([]float64, error) {
	var radii []float64
	for field := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil || !(v >= 0) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("radius %q: must be a number of metres, 0 or more", field)
		}
		radii = append(radii, v)
	}
	return radii, nil
}
