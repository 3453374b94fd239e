package meadow

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/meadow-nav/meadow/internal/costtest"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/flat"
	"github.com/meadow-nav/meadow/level/meshio"
)

// put writes a file of a test and returns its path.
func put(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// secret stands outside of the level's folder, and must be in no error and no warning.
const secret = "SECRET-OF-ANOTHER-FOLDER"

// gltfOf is a triangle whose positions are in the buffer of a URI.
func gltfOf(uri string) []byte {
	return fmt.Appendf(nil, `{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":%q}]}`, uri)
}

// TestOpenStaysInTheFolder refers to a file outside of the level's folder in every way that there is.
func TestOpenStaysInTheFolder(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("links and paths are others there")
	}
	dir := t.TempDir()
	// As positions the text would be read as finite numbers: a triangle.
	outside := put(t, dir, "outside/secret.bin", bytes.Repeat([]byte(secret), 10))
	put(t, dir, "outside/secret.mtl", []byte("newmtl m\nKd "+secret+"\n"))
	inside := filepath.Join(dir, "level")
	put(t, dir, "level/own.bin", make([]byte, 36))
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(inside, name)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	link(outside, "absolute.bin")
	link("../outside/secret.bin", "relative.bin")
	link("../outside", "folder")
	link("own.bin", "within.bin")
	link("../outside/secret.mtl", "library.mtl")
	link("/dev/zero", "endless.bin")
	for _, uri := range []string{
		"absolute.bin", "relative.bin", "folder/secret.bin", "../outside/secret.bin", outside, "file://" + outside, "endless.bin", ".",
		`..\outside\secret.bin`, "%2e%2e/outside/secret.bin", "folder%2Fsecret.bin",
	} {
		_, err := Open(put(t, inside, "level.gltf", gltfOf(uri)))
		if err == nil || strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "not finite") {
			t.Errorf("buffer %q: %v", uri, err)
		}
	}
	if _, err := Open(put(t, inside, "level.gltf", gltfOf("within.bin"))); err != nil {
		t.Errorf("a link within the folder: %v", err)
	}
	for _, library := range []string{"library.mtl", "folder/secret.mtl", "../outside/secret.mtl", filepath.Join(dir, "outside/secret.mtl")} {
		lvl, err := Open(put(t, inside, "level.obj", []byte("mtllib "+library+"\nv 0 0 0\nv 1 0 0\nv 0 0 -1\nusemtl m\nf 1 2 3\n")))
		if err != nil || len(lvl.Warnings) != 1 || strings.Contains(lvl.Warnings[0], secret) || strings.Contains(lvl.Warnings[0], "colour") {
			t.Errorf("library %s: %v, %v", library, lvl.Warnings, err)
		}
	}
	link("level.obj", "named.obj")
	link("../outside/level.obj", "elsewhere.obj")
	put(t, dir, "outside/level.obj", []byte("v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\n"))
	for _, name := range []string{"named.obj", "elsewhere.obj"} {
		if _, err := Open(filepath.Join(inside, name)); err != nil {
			t.Errorf("the level itself is a link: %v", err)
		}
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "outside/mask.png", picture.Bytes())
	link("../outside/mask.png", "mask.png")
	for _, paint := range []string{"mask: mask.png", "mask: ../outside/mask.png", "mask: endless.bin", "map: folder/x.geojson"} {
		terrain, err := OpenTerrain(put(t, inside, "rules.yaml", []byte("terrain: 1\ngroups: [{name: g}]\npaint:\n  - {"+paint+", legend: {black: g}}\n")))
		if err != nil {
			t.Fatal(err)
		}
		lvl, err := Open(filepath.Join(inside, "named.obj"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := terrain.Apply(lvl); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", paint, err)
		}
	}
}

