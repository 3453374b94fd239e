package terrain

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// whole is a file with every possible element.
const whole = `# A world.
terrain: 1
plain: field
guess: 0.5
groups:
  - name: road
    patterns: ["*asphalt*", tex/road??]
    words: [tarmac, car park]
    colors: ["#444", gray]
  - name: sidewalk
    patterns:
      - "*paving*"  # and more
  - name: crosswalk
  - name: river
methods:
  - name: walk
    speed: 1.5
    on: [sidewalk, crosswalk, field]
  - name: drive
    on: {road: {speed: 15}, crosswalk: {cost: 4, speed: 5}}
  - name: swim
    on: {river: 2}
  - name: fly
    includes: [walk, drive, swim]
    cost: 1
    speed: 20
crossings:
  - {name: hop, from: road, to: sidewalk, methods: drive, cost: 3}
  - name: drop
    from: sidewalk
    to: river
    methods: [walk, swim]
    oneway: true
paint:
  - mask: ground.png
    over: [-10, 0, 90.5, 100]
    tolerance: 0.25
    legend: {"#00ff00": field, blue: river}
  - splat: splat.png
    legend: {r: road, a: field}
  - map: town.geojson
    legend: {street*: road}
`

func parse(t *testing.T, text string) *Rules {
	t.Helper()
	r, err := Parse(strings.NewReader(text), "rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ignorePlaces compares rules without their places and comments.
var ignorePlaces = cmp.Options{
	cmpopts.IgnoreTypes(Place{}),
	cmpopts.IgnoreFields(Pattern{}, "Note"),
	cmpopts.EquateEmpty(),
}

func TestParse(t *testing.T) {
	got := parse(t, whole)
	want := &Rules{
		Plain: "field",
		Guess: 0.5,
		Groups: []Group{
			{
				Name: "road", Patterns: []Pattern{{Glob: "*asphalt*"}, {Glob: "tex/road??"}},
				Words: []string{"tarmac", "car park"}, Colors: []string{"#444", "gray"},
			},
			{Name: "sidewalk", Patterns: []Pattern{{Glob: "*paving*"}}},
			{Name: "crosswalk"},
			{Name: "river"},
		},
		Methods: []Method{
			{Name: "walk", Speed: 1.5, On: []Use{{Group: "sidewalk"}, {Group: "crosswalk"}, {Group: "field"}}},
			{Name: "drive", On: []Use{{Group: "road", Speed: 15}, {Group: "crosswalk", Cost: 4, Speed: 5}}},
			{Name: "swim", On: []Use{{Group: "river", Cost: 2}}},
			{Name: "fly", Includes: []string{"walk", "drive", "swim"}, Cost: 1, Speed: 20},
		},
		Crossings: []Crossing{
			{Name: "hop", From: "road", To: "sidewalk", Methods: []string{"drive"}, Cost: 3},
			{Name: "drop", From: "sidewalk", To: "river", Methods: []string{"walk", "swim"}, OneWay: true},
		},
		Paint: []Paint{
			{Mask: "ground.png", Over: &[4]float64{-10, 0, 90.5, 100}, Tolerance: 0.25, Legend: []Legend{{Key: "#00ff00", Group: "field"}, {Key: "blue", Group: "river"}}},
			{Splat: "splat.png", Legend: []Legend{{Key: "r", Group: "road"}, {Key: "a", Group: "field"}}},
			{Map: "town.geojson", Legend: []Legend{{Key: "street*", Group: "road"}}},
		},
	}
	if d := cmp.Diff(want, got, ignorePlaces); d != "" {
		t.Error(d)
	}
	for _, c := range []struct {
		what      string
		got, want Place
	}{
		{"group", got.Groups[1].Place, Place{10, 5}},
		{"pattern in brackets", got.Groups[0].Patterns[1].Place, Place{7, 29}},
		{"pattern of a list", got.Groups[1].Patterns[0].Place, Place{12, 9}},
		{"method", got.Methods[3].Place, Place{23, 5}},
		{"use", got.Methods[1].On[1].Place, Place{20, 29}},
		{"crossing", got.Crossings[1].Place, Place{29, 5}},
	} {
		if c.got != c.want {
			t.Errorf("%s at %v, want %v", c.what, c.got, c.want)
		}
	}
}

func TestWriteAndParse(t *testing.T) {
	odd := &Rules{
		Groups: []Group{
			{Name: "Straße \"9\"", Patterns: []Pattern{{Glob: "#x"}, {Glob: "- a: b", Note: "two\nlines # here"}, {Glob: `\*\\`}, {Glob: "tex&<>"}}},
			{Name: "true", Words: []string{"on", "null thing"}},
			{Name: "12"},
			{Name: "~"},
			{Name: "a\u2028b"},
		},
		Methods: []Method{{Name: "no", On: []Use{{Group: "12", Cost: 1e-9}, {Group: "true", Speed: 123456789012}}}},
	}
	for _, r := range []*Rules{parse(t, whole), odd, Default(), {}} {
		var b, again bytes.Buffer
		if err := r.Write(&b); err != nil {
			t.Fatal(err)
		}
		got, err := Parse(bytes.NewReader(b.Bytes()), "written")
		if err != nil {
			t.Errorf("%v\n%s", err, b.Bytes())
			continue
		}
		if d := cmp.Diff(r, got, ignorePlaces); d != "" {
			t.Errorf("%s\n%s", d, b.Bytes())
		}
		if err := parse(t, b.String()).Write(&again); err != nil || strings.Contains(b.String(), " # ") == bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Errorf("written twice: %v\n%s\n%s", err, b.Bytes(), again.Bytes())
		}
	}
}

func TestDefaultIsValid(t *testing.T) {
	r := Default()
	if err := r.Validate(); err != nil {
		t.Error(err)
	}
	for i := range r.Groups {
		g := newGuesser(r.Groups, DefaultPlain).guess(r.Groups[i].Name, "")
		if g.group != i {
			t.Errorf("group %q is not taken by its own name", r.Groups[i].Name)
		}
	}
	r.Groups[0].Name = "changed"
	if Default().Groups[0].Name == "changed" {
		t.Error("callers share the default rules")
	}
}

// TestWrongFiles has a file for every fault, with its message.
func TestWrongFiles(t *testing.T) {
	const head = "terrain: 1\n"
	const world = head + "groups:\n  - name: road\n  - name: grass\nmethods:\n  - name: walk\n    on: [grass]\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "terrain: f: is empty"},
		{"only a comment", "# nothing\n", "terrain: f: is empty"},
		{"binary", "terrain: 1\nab\x00c", "terrain: f:2:3: is not text"},
		{"not UTF-8", "terrain: \xff", "terrain: f:1:10: is not text"},
		{"no YAML", "terrain: 1\ngroups: [", "terrain: f:3:1: is invalid YAML: "},
		{"a tab", "terrain: 1\ngroups:\n\t- name: x\n", "terrain: f:3:1: is invalid YAML: "},
		{"too deep", "a: " + strings.Repeat("[", 4001), "terrain: f:1:1: is nested deeper than 4000"},
		{"deep by blanks", "a:\n" + strings.Repeat(" ", 4001) + "b: 1", "terrain: f:2:1: is nested deeper than 4000"},
		{"deep by dashes", strings.Repeat("- ", 2001) + "b", "terrain: f:1:1: is nested deeper than 4000"},
		{"as deep as can be", "a: " + strings.Repeat("[", 4000), "terrain: f:"},
		{"as many dashes as can be", strings.Repeat("- ", 1999) + "b", "terrain: f:1:1: is a list"},
		{"two documents", "terrain: 1\n---\nterrain: 1\n", "terrain: f:3:1: a second document begins here"},
		{"a list", "- a\n", "terrain: f:1:1: is a list, must be a mapping of keys and values"},
		{"no version", "groups: []\n", "terrain: f:1:1: has no version: terrain: 1"},
		{"a later version", "terrain: 2\n", "terrain: f:1:1: terrain: version 2 is not known, there is 1"},
		{"unknown key", head + "grupps: []\n", `terrain: f:2:1: key "grupps" is not known, there are terrain, plain, guess, groups, methods, crossings, paint`},
		{"a key twice", head + "plain: a\nplain: b\n", `f:3:`},
		{"an anchor", head + "plain: &a b\n", "terrain: f:2:8: plain: is an anchor or an alias"},
		{"guess is a text", head + "guess: maybe\n", "terrain: f:2:8: guess: is a text, must be a number"},
		{"guess is too sure", head + "guess: 1.5\n", "terrain: f:2:8: guess: is 1.5, must be a confidence from 0 to 1"},
		{"guess is no number", head + "guess: .nan\n", "terrain: f:2:8: guess: is NaN, must be a confidence"},
		{"groups are a text", head + "groups: road\n", "terrain: f:2:9: groups: is a text, must be a list"},
		{"a group is a text", head + "groups:\n  - road\n", "terrain: f:3:5: group 1: is a text, must be a mapping"},
		{"a group without a name", head + "groups:\n  - words: [a]\n", "terrain: f:3:5: group 1: has no name"},
		{"a group twice", head + "groups:\n  - name: a\n  - name: a\n", `terrain: f:4:5: group "a": is there already`},
		{"a name with blanks", head + "groups:\n  - name: \" a\"\n", `terrain: f:3:5: group " a": has blanks around its name`},
		{"a name is a list", head + "groups:\n  - name: [a]\n", "terrain: f:3:11: group 1: name: is a list, must be a text"},
		{"unknown key of a group", head + "groups:\n  - name: a\n    pattern: b\n", `terrain: f:4:5: group "a": key "pattern" is not known, there are name, patterns, words, colors`},
		{"empty pattern", head + "groups:\n  - name: a\n    patterns: [\"\"]\n", `terrain: f:4:16: group "a": pattern "" is empty`},
		{"backslash in a pattern", head + "groups:\n  - name: a\n    patterns: ['tex\\grass']\n", `f:4:16: group "a": pattern "tex\\grass" has a \ that`},
		{"a word without letters", head + "groups:\n  - name: a\n    words: [\"12\"]\n", `terrain: f:3:5: group "a": word "12" has no letters`},
		{"no colour", head + "groups:\n  - name: a\n    colors: [\"#12345\"]\n", `terrain: f:3:5: group "a": colour "#12345" is neither #rrggbb nor a name`},
		{"unknown group", world + "  - name: drive\n    on: [road, gras]\n", `terrain: f:9:16: method "drive": group "gras" is not known, there are ground, road, grass`},
		{"a group twice in a method", world + "  - name: drive\n    on: [road, road]\n", `terrain: f:9:16: method "drive": group "road" is there already`},
		{"cost is 0", world + "  - name: drive\n    on: {road: 0}\n", `terrain: f:9:16: method "drive": on: road: is 0, must be above 0`},
		{"cost is negative", world + "  - name: drive\n    on: {road: {cost: -2}}\n", `terrain: f:9:23: method "drive": on: road: cost: is -2, must be above 0`},
		{"cost is infinite", world + "  - name: drive\n    on: {road: .inf}\n", `f:9:16: method "drive": on: road: is +Inf, must be above 0`},
		{"speed is 0", world + "  - name: drive\n    speed: 0\n", `terrain: f:9:12: method "drive": speed: is 0, must be above 0`},
		{"speed is a text", world + "  - name: drive\n    speed: fast\n", `terrain: f:9:12: method "drive": speed: is a text, must be a number`},
		{"unknown key of a use", world + "  - name: drive\n    on: {road: {price: 2}}\n", `terrain: f:9:17: method "drive": on: road: key "price" is not known, there are cost, speed`},
		{"unknown method", world + "  - name: fly\n    includes: [wlak]\n", `terrain: f:8:5: method "fly": includes the unknown method "wlak"; methods: walk, fly`},
		{"includes itself", world + "  - name: fly\n    includes: fly\n", `terrain: f:8:5: method "fly": includes itself: fly includes fly`},
		{"a cycle", world + "  - {name: a, includes: b}\n  - {name: b, includes: c}\n  - {name: c, includes: [walk, a]}\n", `method "a": includes itself: a includes b includes c includes a`},
		{"a crossing without a name", world + "crossings:\n  - {from: road, to: grass, methods: walk}\n", "f:9:5: crossing 1: has no name"},
		{"a crossing of nobody", world + "crossings:\n  - {name: hop, from: road, to: grass}\n", `f:9:5: crossing "hop": has no methods`},
		{"a crossing to nowhere", world + "crossings:\n  - {name: hop, from: road, to: moon, methods: walk}\n", `crossing "hop": group "moon" is not known`},
		{"a crossing to itself", world + "crossings:\n  - {name: hop, from: road, to: road, methods: walk}\n", `crossing "hop": is from "road" to itself, without a boundary`},
		{"a crossing of an unknown method", world + "crossings:\n  - {name: hop, from: road, to: grass, methods: crawl}\n", `crossing "hop": method "crawl" is not known, there are walk`},
		{"a crossing that gives", world + "crossings:\n  - {name: hop, from: road, to: grass, methods: walk, cost: -1}\n", `crossing "hop": cost is -1, must be 0 or more`},
		{"oneway is a text", world + "crossings:\n  - {name: hop, from: road, to: grass, methods: walk, oneway: please}\n", `crossing "hop": oneway: is a text, must be true or false`},
		{"two crossings of one boundary", world + "crossings:\n  - {name: a, from: road, to: grass, methods: walk}\n  - {name: b, from: grass, to: road, methods: walk, oneway: true}\n", `f:10:5: crossing "b": method "walk" crosses from "grass" to "road" by "a" already`},
		{"paint of nothing", world + "paint:\n  - legend: {red: road}\n", "f:9:5: paint 1: has 0 of mask, splat and map, must have one"},
		{"paint of two", world + "paint:\n  - {mask: a.png, splat: b.png, legend: {red: road}}\n", "has 2 of mask, splat and map"},
		{"paint without a legend", world + "paint:\n  - mask: a.png\n", `f:9:5: paint "a.png": has no legend: nothing would be painted`},
		{"a legend to nowhere", world + "paint:\n  - {mask: a.png, legend: {red: raod}}\n", `f:9:28: paint "a.png": group "raod" is not known`},
		{"a colour twice", world + "paint:\n  - {mask: a.png, legend: {red: road, \"#f00\": grass}}\n", `f:9:39: paint "a.png": legend: "#f00" is there already`},
		{"no colour in a legend", world + "paint:\n  - {mask: a.png, legend: {rosy: road}}\n", `legend: colour "rosy" is neither`},
		{"no channel", world + "paint:\n  - {splat: a.png, legend: {x: road}}\n", `legend: channel "x", must be r, g, b or a`},
		{"over of three", world + "paint:\n  - {mask: a.png, over: [1, 2, 3], legend: {red: road}}\n", "f:9:19: paint 1: over: has 3 numbers"},
		{"over the other way round", world + "paint:\n  - {mask: a.png, over: [9, 0, 3, 4], legend: {red: road}}\n", "over is from (9, 0) to (3, 4), must be from the least"},
		{"over infinity", world + "paint:\n  - {mask: a.png, over: [0, 0, .inf, 4], legend: {red: road}}\n", "over has a coordinate of +Inf"},
		{"a map over something", world + "paint:\n  - {map: a.svg, over: [0, 0, 1, 1], legend: {red: road}}\n", "over is for pictures"},
		{"negative tolerance", world + "paint:\n  - {mask: a.png, tolerance: -1, legend: {red: road}}\n", "tolerance is -1, must be 0 or more metres"},
	} {
		_, err := Parse(strings.NewReader(c.text), "f")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
			continue
		}
		faults := (*Faults)(nil)
		if !errors.As(err, &faults) || len(faults.List) == 0 || faults.Name != "f" {
			t.Errorf("%s: %T", c.name, err)
		}
	}
}

