package flat

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

func svgOf(body string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">` + body + `</svg>`
}

func pathOf(d string) string { return svgOf(`<path d="` + d + `"/>`) }

// TestSVGPaths compares paths with plainer equivalents.
func TestSVGPaths(t *testing.T) {
	for _, test := range []struct{ name, d, same string }{
		{"relative lines", "m1 1l4 0 0 3z", "M1,1 L5,1 L5,4 Z"},
		{"pairs behind a move are lines", "M1 1 5 1 5 4", "M1 1L5 1L5 4Z"},
		{"pairs behind a relative move too", "m1 1 4 0 0 3", "M1 1L5 1L5 4Z"},
		{"horizontal and vertical", "M1 1H5V4H1z", "M1 1L5 1L5 4L1 4Z"},
		{"their relative forms, repeated", "M1 1h1 3v1 2h-4", "M1 1L5 1L5 4L1 4Z"},
		{"numbers without blanks", "M.5.5L4.5.5 4.5-3.5", "M0.5 0.5L4.5 0.5L4.5 -3.5Z"},
		{"exponents", "M1e0 1E+0L50e-1 1L5 4", "M1 1L5 1L5 4Z"},
		{"a line behind z begins where the ring began", "M1 1h2v2zl-9 0 0 -9z", "M1 1L3 1L3 3Z M1 1L-8 1L-8 -8Z"},
		{"a relative move behind z too", "M1 1h2v2zm5 0h2v2z", "M1 1L3 1L3 3Z M6 1L8 1L8 3Z"},
		{"smooth cubic", "M0 0C0 4 4 4 4 0S8-4 8 0V9H0", "M0 0C0 4 4 4 4 0C4 -4 8 -4 8 0V9H0"},
		{"smooth cubic behind a line", "M0 0L4 0S8-4 8 0V9H0", "M0 0L4 0C4 0 8 -4 8 0V9H0"},
		{"relative cubic", "M2 2c0 4 4 4 4 0s4-4 4 0v9h-8", "M2 2C2 6 6 6 6 2C6 -2 10 -2 10 2V11H2"},
		{"smooth quadratic", "M0 0Q2 4 4 0T8 0V9H0", "M0 0Q2 4 4 0Q6 -4 8 0V9H0"},
		{"smooth quadratic behind a line", "M0 0L4 0T8 0V9H0", "M0 0L4 0L8 0V9H0"},
		{"relative quadratic", "M1 1q2 4 4 0t4 0v9h-8", "M1 1Q3 5 5 1Q7 -3 9 1V10H1"},
		{"flags without blanks", "M0 0a5 5 0 0110 0v9H0", "M0 0A5 5 0 0 1 10 0V9H0"},
		{"an arc without radius is a line", "M0 0A0 5 0 0 1 9 0V9", "M0 0L9 0L9 9"},
		{"an arc to where it begins is nothing", "M0 0A5 5 0 1 1 0 0H9V9", "M0 0H9V9"},
		{"too small an arc grows", "M0 0A1 1 0 0 1 10 0V9H0", "M0 0A5 5 0 0 1 10 0V9H0"},
		{"negative radii", "M0 0A-5-5 0 0 1 10 0V9H0", "M0 0A5 5 0 0 1 10 0V9H0"},
		{"half a turn back and forth", "M0 0A5 5 0 1 0 10 0V-9H0", "M0 0A5 5 0 0 0 10 0V-9H0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := read("a.svg", pathOf(test.d), Options{})
			if err != nil {
				t.Fatal(err)
			}
			want, err := read("a.svg", pathOf(test.same), Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkDomains(t, got.Plan)
			if g, w := fmt.Sprint(corners(got)), fmt.Sprint(corners(want)); g != w {
				t.Errorf("%s\nis not %s", g, w)
			}
		})
	}
}

