package metric

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
)

// Number is a measure. An unknown Number is NaN, and some definitions give infinity; JSON has null for both, and six
// digits after the point for all others.
type Number float64

// Known reports whether x is a finite number.
func (x Number) Known() bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }

// MarshalJSON writes the number, or null.
func (x Number) MarshalJSON() ([]byte, error) {
	if !x.Known() {
		return []byte("null"), nil
	}
	return json.Marshal(math.Round(float64(x)*1e6)/1e6 + 0)
}

var (
	unknown  = Number(math.NaN())
	infinite = Number(math.Inf(1))
)

// Distribution describes a sample as in the tables and box plots of the source. Quartiles are interpolated between the
// two nearest values (Hyndman and Fan's type 7). All fields but Count are unknown for an empty sample.
type Distribution struct {
	Count int    `json:"count"`
	Mean  Number `json:"mean"`
	// SD is the standard deviation with divisor n-1, as in the source's tables: the places of table 6.5 with a mean of
	// 1.338 allow a deviation of 0.477 only in this way, see TestPublishedDeviation. 0 for one value.
	SD     Number `json:"sd"`
	Min    Number `json:"min"`
	Q1     Number `json:"q1"`
	Median Number `json:"median"`
	Q3     Number `json:"q3"`
	Max    Number `json:"max"`
	// Whiskers are the least and the greatest value within one and a half times Q3 - Q1 of the box.
	Whiskers [2]Number `json:"whiskers"`
	// Outliers are beyond the whiskers, Extremes beyond three times Q3 - Q1; both ascending.
	Outliers []Number `json:"outliers"`
	Extremes []Number `json:"extremes"`
}

// describe sums in the order of the sample and leaves the sample unchanged. Time O(n log n).
func describe(sample []float64) Distribution {
	d := Distribution{
		Count: len(sample), Mean: unknown, SD: unknown, Min: unknown, Q1: unknown, Median: unknown,
		Q3: unknown, Max: unknown, Whiskers: [2]Number{unknown, unknown}, Outliers: []Number{}, Extremes: []Number{},
	}
	n := len(sample)
	if n == 0 {
		return d
	}
	mean := 0.0
	for _, x := range sample {
		mean += x
	}
	mean /= float64(n)
	square := 0.0
	for _, x := range sample {
		square += float64((x - mean) * (x - mean))
	}
	d.Mean, d.SD = Number(mean), Number(math.Sqrt(square/float64(max(n-1, 1))))

	sorted := slices.Clone(sample)
	slices.SortFunc(sorted, cmp.Compare[float64])
	q1, q3 := quantile(sorted, 0.25), quantile(sorted, 0.75)
	d.Min, d.Max = Number(sorted[0]), Number(sorted[n-1])
	d.Q1, d.Median, d.Q3 = Number(q1), Number(quantile(sorted, 0.5)), Number(q3)
	first := true
	for _, x := range sorted {
		switch away := max(q1-x, x-q3); {
		case away > 3*(q3-q1):
			d.Extremes = append(d.Extremes, Number(x))
		case away > 1.5*(q3-q1):
			d.Outliers = append(d.Outliers, Number(x))
		default:
			if first {
				d.Whiskers[0], first = Number(x), false
			}
			d.Whiskers[1] = Number(x)
		}
	}
	return d
}

// quantile returns the value at a share of the sorted sample.
func quantile(sorted []float64, share float64) float64 {
	at := share * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + float64((sorted[i+1]-sorted[i])*(at-float64(i)))
}

// Bin is a group of a histogram: values above Low up to and including High, unless its histogram states otherwise.
type Bin struct {
	Low   Number `json:"low"`
	High  Number `json:"high"` // infinite for the last group of an open range
	Count int    `json:"count"`
}

// tally counts the occurrences of 0, 1, 2 …; the last of limit groups takes all larger values, and empty groups at the
// end are left out.
func tally(sample []int, limit int) []int {
	out := []int{}
	for _, n := range sample {
		n = min(n, limit-1)
		for len(out) <= n {
			out = append(out, 0)
		}
		out[n]++
	}
	return out
}

func floats(sample []int) []float64 {
	out := make([]float64, len(sample))
	for i, n := range sample {
		out[i] = float64(n)
	}
	return out
}