// TestEndlessFiles opens files without an end, by every way in: the limit ends them.
func TestEndlessFiles(t *testing.T) {
	race.Skip(t)
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("no /dev/zero here")
	}
	limits := level.Limits{Bytes: 1 << 20}
	for f := meshio.OBJ; f <= meshio.PK3; f++ {
		costtest.Within(t, 10*time.Second, 40, func() {
			large := (*level.TooLarge)(nil)
			if _, err := OpenWith("/dev/zero", meshio.Options{Format: f, Limits: limits}); !errors.As(err, &large) {
				t.Errorf("%v: %v", f, err)
			}
		})
	}
	for f := flat.Octile; f <= flat.LDtk; f++ {
		costtest.Within(t, 10*time.Second, 40, func() {
			large := (*level.TooLarge)(nil)
			if _, err := OpenMap("/dev/zero", flat.Options{Format: f, Limits: limits}); !errors.As(err, &large) {
				t.Errorf("%v: %v", f, err)
			}
		})
	}
	if _, err := OpenTerrain("/dev/zero"); err == nil || !strings.Contains(err.Error(), "is larger than") {
		t.Errorf("rules: %v", err)
	}
	if _, err := Load("/dev/zero"); err == nil {
		t.Error("a mesh was read from /dev/zero")
	}
}

