package meadow_test

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/best"
	"github.com/meadow-nav/meadow/build/cleanup"
	"github.com/meadow-nav/meadow/build/erode"
	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/pasfv"
	"github.com/meadow-nav/meadow/build/wavefront"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/bsp"
	"github.com/meadow-nav/meadow/level/flat"
	"github.com/meadow-nav/meadow/level/heightmap"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/level/meshio"
)

// meaningful lists the fields of options in which -1 has a meaning.
var meaningful = []string{
	"Radius", "MaxClimb", "MaxGap", "Simplify", "Detail", "HeightScale", "HeightOffset", "Far", "Yaw", "LeastAngle", "X", "Y", "Z",
}

// TestOptionsOfPackages sets every number of every options struct to not a number, infinity and -1, one by one. All are errors
// except -1 in fields where -1 has a meaning.
func TestOptionsOfPackages(t *testing.T) {
	ctx := t.Context()
	sq := square(0, 0, 9)
	floor, err := meadow.FindFloor(ctx, sq, meadow.FloorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := floor.Mesh(ctx, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	drawn := draw.Mesh(mesh.Mesh, draw.MeshOptions{})
	decompose := func(g gen.Generator) error { _, err := floor.Mesh(ctx, meadow.MeshOptions{Generator: g}); return err }
	for _, c := range []struct {
		opt  any
		call func(any) error
	}{
		{meadow.FloorOptions{}, func(o any) error { _, err := meadow.FindFloor(ctx, sq, o.(meadow.FloorOptions)); return err }},
		{meadow.MeshOptions{}, func(o any) error { _, err := floor.Mesh(ctx, o.(meadow.MeshOptions)); return err }},
		{meadow.WidenOptions{}, func(o any) error { _, err := mesh.Widen(ctx, 1, o.(meadow.WidenOptions)); return err }},
		{heightmap.Options{}, func(o any) error {
			_, err := heightmap.DecodeRaw(bytes.NewReader(make([]byte, 32)), "a", o.(heightmap.Options))
			return err
		}},
		{bsp.Options{}, func(o any) error { _, err := bsp.Decode(bytes.NewReader(nil), "a", o.(bsp.Options)); return err }},
		{flat.Options{}, func(o any) error {
			_, err := flat.Decode(strings.NewReader("type octile\nheight 1\nwidth 4\nmap\n....\n"), "a.map", o.(flat.Options))
			return err
		}},
		{levelgen.Options{}, func(o any) error { _, err := levelgen.Generate("rooms", o.(levelgen.Options)); return err }},
		{draw.View{Width: 10, Height: 10}, func(o any) error { _, err := draw.NewCamera(&drawn, o.(draw.View)); return err }},
		{raster.Extractor{}, func(o any) error {
			_, err := meadow.FindFloor(ctx, sq, meadow.FloorOptions{Extractor: o.(raster.Extractor)})
			return err
		}},
		{anavmg.Generator{}, func(o any) error { return decompose(o.(anavmg.Generator)) }},
		{best.Generator{}, func(o any) error { return decompose(o.(best.Generator)) }},
		{pasfv.Generator{}, func(o any) error { return decompose(o.(pasfv.Generator)) }},
		{wavefront.Generator{}, func(o any) error { return decompose(o.(wavefront.Generator)) }},
		{cleanup.Options{}, func(o any) error {
			return decompose(cleanup.Generator{Of: anavmg.Generator{}, Options: o.(cleanup.Options)})
		}},
		{floorplan.Options{}, func(o any) error {
			_, err := exact.Extract(ctx, sq, meadow.Agent{}.WithDefaults(), o.(floorplan.Options))
			return err
		}},
		{erode.Options{}, func(o any) error { _, err := erode.Of(ctx, mesh.Mesh, 1, o.(erode.Options)); return err }},
		{join.Options{}, func(o any) error { _, _, err := join.Build(ctx, floor.Plan, nil, o.(join.Options)); return err }},
		{scaled{}, func(o any) error {
			x := o.(scaled)
			_, err := meshio.Open(fstest.MapFS{"a.obj": {Data: []byte("v 0 0 0\nv 9 0 0\nv 9 0 -9\nf 1 2 3\n")}}, "a.obj", meshio.Options{Scale: x.Scale, Limits: x.Limits})
			return err
		}},
	} {
		v := reflect.New(reflect.TypeOf(c.opt)).Elem()
		v.Set(reflect.ValueOf(c.opt))
		eachNumber(v, "", func(path string, set func(float64) bool) {
			for _, x := range []float64{math.NaN(), math.Inf(1), -1} {
				if !set(x) || x == -1 && slices.Contains(meaningful, path[strings.LastIndex(path, ".")+1:]) {
					continue
				}
				if err := c.call(v.Interface()); err == nil {
					t.Errorf("%v%s = %v is no error", v.Type(), path, x)
				}
			}
		})
	}
}

// scaled are the options of meshio that every format heeds.
type scaled struct {
	Scale  float64
	Limits level.Limits
}

// eachNumber visits the numbers in a struct, and sets each back to its value afterwards. set reports whether the field can hold
// the number.
func eachNumber(v reflect.Value, path string, visit func(path string, set func(float64) bool)) {
	for i := range v.NumField() {
		f, at := v.Field(i), path+"."+v.Type().Field(i).Name
		before := reflect.ValueOf(f.Interface())
		switch f.Kind() {
		case reflect.Struct:
			eachNumber(f, at, visit)
		case reflect.Float64:
			visit(at, func(x float64) bool { f.SetFloat(x); return true })
		case reflect.Int, reflect.Int64:
			visit(at, func(x float64) bool {
				if x == math.Trunc(x) && !math.IsInf(x, 0) {
					f.SetInt(int64(x))
					return true
				}
				return false
			})
		}
		if f.Kind() != reflect.Struct && before.IsValid() {
			f.Set(before)
		}
	}
}
