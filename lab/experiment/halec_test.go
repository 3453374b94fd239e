package experiment

import (
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
)

// TestDynamicRates holds the account of growth by steps on three kinds of worlds: coarse steps make twice the regions,
// most of them narrower than a step, and a dynamic rate down to one unit does not.
func TestDynamicRates(t *testing.T) {
	race.Skip(t)
	r := mustRun(t, "hale-c1", 2)
	for _, suffix := range []string{"", "_arena", inLine} {
		events := r.value(t, "events", "regions"+suffix)
		for _, x := range rates[1:] {
			cells, narrow := r.value(t, x.name, "regions"+suffix), r.value(t, x.name, "narrow"+suffix)
			switch steps := r.value(t, x.name, "steps"+suffix); {
			case !(steps > 0):
				t.Errorf("%s%s takes no steps", x.name, suffix)
			case x.resolution > 1 && !(cells > 1.5*events && narrow > cells/3):
				t.Errorf("%s%s: %g regions, %g of them narrow; from event to event %g", x.name, suffix, cells, narrow, events)
			case x.resolution == 1 && narrow > 0:
				t.Errorf("%s%s: %g regions narrower than a unit", x.name, suffix, narrow)
			}
		}
	}
	verdicts(t, &r, "holds holds holds")
}