// TestSVGCurves measures curves: every corner is on the curve, and every middle of an edge within the
// tolerance of it.
func TestSVGCurves(t *testing.T) {
	onCircle := func(cx, cy, r float64) func(geom.Vec) float64 {
		return func(v geom.Vec) float64 { return math.Abs(math.Hypot(v.X-cx, v.Z-cy) - r) }
	}
	// The ellipse of half axes 20 and 10 around (30, 30), turned by 30° clockwise as seen.
	onEllipse := func(v geom.Vec) float64 {
		s, c := math.Sincos(math.Pi / 6)
		x, y := (v.X-30)*c+(v.Z-30)*s, -(v.X-30)*s+(v.Z-30)*c
		return 10 * math.Abs(math.Hypot(x/20, y/10)-1) // about the distance
	}
	onParabola := func(v geom.Vec) float64 { return math.Abs(v.Z-v.X*v.X/40) / 2 } // y = x²/40
	for _, test := range []struct {
		name, body string
		distance   func(geom.Vec) float64
		area       float64
	}{
		{"circle", `<circle cx="30" cy="30" r="20"/>`, onCircle(30, 30, 20), math.Pi * 400},
		{"arcs", `<path d="M10 30A20 20 0 0 0 50 30A20 20 0 0 0 10 30"/>`, onCircle(30, 30, 20), math.Pi * 400},
		{"a large arc and a small one", `<path d="M30 10A20 20 0 1 1 10 30A20 20 0 0 1 30 10"/>`, onCircle(30, 30, 20), math.Pi * 400},
		{"nearly a whole turn", `<path d="M30 10A20 20 0 1 1 29.9999 10"/>`, onCircle(30, 30, 20), math.Pi * 400},
		{"rounded until it is round", `<rect x="10" y="10" width="40" height="40" rx="99"/>`, onCircle(30, 30, 20), math.Pi * 400},
		{"a turned circle", `<circle r="10" transform="translate(30,30) rotate(77) scale(2)"/>`, onCircle(30, 30, 20), math.Pi * 400},
		{"ellipse", `<ellipse cx="30" cy="30" rx="20" ry="10" transform="rotate(30 30 30)"/>`, onEllipse, math.Pi * 200},
		{"an ellipse of arcs", `<g transform="translate(30 30)"><path d="M17.32050807568877 10A20 10 30 0 1 -17.32050807568877 -10A20 10 30 0 1 17.32050807568877 10"/></g>`, onEllipse, math.Pi * 200},
		{"parabola", `<path d="M-40 40Q0 -40 40 40"/>`, onParabola, 80*40 - 2.0/3*40*40},
		{"a parabola as a cubic", `<path d="M-40 40C-13.333333333333334 -13.333333333333334 13.333333333333334 -13.333333333333334 40 40"/>`, onParabola, 80*40 - 2.0/3*40*40},
	} {
		for _, tolerance := range []float64{0.5, 0.01, 0.001} {
			t.Run(fmt.Sprint(test.name, " ", tolerance), func(t *testing.T) {
				m, err := read("a.svg", svgOf(test.body), Options{Tolerance: tolerance})
				if err != nil {
					t.Fatal(err)
				}
				checkDomains(t, m.Plan)
				ring := corners(m)[0]
				for i, v := range ring {
					if d := test.distance(v); d > 2*lattice.Unit {
						t.Errorf("corner %d at %v is %g from the curve", i, v, d)
					}
					w := ring[(i+1)%len(ring)]
					straight := strings.Contains(test.name, "parabola") && v.Z > 39.99 && w.Z > 39.99 && v.Distance(w) > 70
					if d := test.distance(v.Add(w).Scale(0.5)); d > tolerance+2*lattice.Unit && !straight {
						t.Errorf("edge %d from %v to %v is %g from the curve", i, v, w, d)
					}
				}
				if a := area(m); math.Abs(a-test.area) > 200*(tolerance+0.001) {
					t.Errorf("area %g, want %g", a, test.area)
				}
				// As many corners as it takes and not four times as many.
				if n := len(ring); tolerance == 0.01 && n > 200 {
					t.Errorf("%d corners", n)
				}
			})
		}
	}
}

