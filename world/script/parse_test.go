package script

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"
	"time"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/costtest"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/world"
)

// tetrahedron is a file of triangles.
const tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 0 -1\nv 0 1 0\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"

var folder = fstest.MapFS{
	"rocks/rock.obj": {Data: []byte(tetrahedron)},
	"broken.obj":     {Data: []byte("v 0 0\n")},
}

// every has every command with every word.
const every = `# all commands
radius 0.6 # wider
put crate box 3,0,-4 size 1,2,3 yaw 30
put "a crate" box 3,0,-4 size 1,2,3 yaw 0.1rad
move crate cylinder 1e3,-0.5,.25 radius 0.5 height 2
batch
	put wall prism 0,0 4,0 4,1 0,1 from -1 to 2.5
	put rock mesh rocks/rock.obj at 1,0,2 yaw 90
	put tent mesh of 0,0,0 1,0,0 0,1,0 faces 0,1,2
end
take crate
paint mud box 0,0,0 size 1,1,1 area "soft ground" cost +Inf set 0x10 clear 3 priority -2
repaint mud cylinder 0,0,0 radius 1 height 1 cost 2
close door
open "#1"
connect jump1 0,0,0 5,0,0 drop cost 3 both
connect jump2 0,0,0 5,0,0 teleporter
path 0,0,0 1,0,1
expect length 12.3 ±0.01
expect cost 12.3 +-0.01
expect no path
locate 0,0,0
expect at 0,0,0.001 ±1
expect nothing
nearest 0,0,0 within 3
nearest 0,0,0
blocked 0,0,0
expect by crate "a crate"
onway 0,0,0 1,0,0 1,0,1
free 0,0,0 within 2
raycast 0,0,0 1,0,1
expect hit
expect clear
expect error no  floor
regions
expect regions 12
area
expect area 3
validate
expect faults 0
things
expect things
expect same
render now.png
`

