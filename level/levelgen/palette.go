package levelgen

import "github.com/meadow-nav/meadow/level"

// palette gives the colour of every material as sRGB. The names describe the surface, so a rule on material
// names can set area classes.
var palette = map[string]uint32{
	"alley_cobblestone":       0xb3a48f,
	"asphalt_road":            0x6b6f76,
	"brick_red":               0xb5705a,
	"brick_roof":              0xa8604c,
	"bridge_wood_planks":      0xa57b4f,
	"cliff_chalk_white":       0xe8e6de,
	"concrete":                0xb9b5ac,
	"concrete_floor":          0xd2cec4,
	"concrete_ramp":           0xc6bda9,
	"concrete_steps":          0xd9d2c2,
	"crosswalk_zebra":         0xf0eee6,
	"curb_granite":            0x9a9a9c,
	"dirt":                    0xa58b68,
	"driveway_cobble":         0xa49a8c,
	"foliage":                 0x6f9a58,
	"foliage_dark":            0x557f4b,
	"glass_car":               0x8fa9b8,
	"grass":                   0x9dbb74,
	"grass_meadow_01":         0x93b56a,
	"grass_park_lawn":         0x8fbd6c,
	"gravel":                  0xc9bda3,
	"hedge":                   0x6c8f55,
	"metal":                   0x8d949b,
	"mud_field_wet":           0x7d6247,
	"paint_blue":              0x5f86ad,
	"paint_red":               0xb65a52,
	"paint_white":             0xe9e6df,
	"paint_yellow":            0xd9b45b,
	"parking_asphalt_marked":  0x7f838a,
	"path_gravel_fine":        0xd2c3a0,
	"paving":                  0xcfc7b8,
	"plaster":                 0xe6ddcb,
	"plaster_rose":            0xdfc0ad,
	"plaster_yellow":          0xe3cf9f,
	"plaza_paving_slabs":      0xd6cec0,
	"river_ford_gravel":       0xa9b8a8,
	"river_water":             0x6aa2bf,
	"road_asphalt_02":         0x63676e,
	"road_cobble_01":          0xa89c8b,
	"road_gravel_track":       0xc2b08c,
	"rock":                    0x9a938a,
	"roof_flat":               0xa7a49e,
	"sand":                    0xdcc99b,
	"sidewalk_concrete_tiles": 0xc4c0b6,
	"slate_roof":              0x737f8c,
	"stone":                   0xbcb3a2,
	"stone_floor":             0xd6cdbb,
	"tile_floor":              0xdcd0bd,
	"wall":                    0xece7dc,
	"water":                   0x7fb0c4,
	"water_pond_shallow":      0x7fb4c8,
	"wood":                    0xa97f56,
	"wood_dark":               0x80603f,
	"wood_floor":              0xcfa878,
	"wood_light":              0xc9a274,
}

// linear turns 0xRRGGBB into the linear colour that level.Material holds. Values are multiples of 2⁻¹². The
// rounding hides the last bits of the power, which differ between machines.
func linear(rgb uint32) [4]float32 {
	var out [4]float32
	for i := range 3 {
		c := float64(rgb>>(16-8*i)&0xff) / 255
		out[i] = float32(snap(level.Linear(c)))
	}
	out[3] = 1
	return out
}
