package geom

import (
	"math"
	"strings"
	"testing"
)

func TestAgentDefaults(t *testing.T) {
	want := Agent{Radius: 0.4, Height: 1.8, MaxClimb: 0.4, MaxSlope: Degrees(45), MaxGap: 0.2}
	if got := (Agent{}).WithDefaults(); got != want {
		t.Errorf("defaults %+v, want %+v", got, want)
	}
	if err := want.Validate(); err != nil {
		t.Error(err)
	}
	point := Agent{Radius: PointRadius, Height: 1, MaxClimb: NoClimb, MaxSlope: 0.1, MaxGap: NoGap}
	if got, want := point.WithDefaults(), (Agent{Height: 1, MaxSlope: 0.1}); got != want {
		t.Errorf("a point that climbs nothing: %+v, want %+v", got, want)
	} else if err := got.Validate(); err != nil {
		t.Error(err)
	}
	own := Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: 0.5, MaxGap: 0.3}
	if got := own.WithDefaults(); got != own {
		t.Errorf("own values become %+v", got)
	}
	for _, c := range []struct{ radius, climb, want float64 }{
		{0.6, 0.9, 0.45}, {0.3, 0.9, 0.3}, {0.6, 0.02, LeastGap}, {PointRadius, 0.9, LeastGap},
	} {
		if got := (Agent{Radius: c.radius, MaxClimb: c.climb}).WithDefaults().MaxGap; got != c.want {
			t.Errorf("radius %g, climb %g: default gap %g, want %g", c.radius, c.climb, got, c.want)
		}
	}
}

// A zero of a literal agent stays zero, and other fields stay as they are.
func TestAgentLiteral(t *testing.T) {
	for _, a := range []Agent{
		{Height: 1},
		{Radius: 0.3, Height: 2, MaxClimb: 0.9, MaxSlope: 0.5, MaxGap: 0.3},
		{Radius: 0.3, Height: 2, MaxClimb: 0.9, MaxSlope: 0.5},
	} {
		got := a.Literal().WithDefaults()
		if math.Abs(got.MaxSlope-a.MaxSlope) > 1e-6 {
			t.Errorf("%+v: slope becomes %g", a, got.MaxSlope)
		}
		if got.MaxSlope = a.MaxSlope; got != a {
			t.Errorf("%+v becomes %+v", a, got)
		}
	}
}

func TestAgentValidate(t *testing.T) {
	good := Agent{}.WithDefaults()
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name   string
		change func(*Agent)
		want   []string
	}{
		{"radius at its limits", func(a *Agent) { a.Radius = 100 }, nil},
		{"no radius", func(a *Agent) { a.Radius = 0 }, nil},
		{"no slope", func(a *Agent) { a.MaxSlope = 0 }, nil},
		{"no climb", func(a *Agent) { a.MaxClimb = 0 }, nil},
		{"negative radius", func(a *Agent) { a.Radius = -0.1 }, []string{"agent: radius is -0.1, must be 0 to 100 m"}},
		{"radius too large", func(a *Agent) { a.Radius = 100.1 }, []string{"radius"}},
		{"radius not a number", func(a *Agent) { a.Radius = nan }, []string{"radius is NaN"}},
		{"height zero", func(a *Agent) { a.Height = 0 }, []string{"height", "climb"}},
		{"height negative", func(a *Agent) { a.Height, a.MaxClimb = -1, 0 }, []string{"height", "climb"}},
		{"height infinite", func(a *Agent) { a.Height = inf }, []string{"height is +Inf"}},
		{"climb of the height", func(a *Agent) { a.MaxClimb = a.Height }, []string{"climb is 1.8, must be 0 to below the height"}},
		{"climb negative", func(a *Agent) { a.MaxClimb = -1 }, []string{"climb"}},
		{"climb not a number", func(a *Agent) { a.MaxClimb = nan }, []string{"climb"}},
		{"slope of a wall", func(a *Agent) { a.MaxSlope = Degrees(90) }, []string{"slope is 90, must be 0 to 89.9 degrees"}},
		{"slope in degrees", func(a *Agent) { a.MaxSlope = 45 }, []string{"slope"}},
		{"all wrong", func(a *Agent) { *a = Agent{nan, nan, nan, nan, nan} }, []string{"radius", "height", "climb", "slope", "gap"}},
		{"no gap", func(a *Agent) { a.MaxGap = 0 }, nil},
		{"gap negative", func(a *Agent) { a.MaxGap = -0.1 }, []string{"agent: gap is -0.1, must be 0 to 10 m"}},
		{"gap infinite", func(a *Agent) { a.MaxGap = inf }, []string{"gap is +Inf"}},
		{"gap not a number", func(a *Agent) { a.MaxGap = nan }, []string{"gap is NaN"}},
	} {
		a := good
		c.change(&a)
		err := a.Validate()
		if len(c.want) == 0 {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: valid", c.name)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != len(c.want) {
			t.Errorf("%s: %q, want %q", c.name, lines, c.want)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(lines[i], want) {
				t.Errorf("%s: %q does not tell %q", c.name, lines[i], want)
			}
		}
	}
}

func TestDegrees(t *testing.T) {
	if Degrees(180) != math.Pi || Degrees(45) != math.Pi/4 || Degrees(0) != 0 {
		t.Errorf("180° is %g", Degrees(180))
	}
}
