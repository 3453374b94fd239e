package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/ground"
	"github.com/meadow-nav/meadow/build/pasfv"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/experiment"
)

// The whole campaign on small worlds: nothing is on the wrong ground, and a mesh for all methods has the paths of
// separate meshes.
func TestCampaign(t *testing.T) {
	var out bytes.Buffer
	args := []string{"-rules", "../../../examples/terrain", "-points", "4000", "-paths", "6", "-rounds", "1", "-generators", "best", "-epsilon", "0.25"}
	if err := run(context.Background(), args, &out, io.Discard); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{"| rts | 402 |", "| urban | 269 |", "| 4000 |", "| rts | wheels | 6 | 6 |", "| urban | cycle |", "| rts | divided |", "| urban | all |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-worlds", "moon"}, "unknown kind \"moon\""},
		{[]string{"-worlds", "city", "-rules", "../../../examples/terrain"}, "city.yaml"},
		{[]string{"-points", "-1"}, "must not be negative"},
		{[]string{"-tables", "chairs"}, "no table is called"},
		{[]string{"-fast"}, "flag provided but not defined"},
	} {
		if err := run(context.Background(), tt.args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v, want %q", tt.args, err, tt.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := run(ctx, []string{"-rules", "../../../examples/terrain"}, io.Discard, io.Discard); err == nil {
		t.Error("no error of a cancelled run")
	}
}

// Growth by the texture under the seeds keeps to its texture, covers less floor by coarser steps, and leaves no boundary;
// the picture of it is written.
func TestTextureGrowth(t *testing.T) {
	ctx := context.Background()
	picture := filepath.Join(t.TempDir(), "growth.png")
	s, err := parse([]string{"-rules", "../../../examples/terrain", "-worlds", "rts", "-tables", "growth", "-picture", picture}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.world(ctx, "rts")
	if err != nil {
		t.Fatal(err)
	}
	domains, err := experiment.InOnePass(ctx, pasfv.Generator{}, w.floor.Plan, 0)
	if err != nil {
		t.Fatal(err)
	}
	last := 0.0
	for _, resolution := range []int64{metre, metre / 4} {
		g, err := experiment.NewTextureGrowth(w.floor.Plan, seedSpacing, metre, resolution)
		if err != nil {
			t.Fatal(err)
		}
		grown, err := experiment.InOnePass(ctx, g, w.floor.Plan, 0)
		if err != nil {
			t.Fatal(err)
		}
		share := total(&grown) / total(&domains)
		if !(share > last+0.02 && share > 0.85 && share < 0.98) || grown.Boundaries != 0 || len(grown.Regions) <= len(domains.Regions) {
			t.Errorf("steps down to %d: %d regions cover %.3f of the floor with %d boundaries, %d regions of domains", resolution, len(grown.Regions), share, grown.Boundaries, len(domains.Regions))
		}
		last = share
		if asked := onTheirGround(t, w, "texture-growth", &grown); asked < 1000 {
			t.Errorf("only %d places asked", asked)
		}
	}
	if err := s.growth(ctx, io.Discard, []*world{w}); err != nil {
		t.Fatal(err)
	}
	if file, err := os.ReadFile(picture); err != nil || !bytes.HasPrefix(file, []byte("\x89PNG")) {
		t.Errorf("a picture of %d bytes, %v", len(file), err)
	}
}

// onTheirGround asks places of all regions for their ground, and returns their number.
func onTheirGround(t *testing.T, w *world, name string, form *experiment.Textured) (asked int) {
	t.Helper()
	o := corpus.NewGround(w.level)
	for i, r := range form.Regions {
		for k := range r.Ring {
			// A place between two corners and the middle of the region.
			var x, y, z float64
			for _, v := range []lattice.Vertex{r.Ring[k], r.Ring[(k+1)%len(r.Ring)], r.Ring[(k+len(r.Ring)/2)%len(r.Ring)]} {
				x, y, z = x+float64(v.X)/3, y+float64(v.Y)/3, z+float64(v.Z)/3
			}
			at := w.floor.Plan.Frame.FromLocal(x, y, z)
			area, ok := o.Sure(at.X, at.Z, at.Y-storey, at.Y+storey, ground.Tolerance)
			if !ok {
				continue
			}
			if asked++; area != r.Area {
				t.Fatalf("%s: %s: region %d of %s has %s at %v", w.name, name, i, w.mesh.AreaName(r.Area), w.mesh.AreaName(area), at)
			}
		}
	}
	return asked
}

// The published algorithm and one pass cover the same ground and find the same boundaries; growth keeps to one texture in
// both cases.
func TestTextureAware(t *testing.T) {
	ctx := context.Background()
	s, err := parse([]string{"-rules", "../../../examples/terrain", "-worlds", "rts,urban"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range s.worlds {
		w, err := s.world(ctx, kind)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"best", "anavmg", "hertelmehlhorn", "wavefront", "pasfv"} {
			g, err := catalog.Generator(name)
			if err != nil {
				t.Fatal(err)
			}
			each, err := experiment.TextureAware(ctx, g, w.floor.Plan, 0)
			if err != nil {
				t.Fatal(err)
			}
			one, err := experiment.InOnePass(ctx, g, w.floor.Plan, 0)
			if err != nil {
				t.Fatal(err)
			}
			if err := agree(kind+": "+name, &each, &one); err != nil {
				t.Error(err)
			}
			if n, k := len(each.Regions), len(one.Regions); (name == "best" || name == "anavmg") && k > n || 5*k > 6*n {
				t.Errorf("%s: %s: %d regions in one pass, %d in a pass for each area", kind, name, k, n)
			}
			asked := onTheirGround(t, w, name, &each) + onTheirGround(t, w, name, &one)
			if asked < 1000 {
				t.Errorf("%s: %s: only %d places asked", kind, name, asked)
			}
		}
	}
}