func TestSVGFiles(t *testing.T) {
	for _, test := range []struct {
		name, body string
		domains    int
		area       float64
		warnings   int
	}{
		{"a rectangle", `<rect x="1" y="2" width="3px" height="4"/>`, 1, 12, 0},
		{"a polygon", `<polygon points="0,0 4,0 4,4 0,4"/>`, 1, 16, 0},
		{"a polyline is closed", `<polyline points="0 0 4 0 4 4"/>`, 1, 8, 0},
		{"a hole by even-odd", `<path d="M0 0H4V4H0ZM1 1H2V2H1Z"/>`, 1, 15, 0},
		{"an obstacle by id", `<rect width="4" height="4"/><rect id="wall-1" x="1" y="1" width="1" height="1"/>`, 1, 15, 0},
		{"an obstacle by class", `<rect width="4" height="4"/><rect class="red obstacle" x="1" y="1" width="1" height="1"/>`, 1, 15, 0},
		{"an obstacle by its layer", `<rect width="4" height="4"/><g label="Walls"><g><rect x="1" y="1" width="1" height="1"/></g></g><rect x="9" width="1" height="1"/>`, 2, 16, 0},
		{"only obstacles", `<g id="walls"><rect x="1" y="1" width="10" height="10"/></g>`, 1, 9900, 0},
		{"transforms of groups", `<g transform="translate(10,20)"><g transform="scale(2 3)"><rect width="1" height="1" transform="matrix(1 0 0 1 5 5)"/></g></g>`, 1, 6, 0},
		{"skew keeps areas", `<rect width="2" height="2" transform="skewX(45)"/>`, 1, 4, 0},
		{"mirrored", `<rect width="2" height="2" transform="scale(-1,1)"/>`, 1, 4, 0},
		{"not filled", `<rect width="4" height="4"/><g style="fill:none;stroke:red"><rect x="9" width="1" height="1"/><rect x="19" width="1" height="1" fill="red"/></g>`, 2, 17, 1},
		{"not displayed", `<rect width="4" height="4"/><g display="none"><rect width="1" height="1"/></g>`, 1, 16, 0},
		{"lines, text, uses", `<rect width="4" height="4"/><line x1="3"/><text>walls</text><use href="#x"/><use href="#x"/>`, 1, 16, 3},
		{"uses", `<use href="#a" x="10"/><use href="#a" y="10" transform="scale(2)"/><defs><rect id="a" width="4" height="4"/></defs>`, 2, 16 + 64, 0},
		{"a used group", `<g id="a"><rect width="4" height="4"/><rect class="wall" x="1" y="1" width="1" height="1"/></g><use xlink:href="#a" xmlns:xlink="x" x="10"/>`, 2, 30, 0},
		{"a use in a use", `<defs><rect id="a" width="1" height="1"/><g id="b"><use href="#a"/><use href="#a" x="2"/></g></defs><use href="#b"/><use href="#b" x="10"/>`, 4, 4, 0},
		{"a used symbol", `<symbol id="s" viewBox="0 0 2 1"><rect width="2" height="1"/></symbol><use href="#s" width="20" height="20"/><use href="#s" x="50" width="20" height="20" class="wall"/>`, 1, 200, 0},
		{"a stretched symbol", `<symbol id="s" viewBox="0 0 2 1" preserveAspectRatio="none"><rect width="2" height="1"/></symbol><use href="#s" width="20" height="20"/>`, 1, 400, 0},
		{"units", `<rect width="1in" height="25.4mm"/><rect x="50%" width="50%" height="10%"/>`, 1, 96*96 - 46*10 + 500, 0},
		{"a style sheet", `<style>rect { fill: none } .on, #b {fill: red; color: x} rect.off { fill: none } @media print { .on { fill: none } }</style><rect width="9" height="9"/><rect class="on" width="4" height="4"/><rect id="b" x="10" width="2" height="2"/><rect class="on off" width="9" height="9"/><rect class="off" style="fill:red" x="20" width="1" height="1"/>`, 3, 21, 2},
		{"a hidden class", `<style><![CDATA[ .notes { display: none } ]]></style><rect width="4" height="4"/><g class="notes"><rect width="99" height="99"/></g>`, 1, 16, 0},
		{"a stroke without a name", `<rect width="4" height="4"/><path d="M10 0H20" fill="none" stroke="red"/>`, 1, 16, 1},
		{"a wall of a stroke", `<rect width="9" height="9"/><path class="wall" d="M-5 4H20" fill="none" stroke="red" stroke-width="2"/>`, 2, 81 - 18, 0},
		{"a line is a stroke", `<rect width="9" height="9"/><line id="wall-7" x1="3" y1="-5" x2="3" y2="20" stroke="red" stroke-width="2"/>`, 2, 81 - 18, 0},
		{"a road of a stroke", `<path class="road" d="M0 5H10V15" fill="none" stroke="red" stroke-width="2"/>`, 1, 20 + 20, 0},
		{"a road with round joins", `<path class="road" d="M0 5H10V15" fill="none" stroke="red" stroke-width="2" stroke-linejoin="round"/>`, 1, 39 + math.Pi/4, 0},
		{"a road with blunt joins", `<path class="road" d="M0 5H10V15" fill="none" stroke="red" stroke-width="2" style="stroke-linejoin:bevel"/>`, 1, 39.5, 0},
		{"caps", `<g class="roads" fill="none" stroke="red" stroke-width="2"><path d="M1 5H11" stroke-linecap="square"/><path d="M1 25H11" stroke-linecap="round"/><path d="M51 5h0" stroke-linecap="round"/></g>`, 3, 24 + 20 + 2*math.Pi, 0},
		{"a ring of a stroke", `<circle class="path" cx="20" cy="20" r="10" fill="none" stroke="red" stroke-width="2"/>`, 1, math.Pi * (121 - 81), 0},
		{"a frame of a stroke", `<rect class="path" x="10" y="10" width="10" height="10" fill="none" stroke="red" stroke-width="2"/>`, 1, 144 - 64, 0},
		{"a stretched stroke", `<path class="road" transform="scale(3 2)" d="M0 5H10" fill="none" stroke="red" stroke-width="2"/>`, 1, 120, 0},
		{"a sharp corner is cut off", `<path class="road" d="M0 10H10L0 10.1" fill="none" stroke="red" stroke-width="2"/>`, 1, 20.514, 0},
		{"a stroke beside a fill", `<rect width="4" height="4" stroke="red" stroke-width="2"/>`, 1, 16, 0},
		{"definitions", `<rect width="4" height="4"/><defs><rect width="9" height="9"/></defs><style>rect{}</style>`, 1, 16, 0},
		{"nothing to draw", `<rect width="4" height="4"/><rect width="0" height="4"/><circle r="0"/><path d=""/><polygon/>`, 1, 16, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := read("a.svg", svgOf(test.body), Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkDomains(t, m.Plan)
			off := 1e-3
			if strings.Contains(test.body, "round") || strings.Contains(test.body, "circle") {
				off = 0.3 // curves become lines
			}
			if len(m.Plan.Layers[0].Domains) != test.domains || math.Abs(area(m)-test.area) > off || len(m.Warnings) != test.warnings {
				t.Errorf("%d domains, area %g, warnings %q; want %d, %g, %d", len(m.Plan.Layers[0].Domains), area(m), m.Warnings, test.domains, test.area, test.warnings)
			}
		})
	}
	m, err := read("a.svg", svgOf(`<polygon points="1,2 3,2 3,5"/>`), Options{Scale: 2})
	if err != nil {
		t.Fatal(err)
	}
	// Y down is south, which is +Z.
	if got, want := corners(m)[0], []geom.Vec{{X: 2, Z: 4}, {X: 6, Z: 10}, {X: 6, Z: 4}}; !slices.Equal(got, want) {
		t.Errorf("corners %v, want %v", got, want)
	}
}

