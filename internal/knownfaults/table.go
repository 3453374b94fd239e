package knownfaults

// apron is why floors of raster extraction jump beside seams.
const apron = "columns of another storey overhang the border of a layer by up to 7 mm; a floor's height comes from its own storey, never from the highest triangle"

// faults is the list. A line says what is done wrong and which principle would prevent it.
var faults = []fault{
	{
		level: "carpark", extract: "exact", radii: []float64{0.1}, law: "floor",
		reason: "an end of a portal has the height of the storey below, as in scene S1; heights come from the domain and its border edge, not from the place",
	},
	{level: "carpark", extract: "raster", radii: []float64{0.4}, law: "floor", reason: apron},
	{level: "oa_shouse.obj", extract: "raster", radii: []float64{0.6}, law: "floor", reason: apron},
	{level: "rts", extract: "raster", radii: []float64{0.4}, law: "floor", reason: apron},
}
