package slow

import "testing"

func TestCount(t *testing.T) {
	for _, c := range []struct {
		variable string
		want     int
	}{{"", 3}, {"1", 40}, {"yes", 40}, {"7", 40}, {"0.5", 22}, {"0.01", 3}} {
		t.Setenv("MEADOW_SLOW", c.variable)
		if got := Count(3, 40); got != c.want || Enabled() != (c.variable != "") {
			t.Errorf("MEADOW_SLOW=%q: %d cases, long form %t", c.variable, got, Enabled())
		}
	}
}
