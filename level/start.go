package level

import "github.com/meadow-nav/meadow/geom"

// KindStart is the kind of markers where agents begin, such as a map's places for players.
const KindStart = "start"

// Starts returns the middles of the markers of kind [KindStart], in their order.
func (l *Level) Starts() []geom.Vec {
	if l == nil {
		return nil
	}
	var starts []geom.Vec
	for _, m := range l.Markers {
		if m.Kind != KindStart || len(m.Hull) == 0 {
			continue
		}
		var sum geom.Vec
		for _, v := range m.Hull {
			sum = sum.Add(v)
		}
		starts = append(starts, sum.Scale(1/float64(len(m.Hull))))
	}
	return starts
}