// TestEncodings reads drawings that are not in UTF-8.
func TestEncodings(t *testing.T) {
	body := "<svg viewBox='0 0 9 9'>\n<rect id='Stra\xdfe' width='4' height='4'/></svg>"
	wide := []byte{0xfe, 0xff}
	for _, c := range "<?xml version='1.0' encoding='UTF-16'?>" + strings.ReplaceAll(body, "\xdf", "ß") {
		wide = append(wide, byte(c>>8), byte(c))
	}
	for name, text := range map[string]string{
		"latin 1": `<?xml version="1.0" encoding="ISO-8859-1" standalone="no"?>` + body,
		"windows": `<?xml version='1.0' encoding = 'windows-1252'?>` + body,
		"utf-8":   "\ufeff" + `<?xml version="1.0" encoding="UTF-8"?>` + strings.ReplaceAll(body, "\xdf", "ß"),
		"utf-16":  string(wide),
		"no name": `<?xml version="1.0"?>` + strings.ReplaceAll(body, "\xdf", "ß"),
	} {
		shapes, err := DecodeShapes(strings.NewReader(text), "a.svg", Options{})
		if err != nil || len(shapes) != 1 || shapes[0].Names[0] != "Straße" {
			t.Errorf("%s: %v, %v", name, shapes, err)
		}
	}
	if _, err := read("a.svg", `<?xml version="1.0" encoding="KOI8-R"?><svg/>`, Options{}); err == nil || !strings.Contains(err.Error(), `encoding "koi8-r"; save the file as UTF-8`) {
		t.Errorf("error %v", err)
	}
}

