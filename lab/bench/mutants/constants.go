package main

// constant is a tolerance or a length that decides, in lattice units where nothing else is said.
type constant struct {
	file, name string
	line       string // of the source, up to the value, with # for the value
	value      string
	halved     string
	doubled    string
	also       []string // packages whose tests are run besides
}

// constants are the constants with an effect on decisions. Sizes of chunks, of leaves and of caches are not listed: results do
// not depend on them.
var constants = []constant{
	{file: "build/exact/tolerance.go", name: "hiding", line: "const hiding = #\n", value: "8", halved: "4", doubled: "16"},
	{file: "build/exact/tolerance.go", name: "floorReach", line: "const floorReach = #\n", value: "4", halved: "2", doubled: "8"},
	{file: "build/exact/tolerance.go", name: "outward", line: "const outward = # * touching", value: "2", halved: "1", doubled: "4"},
	{file: "build/exact/tolerance.go", name: "touching", line: "const touching = #\n", value: "2", halved: "1", doubled: "4"},
	{file: "build/exact/tolerance.go", name: "overlapping", line: "const overlapping = # * outward * outward", value: "2", halved: "1", doubled: "4"},
	{file: "build/exact/tolerance.go", name: "blunt", line: "const blunt = # * touching", value: "2", halved: "1", doubled: "4"},
	{file: "build/exact/bridges.go", name: "sameRise", line: "const sameRise = #\n", value: "0.1", halved: "0.05", doubled: "0.2"},
	{file: "build/exact/bridges.go", name: "twists", line: "const twists = #\n", value: "16", halved: "8", doubled: "32"},
	{file: "build/exact/bridges.go", name: "tapers", line: "const tapers = #\n", value: "24", halved: "12", doubled: "48"},
	{file: "build/exact/pockets.go", name: "meeting", line: "const meeting = # * outward", value: "4", halved: "2", doubled: "8"},
	{file: "build/exact/tolerance.go", name: "splinter", line: "const splinter = # * hairs", value: "2", halved: "1", doubled: "4"},
	{file: "build/exact/outline.go", name: "tolerance of walls", line: "simplified(outlines, #*touching)", value: "2", halved: "1", doubled: "4"},
	{file: "build/exact/smooth.go", name: "tolerance of seams", line: "lattice.Simplify(lines, #*touching)", value: "2", halved: "1", doubled: "4"},
	{file: "build/exact/tolerance.go", name: "bend", line: "const bend = #\n", value: "touching", halved: "touching / 2", doubled: "2 * touching"},
	{file: "build/exact/erode.go", name: "longest", line: "const longest = #\n", value: "32", halved: "16", doubled: "64"},
	{file: "build/exact/tolerance.go", name: "reach", line: "const reach = #\n", value: "256", halved: "128", doubled: "512"},
	{file: "build/exact/exact.go", name: "rounding", line: "const rounding = #\n", value: "0.5", halved: "0.25", doubled: "1"},
	{file: "build/exact/exact.go", name: "OffsetTolerance", line: "const OffsetTolerance = #\n", value: "0.05", halved: "0.025", doubled: "0.1"},
	{file: "build/exact/exact.go", name: "DefaultSimplify", line: "const DefaultSimplify = #\n", value: "0.04", halved: "0.02", doubled: "0.08"},
	{file: "build/exact/tolerance.go", name: "hairs", line: "const hairs = # * outward", value: "2", halved: "1", doubled: "4"},
	{file: "build/exact/tolerance.go", name: "buried", line: "const buried = #\n", value: "3 * outward", halved: "3 * touching", doubled: "6 * outward"},
	{file: "build/exact/tolerance.go", name: "stub", line: "const stub = #\n", value: "3 * hairs", halved: "3 * outward", doubled: "6 * hairs"},
	{file: "build/exact/tolerance.go", name: "crack", line: "const crack = #\n", value: "80", halved: "40", doubled: "160"},
	{file: "build/exact/tolerance.go", name: "pinhole", line: "const pinhole = #\n", value: "4 * meeting", halved: "2 * meeting", doubled: "8 * meeting"},
	{file: "build/exact/tolerance.go", name: "hairLength", line: "const hairLength = #\n", value: "16 * blunt", halved: "8 * blunt", doubled: "32 * blunt"},
	{file: "build/exact/tolerance.go", name: "along", line: "const along = #\n", value: "4 * floorReach", halved: "2 * floorReach", doubled: "8 * floorReach"},
	{file: "build/exact/tolerance.go", name: "wideSlit", line: "const wideSlit = # * touching", value: "2", halved: "1", doubled: "4"},
	{file: "build/exact/reassign.go", name: "seamCorner", line: "const seamCorner = #\n", value: "1024", halved: "512", doubled: "2048"},
	{file: "build/exact/reassign.go", name: "sweeps", line: "const sweeps = #\n", value: "4", halved: "2", doubled: "8"},
	{file: "internal/soup/soup.go", name: "lean", line: "const lean = #", value: "2e-3", halved: "1e-3", doubled: "4e-3"},
	{file: "internal/soup/soup.go", name: "rounding", line: "	const rounding = # //", value: "2", halved: "1", doubled: "4"},
	{file: "internal/soup/soup.go", name: "hairline", line: "const hairline = #", value: "2e-3", halved: "1e-3", doubled: "4e-3"},
	{file: "build/internal/divide/divide.go", name: "maxRounds", line: "const maxRounds = #\n", value: "8", halved: "4", doubled: "16"},
	{file: "geom/slope.go", name: "SlopeTolerance (°)", line: "const SlopeTolerance = # *", value: "0.05", halved: "0.025", doubled: "0.1", also: []string{"./internal/soup"}},
	{file: "build/join/domain.go", name: "wallTolerance", line: "const wallTolerance = #\n", value: "2", halved: "1", doubled: "4"},
	{file: "build/join/floor.go", name: "closeBy", line: "const closeBy = #\n", value: "2", halved: "1", doubled: "4"},
	{file: "build/join/floor.go", name: "inset", line: "const inset = # / 64", value: "1.0", halved: "0.5", doubled: "2.0"},
	{file: "build/join/groundwork.go", name: "sameHeight", line: "const sameHeight = #\n", value: "2", halved: "1", doubled: "4"},
	{file: "build/join/merge.go", name: "keepOff", line: "const keepOff = #\n", value: "2", halved: "1", doubled: "4"},
	{file: "build/join/merge.go", name: "bend", line: "const bend = #\n", value: "1", halved: "0", doubled: "2"},
}
