package exact

// The lengths by which rounding and constructions may move things. All are lattice units of 2⁻¹² m, 0.24 mm. Rounding
// moves a place by at most 0.71 units. A constructed end, a corner that is rounded and then rounded again, moves by 1.42.
// lab/bench/mutants halves and doubles each value and names the tests that notice.

// touching is the greatest distance, after rounding, of two things that touched before: twice 0.71, up to a whole unit.
const touching = 2

// outward is the reach beyond an edge of the search for a floor that continues the edge. At twice touching, rounding
// makes no edge its own neighbour, and a crack of a millimetre is no crack.
const outward = 2 * touching

// hairs is the widest crack that rounding leaves between floors that touch: outward on either side. Cracks up to hairs are filled.
const hairs = 2 * outward

// halfCrack is how far beyond a side with a filled crack the obstacles of a floor may be: half of hairs, and a unit as for obstacles on a border.
const halfCrack = hairs/2 + 1

// strip is the greatest width of a crack over which a look outward finds the floor on the other side: outward, a unit by which floors count as
// wider, and a unit of rounding.
const strip = outward + touching

// across is the distance from a rim at which the rim looks for drops on the other side of a crack. A crack is filled up to hairs, and rounding
// brings the sides of a crack nearer to each other by touching.
const across = hairs + touching

// pinhole is the greatest extent of a hole that no pocket fills: a side of the hole no longer than meeting may have no brink, because rims
// at both its ends are within outward. Four such sides go around a hole.
const pinhole = 4 * meeting

// stub is the length of a brink from which on the brink's own normals make a bridge. A bridge that ends where the gap gets too wide is at least
// half as wide. The ends of brinks are hairs and more off where two rims cross at a small angle. A narrower bridge comes and goes with
// rounding, and whole pockets with the bridge.
const stub = 3 * hairs

// crack is the width of the widest gap with a bridge whatever lies beneath: 2 cm. Nobody steps into such a gap, and the floor beneath would
// take the place around the gap away where a wall stands across it.
const crack = 80

// widestBar is the width up to which a floor counts whole on the way over a gap. A bar is two triangles. Less outward at their sides, the two cover less
// than half of a bar's length each where the bar is no wider than four times outward. Rounding moves either side of a bar by touching.
const widestBar = 4*outward + 2*touching

// hiding is the least height at which an upper floor hides the lower floor. Over the width of a constructed end,
// heights on a slope of 45° differ by 1.42, on the steepest slopes by several units; 8 units are 2 mm.
const hiding = 8

// buried is the depth under another floor at which the rim of a floor is no border of what shows. Where two floors join at a rim, the
// upper floor begins no deeper than the look outward, after rounding on either side: twice outward, and outward for the look behind. A floor no more than twice hiding higher buries nothing.
const buried = 3 * outward

// overlapping is twice the least area, in square units, of an overlap between two triangles: a square with sides of
// outward. A smaller overlap is a touch.
const overlapping = 2 * outward * outward

// bend is the greatest distance of a vertex from the line between its neighbours that rounding explains: touching.
const bend = touching

// floorReach is the greatest distance between a border and its floor, after three overlays of less than a unit each and
// a constructed end.
const floorReach = 4

// along is the least length of an edge of a patch whose middle shows which floors the edge follows. A floor within floorReach of an end is
// no nearer than floorReach to the middle if the floor goes back.
const along = 4 * floorReach

// reach is the greatest distance from a floor at which the floor's height is known: 6 cm. Storeys at least the agent's
// height apart are in different layers where the storeys are nearer than reach in the plan.
const reach = 256

// beyondLink is the greatest distance from a link between two layers at which their floors border on each other. Splinters
// that one layer hands to the other are narrower. Within a quarter of reach both layers have
// no storey that is the agent's height above or below the link.
const beyondLink = reach / 4

// besideStorey is the least distance of two storeys that fusing may put into one layer. Either border is off by floorReach,
// and a place takes its height from the highest floor of the layer within floorReach.
const besideStorey = 2 * floorReach

// splinter is the mean width of a polygon between two layers below which one layer hands the polygon to the other. Both sides
// are off by hairs at most.
const splinter = 2 * hairs

// leastWidth is the least mean width of a polygon of floor. Rounding moves either side by touching.
const leastWidth = 2 * touching

// leastIsland is the least mean width of an island of floor where the agent is a point. Rounding moves either side of a sliver by
// touching, and the fill of the hairline along the sliver goes touching beyond either side.
const leastIsland = 4 * touching

// wideSlit is the reach of a slit where the agent is a point. The fill of a hairline goes touching beyond the end of a slit,
// and rounding moves the floor beyond by as much.
const wideSlit = 2 * touching

// blunt is the width of a dead end below which the end is cut off. Rounding leaves such ends between footprints that almost
// meet, where a layer hands a splinter over, and where a seam runs into a wall.
const blunt = 2 * touching

// hairLength is the length from which a part of the floor no wider than blunt is a hair. Edges of a corner of less than 4° face each other
// as long, and the corners that decompositions make of exact borders stay as they are.
const hairLength = 16 * blunt

// remoteness is the distance from all covers of a triangle from which an obstacle over the triangle is not cut. Fills of hairlines between
// covers reach hairs beyond a cover, and rounding moves either by touching.
const remoteness = hairs + 2*touching

// splinterSlope is the slope from which on the plane of a walkable triangle says nothing about heights beside the triangle: a splinter of a pocket
// between floors at different heights, or a steep patch. Slopes that agents walk end far below, at 83°.
const splinterSlope = 8
