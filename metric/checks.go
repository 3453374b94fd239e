package metric

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Threshold is a limit for a value of a mesh.
type Threshold struct {
	// Name is the name of the value: one of [Names].
	Name string `json:"name"`
	// AtLeast says that values below Limit fail; otherwise values above Limit fail.
	AtLeast bool   `json:"at_least"`
	Limit   Number `json:"limit"`
	// Discard marks the thresholds for which the source discards a mesh; the source calls the others trouble.
	Discard bool `json:"discard"`
}

// String returns the threshold in the syntax of [ParseThreshold].
func (t Threshold) String() string {
	op := "<="
	if t.AtLeast {
		op = ">="
	}
	return fmt.Sprintf("%s%s%g", t.Name, op, float64(t.Limit))
}

// Thresholds returns the thresholds of chapter 6 of the source: coverage of 95 % (section 6.2), no region without a
// neighbour (6.4), no unconnected part, which makes the diameter infinite (6.10); and no region below α (6.3), with an
// angle below 10° (6.7) or without room for one object (6.8).
func Thresholds() []Threshold {
	return []Threshold{
		{Name: "coverage", AtLeast: true, Limit: 0.95, Discard: true},
		{Name: "degree.isolated", Discard: true},
		{Name: "diameter.parts", Limit: 1, Discard: true},
		{Name: "area_sizes.below_alpha"},
		{Name: "minimum_angle.below_10_degrees"},
		{Name: "object_placement.none"},
	}
}

// Check is a threshold with the value and verdict of a mesh.
type Check struct {
	Threshold
	Value Number `json:"value"`
	// Verdict is "pass", "fail" or, for an unknown value, "unknown".
	Verdict string `json:"verdict"`
}

// The verdicts.
const (
	Pass    = "pass"
	Fail    = "fail"
	Unknown = "unknown"
)

// Check compares r with thresholds. An infinite value is above every limit.
func (r *Result) Check(thresholds []Threshold) []Check {
	out := make([]Check, len(thresholds))
	for i, t := range thresholds {
		value, _ := r.Named(t.Name)
		out[i] = Check{t, value, Pass}
		switch {
		case math.IsNaN(float64(value)):
			out[i].Verdict = Unknown
		case t.AtLeast && value < t.Limit, !t.AtLeast && value > t.Limit:
			out[i].Verdict = Fail
		}
	}
	return out
}

// named lists the values with a name besides the twelve: counts that the source warns of, and ours.
var named = []struct {
	name  string
	value func(*Result) Number
}{
	{"degree.isolated", isolated},
	{"degree.dead_ends", func(r *Result) Number { return Number(r.Degree.DeadEnds) }},
	{"diameter.parts", func(r *Result) Number { return Number(r.Diameter.Parts) }},
	{"area_sizes.below_alpha", func(r *Result) Number { return Number(r.AreaSizes.Below) }},
	{"homogeneity.mean", func(r *Result) Number { return r.Homogeneity.Mean }},
	{"homogeneity.longest", func(r *Result) Number { return r.Homogeneity.Longest }},
	{"minimum_angle.below_10_degrees", func(r *Result) Number { return Number(r.MinimumAngle.Acute) }},
	{"object_placement.none", func(r *Result) Number { return Number(r.Placement.None) }},
	{"near_degenerate", func(r *Result) Number { return Number(r.Extras.NearDegenerate.Regions) }},
	{"t_junctions", func(r *Result) Number { return Number(r.Extras.TJunctions) }},
	{"regions_per_bound", func(r *Result) Number { return r.Extras.Ratio }},
	{"border_error", func(r *Result) Number { return r.Extras.Border.Value }},
	{"path_efficiency", func(r *Result) Number { return r.Extras.Paths.Value }},
	{"bytes_per_m2", func(r *Result) Number { return r.Extras.BytesPerArea }},
}

// isolated is the number of regions without the neighbours they should have; a floor of one region is whole.
func isolated(r *Result) Number {
	if r.Regions.Value == 1 {
		return 0
	}
	return Number(r.Degree.Isolated)
}

// Names lists the values that a threshold can limit: the twelve, then the others.
func Names() []string {
	var out []string
	for k := range Kind(Kinds) {
		out = append(out, k.String())
	}
	for _, n := range named {
		out = append(out, n.name)
	}
	return out
}

// Named returns the value with the given name, one of [Names].
func (r *Result) Named(name string) (Number, bool) {
	for k := range Kind(Kinds) {
		if k.String() == name {
			return r.Value(k), true
		}
	}
	for _, n := range named {
		if n.name == name {
			return n.value(r), true
		}
	}
	return unknown, false
}

// ParseThreshold reads "name>=limit" or "name<=limit".
func ParseThreshold(text string) (Threshold, error) {
	for _, op := range [2]string{">=", "<="} {
		name, limit, ok := strings.Cut(text, op)
		if !ok {
			continue
		}
		t := Threshold{Name: strings.TrimSpace(name), AtLeast: op == ">="}
		if _, known := (&Result{}).Named(t.Name); !known {
			return t, fmt.Errorf("metric: nothing is named %q, there are %s", t.Name, strings.Join(Names(), ", "))
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(limit), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return t, fmt.Errorf("metric: the limit of %s is %q, must be a number", t.Name, limit)
		}
		t.Limit = Number(v)
		return t, nil
	}
	return Threshold{}, fmt.Errorf("metric: %q is no threshold, as in coverage>=0.95", text)
}
