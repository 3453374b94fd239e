package exact

import "math"

// A crack between two floors that rise beside each other, over a lower floor: where the drop passes a step, the crack becomes a gap.
// The drop passes the step at another place on either floor, because one of the floors is higher there. Between both places the
// crack is a gap for one floor and no gap for the other. No bridge begins there, and a drop of a few millimetres would keep the agent
// a radius away. A bridge over a narrow crack begins at the first of both places.

// early is the greatest length by which a bridge over a crack no wider than a pinhole begins early: floors on both sides of a pinhole
// differ in height by a pinhole where they rise across the crack at 45°, and rise by as much on four pinholes where they rise along
// the crack at 14°.
const early = 4 * pinhole

// begin adds the part of a bridge between the start of p and the end of q that only one of the two has as a brink.
func (b *builder) begin(p, q *brink) {
	if p.a.Distance2(q.b.Point) > (pinhole+early)*(pinhole+early) || !parallel(p, q) {
		return
	}
	c, d := p.course(), q.course()
	along, out := c.place(p.a.Point, q.b.Point)
	past, back := d.place(q.a.Point, p.a.Point)
	past -= d.length
	if out <= 0 || out > pinhole || back <= 0 || back > pinhole || max(-along, past) <= outward || max(math.Abs(along), math.Abs(past)) > early {
		return
	}
	first, second := *p, *q
	if along < 0 {
		start := first.onRim(max(first.a.Distance(first.rim[0].Point)+along, 0))
		first.a, first.ends[0] = start.Vertex, start.id
	}
	if past > 0 {
		end := second.onRim(min(second.rim[0].Distance(second.b.Point)+past, second.rim[0].Distance(second.rim[1].Point)))
		second.b, second.ends[1] = end.Vertex, end.id
	}
	length := second.a.Distance(second.b.Point)
	v := view{[2]float64{0, math.Abs(along)}, [2]float64{length, length - math.Abs(past)}}
	// The lower floor is a step below one end of the part.
	spans := b.appendSpans(nil, &first, &second, &v)
	for i := range spans {
		if b.isStepped(&spans[i], p, q) {
			return
		}
	}
	b.spans = append(b.spans, spans...)
}

// isStepped reports whether a floor is on the way over the begin of a bridge, and clearly less than a step below.
func (b *builder) isStepped(s *span, p, q *brink) bool {
	found := false
	b.within(s, p, q, b.climb-early-pinhole, func(*piece) bool {
		found = true
		return true
	})
	return found
}
