package knownfaults

// Reasons that several lines share.
const (
	apron = "columns of another storey overhang the border of a layer by millimetres; " +
		"a floor's height comes from its own storey, never from the highest triangle"
)

// faults is the list. Each reason names the mistake and the principle against it.
var faults = []fault{
	{level: "carpark", extract: "raster", radii: []float64{0.4}, law: "floor", reason: apron},
	{level: "oa_shouse.obj", extract: "raster", radii: []float64{0.6}, law: "floor", reason: apron},
	{level: "rts", extract: "raster", radii: []float64{0.4}, law: "floor", reason: apron},
}