func TestBadSVG(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "svg: the file is empty"},
		{"<!-- nothing -->", "no <svg> in the file"},
		{"hello", "no <svg> in the file"},
		{"\n<html/>", "line 2: root element <html>; want <svg>"},
		{"<svg>\n<g>\n</svg>", "line 3: element <g> closed by </svg>"},
		{"<svg>\n<rect width='1' height='1'/>", "line 2: unexpected EOF"},
		{"<svg viewBox='0 0 x'/>", "line 1: <svg>: viewBox: \"x\" at character 4 is not a number"},
		{"<svg/>", "no polygon"},
		{svgOf("\n<path d='L1 1'/>"), "line 2: <path>: the path begins with 'L'; want a move"},
		{svgOf("<path d='M1'/>"), `"" at character 2 is not a number`},
		{svgOf("<path d='M1 1 L x'/>"), `"x" at character 7 is not a number`},
		{svgOf("<path d='M1 1 B 2 2'/>"), `"B 2 2" at character 5 is not a command`},
		{svgOf("<path d='M0 0a5 5 0 2 1 10 0'/>"), `"2 1 10 0" at character 11 is not a flag`},
		{svgOf("<path d='M0 0a5 5 0 1'/>"), "is not a flag"},
		{svgOf("<rect width='1em' height='2'/>"), `invalid width "1em"; want a length`},
		{svgOf("<rect width='%' height='2'/>"), `invalid width "%"; want a length`},
		{"<svg><rect width='10%' height='2'/></svg>", `invalid width "10%"; the drawing has no viewBox`},
		{svgOf("<g stroke-width='-2'/>"), "a stroke-width of -2 is negative"},
		{svgOf("<g stroke-miterlimit='0'/>"), `invalid stroke-miterlimit "0"`},
		{svgOf("<g id='a'><use href='#a'/></g>"), "more than 16 <use> in each other"},
		{svgOf("<defs><symbol id='s' viewBox='0 x'/></defs><use href='#s'/>"), "viewBox:"},
		{svgOf("<rect width='-1' height='2'/>"), "a size of -1 is negative"},
		{svgOf("<circle r='-2'/>"), "a radius of -2 is negative"},
		{svgOf("<polygon points='1,2 3'/>"), `points: "" at character 5 is not a number`},
		{svgOf("<g transform='spin(3)'/>"), `line 1: <g>: unknown transform "spin" with 1 numbers`},
		{svgOf("<g transform='rotate(1 2)'/>"), `unknown transform "rotate" with 2 numbers`},
		{svgOf("<g transform='rotate(1'/>"), `invalid transform "rotate(1"; want a function`},
		{svgOf("<g transform='scale(x)'/>"), `"x" at character 0 is not a number`},
		{svgOf("<circle r='1e200'/>"), "invalid point"},
		{svgOf("<circle r='1e8'/>"), "check the scale"},
		{svgOf("<path d='M0 0Q9e5 9e7 9e5 0'/>"), "check the scale"},
		{svgOf("<path d='M0 0C1e308 1e308 -1e308 1e308 5 5'/>"), "invalid point"},
	} {
		_, err := read("a.svg", test.text, Options{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.80q: error %v, want %q", test.text, err, test.want)
		}
	}
}

// TestManyCurvePoints draws more than a map may hold.
func TestManyCurvePoints(t *testing.T) {
	p := &pen{tolerance: 1e-9, far: 1e9, to: identity, room: 1000}
	p.ellipse(point{}, 1e6, 1e6)
	if _, err := p.done(); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("error %v", err)
	}
}

// TestSVGNotes reads drawings with lengths of the real world: a note tells how large they become, unless a scale is given.
func TestSVGNotes(t *testing.T) {
	for _, c := range []struct {
		text  string
		scale float64
		want  string
	}{
		{`<svg width="200mm" height="200mm"><circle cx="100mm" cy="100mm" r="100mm"/></svg>`, 0, "each unit of the drawing is a metre, so that 1 mm becomes 3.78 m; --scale 0.2646 makes 1 mm a metre"},
		{`<svg><rect width="3in" height="4"/></svg>`, 0, "each unit of the drawing is a metre, so that 1 in becomes 96 m; --scale 0.01042 makes 1 in a metre"},
		{`<svg width="210mm" height="297mm" viewBox="0 0 210 297"><rect width="3" height="4"/></svg>`, 0, "each unit of the drawing is a metre, so that 1 mm becomes 1 m"},
		{`<svg width="20cm" height="20cm" viewBox="0 0 40 40"><rect width="3" height="4"/></svg>`, 0, "each unit of the drawing is a metre, so that 1 cm becomes 2 m; --scale 0.5 makes 1 cm a metre"},
		{`<svg width="200mm" height="200mm"><circle cx="100mm" cy="100mm" r="100mm"/></svg>`, 1, ""},
		{`<svg width="200px" height="200"><rect width="3px" height="4"/></svg>`, 0, ""},
	} {
		m, err := Decode(strings.NewReader(c.text), "a.svg", Options{Scale: c.scale})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(m.Notes, "|"); got != c.want {
			t.Errorf("%s: note %q, want %q", c.text, got, c.want)
		}
	}
}
