package metric

import (
	"math"
	"slices"
	"testing"
)

func TestThresholds(t *testing.T) {
	// An L of three squares: no complaints except unknown values.
	mesh := one(t, ring(0, 0, 4, 0, 4, 2, 2, 2, 2, 4, 0, 4), box(0, 0, 2, 2), box(2, 0, 4, 2), box(0, 2, 2, 4))
	r := measure(t, mesh, Options{ObjectRadius: 0.5})
	for _, c := range r.Check(Thresholds()) {
		if want := map[bool]string{true: Unknown, false: Pass}[c.Name == "coverage"]; c.Verdict != want {
			t.Errorf("%v: %s, want %s", c.Threshold, c.Verdict, want)
		}
	}
	whole := measure(t, one(t, box(0, 0, 4, 2), box(0, 0, 4, 2)), Options{})
	if c := whole.Check([]Threshold{{Name: "degree.isolated"}})[0]; c.Verdict != Pass {
		t.Errorf("a floor of one region: %+v", c)
	}
	// A mesh with every fault.
	bad := Result{
		Coverage: Coverage{Value: 0.94}, Degree: Degree{Isolated: 1}, Diameter: Diameter{Value: infinite, Parts: 2},
		AreaSizes: AreaSizes{Below: 1}, MinimumAngle: MinimumAngle{Acute: 1}, Placement: Placement{None: 1},
	}
	for _, c := range bad.Check(Thresholds()) {
		if c.Verdict != Fail {
			t.Errorf("%v: %s", c.Threshold, c.Verdict)
		}
	}
	if c := bad.Check([]Threshold{{Name: "diameter", Limit: 1e300}})[0]; c.Verdict != Fail {
		t.Errorf("an infinite diameter: %+v", c)
	}
	if c := bad.Check([]Threshold{{Name: "coverage", AtLeast: true, Limit: 0.94}})[0]; c.Verdict != Pass {
		t.Errorf("at the limit: %+v", c)
	}
}

func TestParseThreshold(t *testing.T) {
	for _, test := range []struct {
		text string
		want Threshold
	}{
		{"coverage>=0.99", Threshold{Name: "coverage", AtLeast: true, Limit: 0.99}},
		{" regions <= 40 ", Threshold{Name: "regions", Limit: 40}},
		{"degree.isolated<=0", Threshold{Name: "degree.isolated"}},
	} {
		got, err := ParseThreshold(test.text)
		if err != nil || got != test.want {
			t.Errorf("%q is %+v, %v", test.text, got, err)
		}
		if again, err := ParseThreshold(got.String()); err != nil || again != got {
			t.Errorf("%v is not read as it is written: %+v, %v", got, again, err)
		}
	}
	for _, text := range []string{"", "coverage", "coverage=1", "covrage>=1", "coverage>=x", "coverage>=NaN", "coverage<=1e999"} {
		if got, err := ParseThreshold(text); err == nil {
			t.Errorf("%q is taken as %+v", text, got)
		}
	}
}

func TestNamed(t *testing.T) {
	names := Names()
	if len(names) != len(slices.Compact(slices.Sorted(slices.Values(names)))) {
		t.Errorf("names are not different: %q", names)
	}
	r := measure(t, one(t, box(0, 0, 4, 2), box(0, 0, 4, 2)), Options{})
	for _, name := range names {
		if _, ok := r.Named(name); !ok {
			t.Errorf("%s has no value", name)
		}
	}
	if v, ok := r.Named("regions"); !ok || v != 1 {
		t.Errorf("regions are %v", v)
	}
	if v, ok := r.Named("nothing"); ok || !math.IsNaN(float64(v)) {
		t.Errorf("nothing is %v", v)
	}
}
