package bsp

import (
	"encoding/binary"
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// builder makes level files for tests: it writes everything as given, right or wrong.
type builder struct {
	version  uint32
	entities string
	textures []texture
	planes   []plane
	nodes    []node
	clusters []int32
	models   []model
	brushes  []brush
	sides    []brushSide
	vertices []vertex
	indices  []int32
	faces    []face
}

// record32 appends 32-bit values: integers as they are, floats as float32.
func record32(to []byte, values ...any) []byte {
	for _, v := range values {
		switch v := v.(type) {
		case int:
			to = binary.LittleEndian.AppendUint32(to, uint32(v))
		case int32:
			to = binary.LittleEndian.AppendUint32(to, uint32(v))
		case uint32:
			to = binary.LittleEndian.AppendUint32(to, v)
		case float64:
			to = binary.LittleEndian.AppendUint32(to, math.Float32bits(float32(v)))
		case geom.Vec:
			to = record32(to, v.X, v.Y, v.Z)
		case []byte:
			to = append(to, v...)
		}
	}
	return to
}

// encode returns the file.
func (b *builder) encode() []byte {
	var lump [lumpsInUse][]byte
	lump[lumpEntities] = []byte(b.entities)
	for _, t := range b.textures {
		name := make([]byte, 64)
		copy(name, t.name)
		lump[lumpTextures] = record32(lump[lumpTextures], name, t.flags, t.contents)
	}
	for _, p := range b.planes {
		lump[lumpPlanes] = record32(lump[lumpPlanes], p.normal, p.offset)
	}
	for _, n := range b.nodes {
		lump[lumpNodes] = record32(lump[lumpNodes], n.plane, n.children[0], n.children[1], make([]byte, 24))
	}
	for _, c := range b.clusters {
		lump[lumpLeaves] = record32(lump[lumpLeaves], c, make([]byte, 44))
	}
	for _, m := range b.models {
		lump[lumpModels] = record32(lump[lumpModels], m.min, m.max, m.firstFace, m.faces, m.firstBrush, m.brushes)
	}
	for _, s := range b.brushes {
		lump[lumpBrushes] = record32(lump[lumpBrushes], s.firstSide, s.sides, s.texture)
	}
	for _, s := range b.sides {
		lump[lumpSides] = record32(lump[lumpSides], s.plane, s.texture)
	}
	for _, v := range b.vertices {
		lump[lumpVertices] = record32(lump[lumpVertices], v.position, make([]byte, 16), v.normal, make([]byte, 4))
	}
	for _, i := range b.indices {
		lump[lumpMeshVerts] = record32(lump[lumpMeshVerts], i)
	}
	for _, f := range b.faces {
		lump[lumpFaces] = record32(
			lump[lumpFaces], f.texture, -1, f.kind, f.firstVertex, f.vertices, f.firstIndex, f.indices,
			make([]byte, 68), f.width, f.height,
		)
	}
	version := b.version
	if version == 0 {
		version = 46
	}
	data := record32([]byte("IBSP"), version)
	at := directoryStart + lumpsInUse*lumpEntry
	for _, l := range lump {
		data = record32(data, at, len(l))
		at += len(l)
	}
	for _, l := range lump {
		data = append(data, l...)
	}
	return data
}

func (b *builder) texture(name string, flags, contents uint32) int {
	b.textures = append(b.textures, texture{name, flags, contents})
	return len(b.textures) - 1
}

func (b *builder) plane(p plane) int {
	b.planes = append(b.planes, p)
	return len(b.planes) - 1
}

// brush adds a brush with one texture on all sides.
func (b *builder) brush(texture int, planes ...plane) {
	b.brushes = append(b.brushes, brush{len(b.sides), len(planes), texture})
	for _, p := range planes {
		b.sides = append(b.sides, brushSide{b.plane(p), texture})
	}
}

// finish makes a model of the brushes and faces that belong to none yet.
func (b *builder) finish(low, high geom.Vec) {
	m := model{min: low, max: high, brushes: len(b.brushes), faces: len(b.faces)}
	for _, done := range b.models {
		m.firstBrush, m.firstFace = m.firstBrush+done.brushes, m.firstFace+done.faces
	}
	m.brushes, m.faces = m.brushes-m.firstBrush, m.faces-m.firstFace
	b.models = append(b.models, m)
}

// box returns the planes of a box.
func box(x0, y0, z0, x1, y1, z1 float64) []plane {
	return []plane{
		{geom.Vec{X: -1}, -x0},
		{geom.Vec{X: 1}, x1},
		{geom.Vec{Y: -1}, -y0},
		{geom.Vec{Y: 1}, y1},
		{geom.Vec{Z: -1}, -z0},
		{geom.Vec{Z: 1}, z1},
	}
}

// through returns the plane with a normal along n through p.
func through(n, p geom.Vec) plane {
	n = n.Unit()
	return plane{n, n.Dot(p)}
}

// room is a hall of 16 by 16 metres, 8 high, with one thing of each sort.
func room() *builder {
	b := &builder{entities: `{
"classname" "worldspawn"
"message" "a hall"
}
{
"classname" "light"
"origin" "9 9 9"
}
{
"classname" "info_player_start"
"origin" "64 64 24"
}
{
"classname" "func_door"
"model" "*1"
"targetname" "gate"
}
{
"classname" "func_static"
"model" "*2"
"origin" "384 384 0"
}
{
"classname" "trigger_teleport"
"model" "*3"
"target" "away"
}
` + "\x00"}
	stone := b.texture("textures/hall/stone", 0, contentsSolid)
	clip := b.texture("textures/common/clip", 0, contentsPlayerClip)
	water := b.texture("textures/liquids/pool", 0, contentsWater)
	rungs := b.texture("textures/hall/rungs", surfaceLadder, contentsSolid)
	trigger := b.texture("textures/common/trigger", 0, 1<<30)
	glow := b.texture("textures/hall/glow", 0, 0)

	// The hull: six walls, and the tree of the inside.
	b.brush(stone, box(-16, -16, -16, 528, 528, 0)...)
	b.brush(stone, box(-16, -16, 256, 528, 528, 272)...)
	b.brush(stone, box(-16, -16, 0, 0, 528, 256)...)
	b.brush(stone, box(512, -16, 0, 528, 528, 256)...)
	b.brush(stone, box(0, -16, 0, 512, 0, 256)...)
	b.brush(stone, box(0, 512, 0, 512, 528, 256)...)
	b.clusters = []int32{-1, 0}
	for i, p := range box(0, 0, 0, 512, 512, 256) {
		next := i + 1
		if i == 5 {
			next = -2
		}
		b.nodes = append(b.nodes, node{b.plane(p), [2]int{-1, next}})
	}
	// A ramp along the south wall with a bevel over its edge, a clip brush, a pool, a ladder.
	ramp := box(128, 0, 0, 256, 64, 64)
	ramp[5] = through(geom.Vec{X: -1, Z: 2}, geom.Vec{X: 256, Z: 64})
	ramp = append(ramp, plane{geom.Vec{Z: 1}, 64}, through(geom.Vec{X: 1, Z: 1}, geom.Vec{X: 256, Z: 64}))
	b.brush(stone, ramp...)
	b.brush(clip, box(0, 256, 0, 32, 288, 128)...)
	b.brush(water, box(256, 256, 0, 320, 320, 8)...)
	b.brush(rungs, box(480, 240, 0, 512, 272, 128)...)
	// A quarter of a round column in the north-west corner, and a curve that stops nobody.
	for _, texture := range []int{stone, glow} {
		b.faces = append(b.faces, face{texture: texture, kind: facePatch, firstVertex: len(b.vertices), vertices: 9, width: 3, height: 3})
		for _, z := range []float64{0, 64, 128} {
			for _, p := range [][2]float64{{64, 512}, {64, 448}, {0, 448}} {
				b.vertices = append(b.vertices, vertex{geom.Vec{X: p[0], Y: p[1], Z: z}, geom.Vec{X: 0.707, Y: -0.707}})
			}
		}
	}
	// A drawn square above the floor, clockwise.
	b.faces = append(b.faces, face{texture: glow, kind: facePolygon, firstVertex: len(b.vertices), vertices: 4, indices: 6})
	for _, p := range [][2]float64{{100, 100}, {100, 200}, {200, 200}, {200, 100}} {
		b.vertices = append(b.vertices, vertex{geom.Vec{X: p[0], Y: p[1], Z: 1}, geom.Vec{Z: 1}})
	}
	b.indices = []int32{0, 1, 2, 0, 2, 3}
	b.faces = append(b.faces, face{texture: -7, kind: faceFlare, firstVertex: -1})
	b.finish(geom.Vec{X: -16, Y: -16, Z: -16}, geom.Vec{X: 528, Y: 528, Z: 272})

	b.brush(stone, box(448, 0, 0, 512, 16, 96)...)
	b.finish(geom.Vec{X: 448}, geom.Vec{X: 512, Y: 16, Z: 96})
	b.brush(stone, box(-16, -16, 0, 16, 16, 32)...)
	b.finish(geom.Vec{X: -16, Y: -16}, geom.Vec{X: 16, Y: 16, Z: 32})
	b.brush(trigger, box(0, 0, 0, 32, 32, 64)...)
	b.finish(geom.Vec{}, geom.Vec{X: 32, Y: 32, Z: 64})
	return b
}