// TestParse reads every command, and compares the fields with the words.
func TestParse(t *testing.T) {
	s, err := Parse(strings.NewReader(every), folder)
	if err != nil {
		t.Fatal(err)
	}
	rock := world.TriangleMesh{
		Vertices:  []geom.Vec{{}, {X: 1}, {Z: -1}, {Y: 1}},
		Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
		At:        geom.Vec{X: 1, Z: 2}, Yaw: geom.Degrees(90),
	}
	box := world.Box{Base: geom.Vec{X: 3, Z: -4}, Size: geom.Vec{X: 1, Y: 2, Z: 3}, Yaw: geom.Degrees(30)}
	turned := box
	turned.Yaw = 0.1
	one := func(e world.Edit) Action { return Apply{Edits: []world.Edit{e}} }
	at := func(v ...geom.Vec) []geom.Vec { return v }
	want := []Action{
		Radius{0.6},
		one(world.Put{ID: "crate", Solid: box}),
		one(world.Put{ID: "a crate", Solid: turned}),
		one(world.Move{ID: "crate", Solid: world.Cylinder{Base: geom.Vec{X: 1000, Y: -0.5, Z: 0.25}, Radius: 0.5, Height: 2}}),
		Apply{Batch: true, Edits: []world.Edit{
			world.Put{ID: "wall", Solid: world.Prism{Outline: at(geom.Vec{}, geom.Vec{X: 4}, geom.Vec{X: 4, Z: 1}, geom.Vec{Z: 1}), Bottom: -1, Top: 2.5}},
			world.Put{ID: "rock", Solid: rock},
			world.Put{ID: "tent", Solid: world.TriangleMesh{Vertices: at(geom.Vec{}, geom.Vec{X: 1}, geom.Vec{Y: 1}), Triangles: [][3]int32{{0, 1, 2}}}},
		}},
		one(world.Take{ID: "crate"}),
		one(world.Paint{
			ID: "mud", Solid: world.Box{Size: geom.Vec{X: 1, Y: 1, Z: 1}},
			Brush: world.Brush{Area: "soft ground", Cost: math.Inf(1), Set: 16, Clear: 3, Priority: -2},
		}),
		one(world.Repaint{ID: "mud", Solid: world.Cylinder{Radius: 1, Height: 1}, Brush: world.Brush{Cost: 2}}),
		one(world.Close{Mark: "door"}),
		one(world.Open{Mark: "#1"}),
		one(world.Connect{ID: "jump1", To: geom.Vec{X: 5}, Kind: navmesh.Drop, Cost: 3, BothWays: true}),
		one(world.Connect{ID: "jump2", To: geom.Vec{X: 5}, Kind: navmesh.Teleport}),
		Ask{Question: AskPath, Places: at(geom.Vec{}, geom.Vec{X: 1, Z: 1})},
		Expect{Claim: ExpectLength, Value: 12.3, Tolerance: 0.01},
		Expect{Claim: ExpectCost, Value: 12.3, Tolerance: 0.01},
		Expect{Claim: ExpectNoPath},
		Ask{Question: AskLocate, Places: at(geom.Vec{})},
		Expect{Claim: ExpectAt, At: geom.Vec{Z: 0.001}, Tolerance: 1},
		Expect{Claim: ExpectNothing},
		Ask{Question: AskNearest, Places: at(geom.Vec{}), Reach: 3},
		Ask{Question: AskNearest, Places: at(geom.Vec{}), Reach: math.Inf(1)},
		Ask{Question: AskBlocked, Places: at(geom.Vec{})},
		Expect{Claim: ExpectBy, Names: []world.ID{"crate", "a crate"}},
		Ask{Question: AskOnWay, Places: at(geom.Vec{}, geom.Vec{X: 1}, geom.Vec{X: 1, Z: 1})},
		Ask{Question: AskFree, Places: at(geom.Vec{}), Reach: 2},
		Ask{Question: AskRaycast, Places: at(geom.Vec{}, geom.Vec{X: 1, Z: 1})},
		Expect{Claim: ExpectHit},
		Expect{Claim: ExpectClear},
		Expect{Claim: ExpectError, Text: "no floor"},
		Ask{Question: AskRegions},
		Expect{Claim: ExpectRegions, Value: 12},
		Ask{Question: AskArea},
		Expect{Claim: ExpectArea, Value: 3, Tolerance: DefaultTolerance},
		Ask{Question: AskValidate},
		Expect{Claim: ExpectFaults},
		Ask{Question: AskThings},
		Expect{Claim: ExpectThings},
		Expect{Claim: ExpectSame},
		Render{"now.png"},
	}
	if len(s) != len(want) {
		t.Fatalf("%d commands, want %d", len(s), len(want))
	}
	for i, c := range s {
		if !reflect.DeepEqual(c.Do, want[i]) {
			t.Errorf("line %d: %+v, want %+v", c.Line, c.Do, want[i])
		}
	}
	if s[4].Line != 6 || s[5].Line != 11 {
		t.Errorf("lines %d and %d, want 6 and 11", s[4].Line, s[5].Line)
	}
	again, err := Parse(strings.NewReader(s.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range s {
		if !reflect.DeepEqual(again[i].Do, s[i].Do) {
			t.Errorf("line %d reads as %+v after writing, before %+v", s[i].Line, again[i].Do, s[i].Do)
		}
	}
}

// TestAnglesStay writes angles and reads them: the same bits.
func TestAnglesStay(t *testing.T) {
	for i := range 2000 {
		yaw := math.Sin(float64(i)) * 7
		if i < 720 {
			yaw = geom.Degrees(float64(i) / 2)
		}
		text := EditString(world.Put{ID: "a", Solid: world.Box{Yaw: yaw}})
		s, err := Parse(strings.NewReader(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := s[0].Do.(Apply).Edits[0].(world.Put).Solid.(world.Box).Yaw; got != yaw {
			t.Errorf("%s reads as %v, want %v", text, got, yaw)
		}
	}
}

// TestFaultsNameLineAndWord: every kind of fault, with its line and its word.
func TestFaultsNameLineAndWord(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"dig a hole", `line 1: word 1, "dig": unknown command; commands: put`},
		{"add bridge box 0,0,0 size 1,1,1", `line 1: word 1, "add": no command adds floor: build the base with this floor`},
		{"nearest 0,0,0 within -1", `word 4, "-1": want a distance in metres of 0 or more`},
		{"free 0,0,0 within nan", `word 4, "nan": want a distance in metres of 0 or more`},
		{"\n# x\nput", `line 3: the line ends after word 1, want the name of a thing`},
		{"put a", `want a shape`},
		{"put a sphere", `word 3, "sphere": unknown shape; shapes: box`},
		{"put a box 1,2", `word 4, "1,2": want the middle of the bottom x,y,z`},
		{"put a box 1,2,3,4 size 1,1,1", `word 4, "1,2,3,4"`},
		{"put a box 1,2,x size 1,1,1", `word 4, "1,2,x"`},
		{"put a box 1,2,3 siez 1,1,1", `word 5, "siez": want "size"`},
		{"put a box 1,2,3 size 1,1,1 yaw 3degrees", `word 8, "3degrees": want an angle in degrees`},
		{"put a box 1,2,3 size 1,1,1 yaw 3 4", `word 9, "4": the command is complete`},
		{"put a cylinder 1,2,3 radius r height 1", `word 6, "r": want a radius in metres`},
		{"put a prism 1,2 3", `word 5, "3": want a corner x,z, or from`},
		{"put a prism 1,2 3,4", `the line ends after word 5, want a corner`},
		{"put a mesh of 0,0,0 faces 0,1", `word 7, "0,1": want three numbers`},
		{"put a mesh of 0,0,0 faces 0,1,x", `word 7, "0,1,x": want three numbers`},
		{"put a mesh rock.obj", `word 4, "rock.obj": open rock.obj: file does not exist`},
		{"put a mesh ../rock.obj", `word 4, "../rock.obj": the file is not in the folder of the script`},
		{"put a mesh /etc/passwd", `the file is not in the folder of the script`},
		{"put a mesh broken.obj", `word 4, "broken.obj": obj: line 1`},
		{`put "a`, `word 2: the quote does not end`},
		{`put "a"b`, `word 2: text follows the closing quote`},
		{"paint a box 0,0,0 size 1,1,1 aera b", `word 7, "aera": want area, cost, set, clear or priority`},
		{"paint a box 0,0,0 size 1,1,1 set 1 set 2", `word 9, "set": the word is there twice`},
		{"paint a box 0,0,0 size 1,1,1 set 4294967296", `word 8, "4294967296": want flags`},
		{"paint a box 0,0,0 size 1,1,1 priority 1.5", `word 8, "1.5": want an integer`},
		{"connect a 0,0,0 1,1,1 fly", `word 5, "fly": want a kind of link: jump`},
		{"batch\nopen a", `line 1: the batch has no end`},
		{"batch\nbatch", `line 2: word 1, "batch": unknown edit in a batch`},
		{"end", `word 1, "end": unknown command`},
		{"radius -1", `word 2, "-1": want a radius in metres of 0 or more`},
		{"radius inf", `word 2, "inf": want a radius in metres of 0 or more`},
		{"expect wonders", `word 2, "wonders": unknown claim; claims: length`},
		{"expect no way", `word 3, "way": want "path"`},
		{"expect regions 1.5", `word 3, "1.5": want a number of 0 or more`},
		{"expect length 1 0.1", `word 4, "0.1": want a tolerance`},
		{"expect length 1 ±-1", `word 4, "±-1": want a tolerance`},
		{"expect length 1 ±nan", `want a tolerance`},
		{"open \xff\x1b[31m", `word 1`},
		{strings.Repeat("x", MaxLine+1), `line 1: more than`},
		{"\n" + strings.Repeat("area\n", MaxCommands+1), fmt.Sprintf(`line %d: more than`, MaxCommands+2)},
	} {
		if c.want == "word 1" { // a foreign byte is a name like any other
			if _, err := Parse(strings.NewReader(c.text), folder); err != nil {
				t.Errorf("%q: %v", c.text, err)
			}
			continue
		}
		_, err := Parse(strings.NewReader(c.text), folder)
		if err == nil || !strings.HasPrefix(err.Error(), "script: line ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: error %v, want %q", c.text, err, c.want)
		}
		if err != nil && (len(err.Error()) > 400 || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%.40q: an error of %d bytes", c.text, len(err.Error()))
		}
	}
	if _, err := Parse(nil, nil); err == nil {
		t.Error("a nil reader is accepted")
	}
	broken := errors.New("broken")
	if _, err := Parse(iotest.ErrReader(broken), nil); !errors.Is(err, broken) {
		t.Errorf("a broken reader: %v", err)
	}
}

// TestFilesStayInTheFolder follows a link out of the folder: an error.
func TestFilesStayInTheFolder(t *testing.T) {
	outside, inside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "rock.obj"), []byte(tetrahedron), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "rock.obj"), filepath.Join(inside, "rock.obj")); err != nil {
		t.Skip(err)
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := Parse(strings.NewReader("put a mesh rock.obj"), root.FS()); err == nil {
		t.Error("a link out of the folder is followed")
	}
}

