package slow

import "testing"

func TestCount(t *testing.T) {
	for _, c := range []struct {
		variable string
		want     int
	}{{"", 3}, {"1", 40}} {
		t.Setenv("MEADOW_SLOW", c.variable)
		if got := Count(3, 40); got != c.want || Enabled() != (c.want == 40) {
			t.Errorf("MEADOW_SLOW=%q: %d cases, long form %t", c.variable, got, Enabled())
		}
	}
}
