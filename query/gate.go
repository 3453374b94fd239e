package query

// Gates are the crossings of ways over uneven ground: portals by their number, followed by links by their index in the
// mesh.

func (ix *geometry) gateCount() int { return len(ix.portals) + len(ix.ground.links) }

// linkOf returns the link of a gate, nil for a portal.
func (ix *geometry) linkOf(gate int32) *linkGate {
	if i := int(gate) - len(ix.portals); i >= 0 {
		return &ix.ground.links[i]
	}
	return nil
}

// before returns the region on the near side of a gate.
func (ix *geometry) before(gate int32) uint32 {
	if l := ix.linkOf(gate); l != nil {
		return l.from
	}
	return ix.portals[ix.portals[gate].back].to
}

// after returns the region on the far side of a gate.
func (ix *geometry) after(gate int32) uint32 {
	if l := ix.linkOf(gate); l != nil {
		return l.to
	}
	return ix.portals[gate].to
}

// tollOf returns the cost of crossing a gate.
func (ix *geometry) tollOf(gate int32) float64 {
	if l := ix.linkOf(gate); l != nil {
		return l.cost
	}
	return 0
}

// sidesOf returns the segments where ways arrive at a gate and where they continue.
func (ix *geometry) sidesOf(gate int32) (in, out *segment) {
	g := ix.ground
	if i := int(gate) - len(ix.portals); i >= 0 {
		return &g.sides[gate], &g.sides[int(gate)+len(g.links)]
	}
	return &g.sides[gate], &g.sides[gate]
}