// pictureOf is a grey 16-bit PNG of one colour; it takes a few bytes a row.
func pictureOf(t *testing.T, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray16(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// grown changes the size in the header of a PNG picture; the pixels are missing.
func grown(picture []byte, width, height uint32) []byte {
	out := bytes.Clone(picture)
	binary.BigEndian.PutUint32(out[16:], width)
	binary.BigEndian.PutUint32(out[20:], height)
	return out
}

// archiveOf packs a file that is mostly zeros.
func archiveOf(t *testing.T, name string, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	w, err := z.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<16)
	copy(zeros, "IBSP\x2e\x00\x00\x00")
	for ; size > 0; size -= len(zeros) {
		if _, err := w.Write(zeros); err != nil {
			t.Fatal(err)
		}
		clear(zeros[:8])
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// fill repeats a text up to a size.
func fill(unit string, size int) string { return strings.Repeat(unit, size/len(unit)) }

// TestHostileLevels opens level files that are made to cost time or memory; each is refused, or read cheaply.
func TestHostileLevels(t *testing.T) {
	race.Skip(t)
	const size = 1 << 20
	concave := "f" + fill(" 1 2 3 2", 20_000) + "\n"
	buffer := base64.StdEncoding.EncodeToString(make([]byte, 36))
	glTF := func(more string) string {
		return strings.Replace(string(gltfOf("data:;base64,"+buffer)), `"nodes":[{"mesh":0}]`, more, 1)
	}
	for _, c := range []struct{ name, text string }{
		{"faces.obj", "v 0 0 0\nv 1 0 0\nv 0 0 -1\n" + fill("f 1 2 3\n", size)},
		{"fan.obj", "v 0 0 0\nv 1 0 0\nv 0 0 -1\nf" + fill(" 1 2 3", size) + "\n"},
		{"concave.obj", "v 0 0 0\nv 1 0 0\nv 0 0 -1\n" + fill(concave, size)},
		{"materials.obj", "v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\n" + numbered("usemtl m%d\n", size)},
		{"libraries.obj", "v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\n" + numbered("mtllib m%d.mtl\n", size)},
		{"markers.obj", "v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\n" + fill("g marker:a\nf 1 2 3\n", size)},
		{"statements.obj", numbered("x%d\n", size)},
		{"continued.obj", "v 0 0 0\n" + fill("\\\n", size)},
		{"long.obj", "v " + fill("9", size) + " 0 0\n"},
		{"control.obj", "\x1b[31m\a 1 2 3\nv 0 0 0\n"},
		{"announced.stl", strings.Repeat(" ", 80) + "\xff\xff\xff\xff" + fill("\x00", 100)},
		{"words.stl", "solid x\nfacet " + fill("a", size)},
		{"vertices.ply", "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty char x\nproperty char y\nproperty char z\nelement face 1\nproperty list char int vertex_index\nend_header\n"},
		{"faces.ply", "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty char x\nproperty char y\nproperty char z\nelement face 999999\nproperty list char char vertex_index\nend_header\n\x00\x00\x00" + fill("\x00", size)},
		{"elements.ply", "ply\nformat ascii 1.0\n" + numbered("element e%d 9\n", size)},
		{"nodes.gltf", glTF(`"nodes":[` + fill("{},", 4*size) + `{"mesh":0}]`)},
		{"deep.gltf", glTF(`"nodes":[{"mesh":0}],"extras":` + fill("[", size) + fill("]", size))},
		{"copies.gltf", glTF(`"nodes":[{"mesh":0,"children":[1,1,1,1,1,1,1,1,1,1]},{"mesh":0,"children":[2,2,2,2,2,2,2,2]},{"mesh":0,"children":[3,3,3,3,3,3,3,3]},{"mesh":0,"children":[4,4,4,4,4,4,4,4]},{"mesh":0}]`)},
		{"count.gltf", strings.Replace(glTF(`"nodes":[{"mesh":0}]`), `"count":3`, `"count":2000000000`, 1)},
		{"names.gltf", glTF(`"nodes":[{"mesh":0,"name":"` + fill("n", size) + `","skin":0}]`)},
		{"huge.png", string(grown(pictureOf(t, 2, 2), 1<<15, 1<<15))},
		{"narrow.png", string(grown(pictureOf(t, 2, 2), 2, 1<<31-1))},
		{"limit.png", string(grown(pictureOf(t, 2, 2), 1025, 1026))},
		{"wide.raw", fill("\x00", 1<<23)},
		{"bomb.pk3", string(archiveOf(t, "maps/a.bsp", 16*size))},
		{"big.pk3", string(archiveOf(t, "maps/a.bsp", 65*size))},
		{"nothing.bsp", "IBSP\x2e\x00\x00\x00" + fill("\xff\xff\xff\x7f", 200)},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := put(t, t.TempDir(), c.name, []byte(c.text))
			costtest.Within(t, 5*time.Second, 300, func() {
				lvl, err := OpenWith(path, meshio.Options{Limits: level.Limits{Bytes: 64 << 20}})
				checkShort(t, lvl, err)
			})
		})
	}
}

// checkShort fails where an error or warnings are long, or have control characters.
func checkShort(t *testing.T, lvl *level.Level, err error) {
	t.Helper()
	said := ""
	if err != nil {
		said = err.Error()
	} else {
		said = strings.Join(lvl.Warnings, "")
	}
	if len(said) > 5000+len(t.TempDir()) {
		t.Errorf("%d bytes are said: %.300s…", len(said), said)
	}
	if strings.ContainsAny(said, "\x1b\a\x00") {
		t.Errorf("control characters in %.300q", said)
	}
}

func numbered(format string, size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestHostileMaps opens maps that are made to cost time or memory.
func TestHostileMaps(t *testing.T) {
	race.Skip(t)
	const size = 1 << 20
	const triangle = `{"type":"Polygon","coordinates":[[[0,0],[1,0],[0,1],[0,0]]]}`
	nested := func(kind, member string, depth int) string {
		return strings.Repeat(`{"type":"`+kind+`","`+member+`":[`, depth) + triangle + strings.Repeat("]}", depth)
	}
	padded := strings.Repeat(" ", size)
	var zeros strings.Builder
	base := base64.NewEncoder(base64.StdEncoding, &zeros)
	packer := zlib.NewWriter(base)
	if _, err := packer.Write(make([]byte, 4<<24)); err != nil {
		t.Fatal(err)
	}
	packer.Close()
	base.Close()
	const tiled = `<map orientation="orthogonal" width="2" height="2" tilewidth="1" tileheight="1">`
	for _, c := range []struct{ name, text, want string }{
		{"collections.geojson", padded + nested("FeatureCollection", "features", 1000), "nested deeper than 6 objects"},
		{"geometries.geojson", padded + nested("GeometryCollection", "geometries", 1000), "nested deeper than 6 objects"},
		{"brackets.geojson", fill("[", size) + fill("]", size), "exceeded max depth"},
		{"positions.geojson", `{"type":"Polygon","coordinates":[[` + fill("[0,0],", 13*size) + `[0,0]]]}`, "more than 2097152 points"},
		{"equal.geojson", `{"type":"GeometryCollection","geometries":[` + fill(triangle+",", 11*size) + triangle + `]}`, "too many overlapping borders"},
		{"properties.geojson", `{"type":"Feature","properties":{` + numbered(`"k%d":1,`, size) + `"k":1},"geometry":{"type":"GeometryCollection","geometries":[` + fill(triangle+",", size/64) + triangle + `]}}`, ""},
		{"type.geojson", `{"type":"` + fill("x", size) + `"}`, "unknown GeoJSON type"},
		{"groups.svg", "<svg>" + fill("<g>", size), "nested deeper than 64 groups"},
		{"classes.svg", `<svg><g class="` + fill("a ", size) + `">` + fill(`<rect id="a" width="1" height="1"/>`, size/32) + "</g></svg>", ""},
		{"names.svg", "<svg>" + numbered("<x%d/>", size) + "</svg>", "no polygon in the file"},
		{"tags.svg", "<svg>" + fill("<a/>", 9*size) + "</svg>", "tags; the limit is 2097152"},
		{"curve.svg", `<svg><path d="M0 0` + fill("C9e4 9e4 -9e4 9e4 0 0", size) + `"/></svg>`, "more than 2097152 points"},
		{"layers.tmx", tiled + strings.Repeat("<group>", 100) + strings.Repeat("</group>", 100) + "</map>", "nested deeper"},
		{"layers.tmj", `{"orientation":"orthogonal","width":2,"height":2,"tilewidth":1,"tileheight":1,"layers":[` + fill("{},", 4*size) + "{}]}", "JSON objects; the limit is 1048576"},
		{"objects.ldtk", `{"jsonVersion":"1.5.3","worldLayout":"Free","levels":[` + fill("{},", 4*size) + "{}]}", "JSON objects; the limit is 1048576"},
		{"levels.ldtk", `{"jsonVersion":"1.5.3","worldLayout":"Free","defaultGridSize":8,"levels":[` + fill(`{"pxWid":8,"pxHei":8,"externalRelPath":"levels.ldtk"},`, size/4) + `{"pxWid":8,"pxHei":8}]}`, "JSON objects; the limit is 1048576"},
		{"unpacked.tmx", strings.Replace(tiled, `width="2" height="2"`, `width="4096" height="4096"`, 1) +
			fill(`<layer width="4096" height="4096"><data encoding="base64" compression="zlib">`+zeros.String()+`</data></layer>`, size) + "</map>", "with them the layers have more than 33554432"},
		{"lines.map", "type octile\nheight 1000\nwidth 1000\nmap\n" + fill("\n", 8*size), "row 0 has 0 cells"},
		{"blank.map", "type octile\n" + fill("\n", 8*size), "the file ends before the map begins"},
		{"cells.map", "type octile\nheight 1448\nwidth 1448\nmap\n" + strings.Repeat(fill("@.", 1448)+"\n"+fill(".@", 1448)+"\n", 724), "more than 2097152 points"},
		{"points.poly", fill("0 0\n1 0\n0 1\n", 32*size), "more than 2097152 points"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if (len(c.text) > 10*size || c.name == "unpacked.tmx") && os.Getenv("MEADOW_HOSTILE") == "" {
				t.Skip("takes seconds; MEADOW_HOSTILE=1 runs it")
			}
			path := put(t, t.TempDir(), c.name, []byte(c.text))
			most := 6 * time.Second
			if c.name == "equal.geojson" {
				most = 40 * time.Second // the only file whose time the limit of near pairs bounds
			}
			costtest.Within(t, most, 1200, func() {
				_, err := OpenMap(path, flat.Options{Shapes: true})
				if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
					t.Fatalf("got %.300v, want %q", err, c.want)
				}
				if err != nil && len(err.Error()) > 1000 {
					t.Errorf("an error of %d bytes", len(err.Error()))
				}
			})
		})
	}
}
