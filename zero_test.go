package meadow_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/draw/png"
	"github.com/meadow-nav/meadow/draw/svg"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/bsp"
	"github.com/meadow-nav/meadow/level/flat"
	"github.com/meadow-nav/meadow/level/gltf"
	"github.com/meadow-nav/meadow/level/heightmap"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/level/meshio"
	"github.com/meadow-nav/meadow/level/obj"
	"github.com/meadow-nav/meadow/level/ply"
	"github.com/meadow-nav/meadow/level/stl"
	"github.com/meadow-nav/meadow/level/terrain"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/detour"
	"github.com/meadow-nav/meadow/navmesh/engine"
	"github.com/meadow-nav/meadow/navmesh/gltfmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/navmesh/polyfile"
	"github.com/meadow-nav/meadow/query/service"
	"github.com/meadow-nav/meadow/world"
)

// exported lists every exported function of a package, and a value of every exported type with methods, by folder.
// TestNothingPanics fails for a name without an entry.
var exported = map[string]map[string]any{
	"navmesh": {
		"MakeRef": navmesh.MakeRef, "Summary": navmesh.Summary,
		"Mesh": new(navmesh.Mesh), "Tile": new(navmesh.Tile), "Fault": navmesh.Fault{}, "FaultKind": navmesh.FaultKind(""), "LinkKind": navmesh.LinkKind(0), "Ref": navmesh.Ref(0),
	},
	"navmesh/navfile":  {"Read": navfile.Read, "Decode": navfile.Decode, "Layout": navfile.Layout, "Write": navfile.Write, "Encode": navfile.Encode},
	"navmesh/polyfile": {"IsMesh": polyfile.IsMesh, "Read": polyfile.Read},
	"navmesh/gltfmesh": {"IsFile": gltfmesh.IsFile, "Read": gltfmesh.Read, "Write": gltfmesh.Write, "WriteText": gltfmesh.WriteText},
	"navmesh/engine":   {"IsGodot": engine.IsGodot, "ReadOBJ": engine.ReadOBJ, "ReadGodot": engine.ReadGodot},
	"navmesh/detour":   {"IsFile": detour.IsFile, "Read": detour.Read, "Write": detour.Write, "WriteTile": detour.WriteTile, "WriteTiles": detour.WriteTiles},
	"level": {
		"PadColors": level.PadColors, "Linear": level.Linear, "SRGB": level.SRGB, "UnitOf": level.UnitOf,
		"Guess": level.Guess{}, "Volume": level.Volume,
		"Ground": new(level.Ground), "Level": new(level.Level), "Limits": level.Limits{}, "TooLarge": new(level.TooLarge),
	},
	"level/obj":  {"Encode": obj.Encode, "EncodeMaterials": obj.EncodeMaterials, "Decode": obj.Decode},
	"level/gltf": {"Encode": gltf.Encode, "Decode": gltf.Decode},
	"level/stl":  {"Encode": stl.Encode, "Decode": stl.Decode},
	"level/ply":  {"Encode": ply.Encode, "Decode": ply.Decode},
	"level/bsp":  {"DecodeArchive": bsp.DecodeArchive, "Decode": bsp.Decode, "DecodeMap": bsp.DecodeMap},
	"level/heightmap": {
		"DecodePNG": heightmap.DecodePNG, "DecodeRaw": heightmap.DecodeRaw, "DecodeTIFF": heightmap.DecodeTIFF, "DecodeFloat": heightmap.DecodeFloat,
		"DecodeASC": heightmap.DecodeASC, "RGB": new(heightmap.RGB),
	},
	"level/flat": {
		"FormatOf": flat.FormatOf, "Holds": flat.Holds, "Extensions": flat.Extensions, "Decode": flat.Decode, "DecodeShapes": flat.DecodeShapes,
		"Format": flat.Format(0),
	},
	"level/meshio": {
		"Encode": meshio.Encode, "Save": meshio.Save, "FormatOf": meshio.FormatOf, "Sniff": meshio.Sniff, "Open": meshio.Open,
		"Format": new(meshio.Format), "Axis": new(meshio.Axis),
	},
	"level/levelgen": {
		"DemoWalk": levelgen.DemoWalk, "HallsWalks": levelgen.HallsWalks, "Kinds": levelgen.Kinds, "Generate": levelgen.Generate,
		"RandomTower": levelgen.RandomTower, "RandomStairwell": levelgen.RandomStairwell, "Truths": levelgen.Truths,
		"Truth": levelgen.Truth{}, "Storey": levelgen.Storey{},
	},
	"level/terrain": {
		"Default": terrain.Default, "Settle": terrain.Settle, "Because": terrain.Because, "Classify": terrain.Classify, "ColorNames": terrain.ColorNames,
		"Matches": terrain.Matches, "Parse": terrain.Parse, "ClassifyShapes": terrain.ClassifyShapes,
		"How": terrain.How(0), "Fault": terrain.Fault{}, "Faults": new(terrain.Faults), "Painter": terrain.Painter{}, "Rules": new(terrain.Rules),
	},
	"draw": {
		"NewCamera": draw.NewCamera, "Areas": draw.Areas, "Level": draw.Level, "Mesh": draw.Mesh, "Path": draw.Path, "Faults": draw.Faults, "Plan": draw.Plan,
		"Changes": draw.Changes, "Solids": draw.Solids, "MeshShapes": draw.MeshShapes, "LinkArc": draw.LinkArc,
		"Camera": new(draw.Camera), "List": new(draw.List), "Light": new(draw.Light), "Shaper": new(draw.Shaper),
	},
	"draw/svg": {"Write": svg.Write},
	"world": {
		"New": world.New, "Read": world.Read, "IsSaved": world.IsSaved, "EncodeEdits": world.EncodeEdits, "DecodeEdits": world.DecodeEdits,
		"World": new(world.World), "Snapshot": new(world.Snapshot), "Watcher": new(world.Watcher),
	},
	"query/service": {"New": service.New, "Service": new(service.Service)},
	"draw/png":      {"Write": png.Write, "Image": png.Image},
	".": {
		"Build": meadow.Build, "BuildWith": meadow.BuildWith, "BuildMap": meadow.BuildMap, "FindFloor": meadow.FindFloor, "FloorOfMap": meadow.FloorOfMap,
		"Degrees": meadow.Degrees, "OpenTerrain": meadow.OpenTerrain, "AutoTerrain": meadow.AutoTerrain, "IsMap": meadow.IsMap, "IsMesh": meadow.IsMesh, "ForeignFormat": meadow.ForeignFormat, "OpenMap": meadow.OpenMap,
		"Wrap": meadow.Wrap, "Read": meadow.Read, "Load": meadow.Load, "LoadEngine": meadow.LoadEngine, "Open": meadow.Open, "OpenWith": meadow.OpenWith, "OpenFS": meadow.OpenFS, "SaveLevel": meadow.SaveLevel,
		"CutTiles": meadow.CutTiles, "JoinTiles": meadow.JoinTiles, "BuildTiled": meadow.BuildTiled, "OpenStreamed": meadow.OpenStreamed,
		"NewWorld": meadow.NewWorld, "SaveWorld": meadow.SaveWorld, "LoadWorld": meadow.LoadWorld, "CreateWorld": meadow.CreateWorld, "OpenWorld": meadow.OpenWorld,
		"Tiles": new(meadow.Tiles), "WorldFile": new(meadow.WorldFile), "StreamedFile": new(meadow.StreamedFile),
		"Mesh": new(meadow.Mesh), "Floor": new(meadow.Floor), "Terrain": new(meadow.Terrain), "Report": meadow.Report{},
	},
}