// TestNumbers reads YAML numbers, and refuses texts.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]float64{
		"2": 2, "2.5": 2.5, "1e6": 1e6, "2.5E-1": 0.25, ".5": 0.5, "1_000": 1000, "0x10": 16, "+3": 3,
		`"2"`: 0, "two": 0, "1e": 0, "true": 0, "1e999": 0, "-1": 0, ".inf": 0, "[1]": 0, "infinity": 0, "nan": 0,
	} {
		r, err := Parse(strings.NewReader("terrain: 1\nmethods:\n  - {name: a, speed: "+text+"}\n"), "f")
		if want == 0 {
			if err == nil {
				t.Errorf("%s is %g", text, r.Methods[0].Speed)
			}
			continue
		}
		if err != nil || r.Methods[0].Speed != want {
			t.Errorf("%s: %v, want %g", text, err, want)
		}
	}
}

func TestAllFaultsAreTold(t *testing.T) {
	const text = "terrain: 1\ngroups:\n  - name: a\n    colors: [x]\n  - name: a\nmethods:\n  - name: m\n    on: [b]\n"
	_, err := Parse(strings.NewReader(text), "f")
	want := `terrain: f:3:5: group "a": colour "x" is neither #rrggbb nor a name such as green
terrain: f:5:5: group "a": is there already
terrain: f:8:10: method "m": group "b" is not known, there are ground, a, a`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestValidateByHand(t *testing.T) {
	r := &Rules{Groups: []Group{{Name: "a", Patterns: []Pattern{{Glob: ""}}}}, Guess: -1}
	want := "terrain: guess: is -1, must be a confidence from 0 to 1\n" + `terrain: group "a": pattern "" is empty and would match nothing`
	if err := r.Validate(); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if err := (&Rules{}).Validate(); err != nil {
		t.Error(err)
	}
	many := &Rules{}
	for i := range 256 {
		many.Groups = append(many.Groups, Group{Name: strings.Repeat("g", i+1)})
	}
	if err := many.Validate(); err == nil || !strings.Contains(err.Error(), "257 areas with plain ground, 256 are possible") {
		t.Errorf("got %v", err)
	}
	many.Plain = "ggg"
	if err := many.Validate(); err != nil {
		t.Error(err)
	}
}

func TestLargeFilesAreRefused(t *testing.T) {
	_, err := Parse(strings.NewReader("terrain: 1\n"+strings.Repeat("# blah\n", MaxFile/7)), "f")
	if err == nil || !strings.Contains(err.Error(), "is larger than 1048576 bytes") {
		t.Errorf("got %v", err)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("no disk") }
func (broken) Write([]byte) (int, error) {
	return 0, errors.New("no disk")
}

func TestBrokenFiles(t *testing.T) {
	if _, err := Parse(broken{}, "f"); err == nil || err.Error() != "terrain: f: no disk" {
		t.Errorf("got %v", err)
	}
	if err := Default().Write(broken{}); err == nil {
		t.Error("nothing is said of a write that fails")
	}
}

// TestBracesInNames checks many names with a leading brace, as textures with holes have.
func TestBracesInNames(t *testing.T) {
	r := &Rules{Groups: []Group{{Name: "fence"}}}
	for i := range 300 {
		r.Groups[0].Patterns = append(r.Groups[0].Patterns, Pattern{Glob: strings.Repeat("{", i%3+1) + "fence", Note: "[ {"})
	}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	if got := parse(t, b.String()); len(got.Groups[0].Patterns) != 300 {
		t.Errorf("%d patterns", len(got.Groups[0].Patterns))
	}
}

// FuzzParse looks for files that crash the program, and for rules that change when written and read again.
func FuzzParse(f *testing.F) {
	f.Add(whole)
	f.Add(defaultFile)
	f.Add("terrain: 1\ngroups:\n- {name: a, patterns: b}\n")
	f.Add("terrain: 1\nplain: |\n  a\n  b\n")
	f.Add("? a\n: b\n")
	f.Add("terrain: !!int 1\n<<: *a\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse(strings.NewReader(text), "f")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "terrain: f") {
				t.Errorf("the error does not say where: %v", err)
			}
			return
		}
		var b bytes.Buffer
		if err := r.Write(&b); err != nil {
			t.Fatal(err)
		}
		again, err := Parse(&b, "f")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if d := cmp.Diff(r, again, ignorePlaces); d != "" {
			t.Error(d)
		}
	})
}