// endless is a file of triangles without an end.
type endless struct{}

func (endless) Stat() (fs.FileInfo, error) { return nil, fs.ErrInvalid }

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '#'
	}
	return len(b), nil
}

func (endless) Close() error { return nil }

type endlessFolder struct{}

func (endlessFolder) Open(string) (fs.File, error) { return endless{}, nil }

// TestHostileScripts: long scripts and endless files are refused with little memory.
func TestHostileScripts(t *testing.T) {
	for name, text := range map[string]string{
		"short commands":  strings.Repeat("area\n", MaxBytes/5+1),
		"words":           strings.Repeat("prism "+strings.Repeat("a ", MaxLine/2-10)+"\n", 20),
		"an endless file": "put a mesh endless.obj\n",
	} {
		costtest.Within(t, 20*time.Second, 700, func() {
			if _, err := Parse(strings.NewReader(text), endlessFolder{}); err == nil {
				t.Errorf("%s: accepted", name)
			}
		})
	}
}

// FuzzParse looks for scripts that crash the reader, and for scripts that change when written and read again.
func FuzzParse(f *testing.F) {
	f.Add(every)
	for line := range strings.Lines(every) {
		f.Add(line)
	}
	f.Add("expect regions 1000000")
	f.Add("put a prism from 1 to nan")
	f.Add("put \"\\xff\" mesh of faces yaw -inf")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(strings.NewReader(text), folder)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "script: ") {
				t.Errorf("the error does not say where: %v", err)
			}
			return
		}
		written := s.String()
		again, err := Parse(strings.NewReader(written), nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, written)
		}
		if got := again.String(); got != written { // as text, because NaN is no number equal to itself
			t.Errorf("written as\n%s\nreads as\n%s", written, got)
		}
	})
}