// indexed lists the methods that take the number of a region, as a slice takes an index.
var indexed = []string{"navmesh.Tile.RegionCorners", "navmesh.Tile.RegionPortals", "navmesh.Tile.RegionArea"}

// TestNothingPanics calls every exported function and method with zero values, nil, and numbers and texts that are out of place.
func TestNothingPanics(t *testing.T) {
	race.Skip(t)
	t.Chdir(t.TempDir())
	for _, folder := range slices.Sorted(mapsKeys(exported)) {
		for _, name := range slices.Sorted(mapsKeys(exported[folder])) {
			v := reflect.ValueOf(exported[folder][name])
			switch {
			case !v.IsValid():
			case v.Kind() == reflect.Func:
				callAll(t, folder+"."+name, func(*args) reflect.Value { return v })
			default:
				for i := range v.NumMethod() {
					if method := folder + "." + name + "." + v.Type().Method(i).Name; !slices.Contains(indexed, method) {
						callAll(t, method, func(a *args) reflect.Value { return a.receiver(v.Type()).Method(i) })
					}
				}
			}
		}
	}
}

// TestEveryNameIsCalled compares the list of exported names with the sources.
func TestEveryNameIsCalled(t *testing.T) {
	race.Skip(t)
	for folder, names := range exported {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(folder, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range parsed.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || !f.Name.IsExported() {
					continue
				}
				name := f.Name.Name
				if f.Recv != nil {
					recv := f.Recv.List[0].Type
					if star, ok := recv.(*ast.StarExpr); ok {
						recv = star.X
					}
					name = recv.(*ast.Ident).Name
				}
				if _, listed := names[name]; !listed && ast.IsExported(name) {
					t.Errorf("%s: %s is not in the list of exported names", folder, name)
				}
			}
		}
	}
}

func mapsKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// callAll calls a function with zeros, and then with arguments of the dice.
func callAll(t *testing.T, name string, f func(*args) reflect.Value) {
	t.Helper()
	for round := range 40 {
		a := &args{zero: round == 0, dice: rand.New(rand.NewPCG(uint64(round), 1)), ctx: t.Context()}
		said := ""
		func() {
			defer func() {
				if r := recover(); r != nil {
					said = fmt.Sprint(r)
				}
			}()
			v := f(a)
			in := make([]reflect.Value, v.Type().NumIn())
			for i := range in {
				in[i] = a.value(v.Type().In(i), 0)
			}
			if v.Type().IsVariadic() {
				v.CallSlice(in)
			} else {
				v.Call(in)
			}
		}()
		if said != "" {
			t.Errorf("%s panics in round %d: %s", name, round, said)
			return
		}
	}
}

// args makes arguments of all types.
type args struct {
	zero bool
	dice *rand.Rand
	ctx  context.Context
}

// receiver returns a value to call a method of.
func (a *args) receiver(t reflect.Type) reflect.Value {
	if t.Kind() != reflect.Pointer {
		return a.value(t, 0)
	}
	if v := a.value(t, 0); !v.IsNil() {
		return v
	}
	if t.Elem() == reflect.TypeFor[navmesh.Mesh]() {
		return reflect.Zero(t) // as in the zero meadow.Mesh
	}
	return reflect.New(t.Elem())
}

// known are arguments of types whose fields depend on each other.
func (a *args) known(t reflect.Type) []any {
	switch t {
	case reflect.TypeFor[context.Context]():
		return []any{a.ctx}
	case reflect.TypeFor[io.Writer]():
		return []any{io.Discard}
	case reflect.TypeFor[io.Reader]():
		return []any{strings.NewReader(""), strings.NewReader("mesh\n2\n"), strings.NewReader("v 0 0 0\nf 1 1 1\n")}
	case reflect.TypeFor[fs.FS]():
		return []any{fstest.MapFS{}, fstest.MapFS{"a": {Data: []byte("v")}}}
	case reflect.TypeFor[*level.Level]():
		far, wrong := square(0, 0, 6), square(0, 0, 6)
		far.Vertices[0].Y, wrong.Triangles[0].C = math.NaN(), 99
		return []any{new(level.Level), square(0, 0, 6), far, wrong}
	case reflect.TypeFor[*navmesh.Mesh]():
		return []any{new(navmesh.Mesh), &navmesh.Mesh{Tiles: make([]navmesh.Tile, 2)}}
	case reflect.TypeFor[*meadow.Mesh]():
		return []any{new(meadow.Mesh), meadow.Wrap(nil), meadow.Wrap(new(navmesh.Mesh)), &meadow.Mesh{Mesh: new(navmesh.Mesh)}}
	case reflect.TypeFor[*navmesh.Tile]():
		return []any{new(navmesh.Tile)}
	case reflect.TypeFor[*plan.Plan]():
		return []any{new(plan.Plan)}
	case reflect.TypeFor[*flat.Map]():
		return []any{new(flat.Map)}
	case reflect.TypeFor[*meadow.Floor]():
		return []any{new(meadow.Floor)}
	case reflect.TypeFor[*terrain.Rules]():
		return []any{new(terrain.Rules), terrain.Default()}
	case reflect.TypeFor[*meadow.Terrain]():
		return []any{new(meadow.Terrain), meadow.AutoTerrain()}
	}
	return nil
}

// value returns an argument of a type.
func (a *args) value(t reflect.Type, depth int) reflect.Value {
	out := reflect.New(t).Elem()
	if a.zero || depth > 4 || a.dice.IntN(4) == 0 {
		return out
	}
	if known := a.known(t); known != nil {
		out.Set(reflect.ValueOf(known[a.dice.IntN(len(known))]))
		return out
	}
	switch t.Kind() {
	case reflect.Bool:
		out.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		out.SetInt([]int64{1, -1, 2, 100}[a.dice.IntN(4)])
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		out.SetUint([]uint64{1, 2, 255, 1 << 31, math.MaxUint64}[a.dice.IntN(5)])
	case reflect.Float32, reflect.Float64:
		out.SetFloat(odd[a.dice.IntN(len(odd))])
	case reflect.String:
		out.SetString([]string{"a", "\x00", "rooms", "b.obj", "*", strings.Repeat("x", 5000)}[a.dice.IntN(6)])
	case reflect.Pointer:
		out.Set(reflect.New(t.Elem()))
		out.Elem().Set(a.value(t.Elem(), depth+1))
	case reflect.Slice:
		n := 1 + a.dice.IntN(2)
		out.Set(reflect.MakeSlice(t, n, n))
		for i := range n {
			out.Index(i).Set(a.value(t.Elem(), depth+1))
		}
	case reflect.Array:
		for i := range out.Len() {
			out.Index(i).Set(a.value(t.Elem(), depth+1))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() {
				out.Field(i).Set(a.value(t.Field(i).Type, depth+1))
			}
		}
	case reflect.Func:
		out.Set(reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value {
			results := make([]reflect.Value, t.NumOut())
			for i := range results {
				results[i] = reflect.Zero(t.Out(i))
			}
			return results
		}))
	}
	return out
}
