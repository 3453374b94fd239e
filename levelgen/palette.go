package levelgen

import "math"

// palette gives the colour of every material as sRGB. The names say what the surface is, so that a
// rule on material names can set area classes.
var palette = map[string]uint32{
	"asphalt_road":   0x6b6f76,
	"brick_red":      0xb5705a,
	"brick_roof":     0xa8604c,
	"concrete":       0xb9b5ac,
	"concrete_floor": 0xd2cec4,
	"concrete_ramp":  0xc6bda9,
	"concrete_steps": 0xd9d2c2,
	"dirt":           0xa58b68,
	"foliage":        0x6f9a58,
	"foliage_dark":   0x557f4b,
	"glass_car":      0x8fa9b8,
	"grass":          0x9dbb74,
	"gravel":         0xc9bda3,
	"hedge":          0x6c8f55,
	"metal":          0x8d949b,
	"paint_blue":     0x5f86ad,
	"paint_red":      0xb65a52,
	"paint_white":    0xe9e6df,
	"paint_yellow":   0xd9b45b,
	"paving":         0xcfc7b8,
	"plaster":        0xe6ddcb,
	"plaster_rose":   0xdfc0ad,
	"plaster_yellow": 0xe3cf9f,
	"rock":           0x9a938a,
	"roof_flat":      0xa7a49e,
	"sand":           0xdcc99b,
	"slate_roof":     0x737f8c,
	"stone":          0xbcb3a2,
	"stone_floor":    0xd6cdbb,
	"tile_floor":     0xdcd0bd,
	"wall":           0xece7dc,
	"water":          0x7fb0c4,
	"wood":           0xa97f56,
	"wood_dark":      0x80603f,
	"wood_floor":     0xcfa878,
	"wood_light":     0xc9a274,
}

// linear turns 0xRRGGBB into the linear colour that level.Material holds. Values are multiples of
// 2⁻¹², which hides the last bits of the power in which machines differ.
func linear(rgb uint32) [4]float32 {
	var out [4]float32
	for i := range 3 {
		c := float64(rgb>>(16-8*i)&0xff) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		out[i] = float32(snap(c))
	}
	out[3] = 1
	return out
}
