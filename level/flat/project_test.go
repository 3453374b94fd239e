package flat

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// geodesic returns the length of the shortest line on the ellipsoid between two places: T. Vincenty, Direct and inverse
// solutions of geodesics on the ellipsoid, Survey Review 23 (1975).
func geodesic(a, b Geographic) float64 {
	f := 1 - math.Sqrt(1-eccentricity)
	short := earthRadius * (1 - f)
	u1 := math.Atan((1 - f) * math.Tan(radians(a.Latitude)))
	u2 := math.Atan((1 - f) * math.Tan(radians(b.Latitude)))
	l := radians(b.Longitude - a.Longitude)
	s1, c1, s2, c2 := math.Sin(u1), math.Cos(u1), math.Sin(u2), math.Cos(u2)
	lambda := l
	for range 100 {
		sin, cos := math.Sin(lambda), math.Cos(lambda)
		sinSigma := math.Hypot(c2*sin, c1*s2-s1*c2*cos)
		if sinSigma == 0 {
			return 0
		}
		cosSigma := s1*s2 + c1*c2*cos
		sigma := math.Atan2(sinSigma, cosSigma)
		sinAlpha := c1 * c2 * sin / sinSigma
		cos2 := 1 - sinAlpha*sinAlpha
		mid := 0.0
		if cos2 > 0 {
			mid = cosSigma - 2*s1*s2/cos2
		}
		c := f / 16 * cos2 * (4 + f*(4-3*cos2))
		next := l + (1-c)*f*sinAlpha*(sigma+c*sinSigma*(mid+c*cosSigma*(2*mid*mid-1)))
		if math.Abs(next-lambda) > 1e-14 {
			lambda = next
			continue
		}
		u := cos2 * (earthRadius*earthRadius - short*short) / (short * short)
		big := 1 + u/16384*(4096+u*(u*(320-175*u)-768))
		small := u / 1024 * (256 + u*(u*(74-47*u)-128))
		d := small * sinSigma * (mid + small/4*(cosSigma*(2*mid*mid-1)-small/6*mid*(4*sinSigma*sinSigma-3)*(4*mid*mid-3)))
		return short * big * (sigma - d)
	}
	return math.NaN()
}

// TestProjection compares lengths on the map with geodesics.
func TestProjection(t *testing.T) {
	if got := geodesic(Geographic{0, 0}, Geographic{0, 90}); math.Abs(got-10001965.729) > 0.01 {
		t.Fatalf("a quarter of a meridian of %f m", got)
	}
	for _, at := range []Geographic{{11.576124, 48.137154}, {-70.6, -33.45}, {0, 0}, {179.5, 64.1}, {15.6, 78.2}} {
		m := newMercator(at)
		for _, reach := range []struct{ metres, limit float64 }{{100, 1e-9}, {9000, 1e-6}, {130_000, 1. / 4000}} {
			for turn := range 8 {
				sin, cos := math.Sincos(float64(turn) * math.Pi / 4)
				north := reach.metres * sin / metresDegree
				east := reach.metres * cos / metresDegree / math.Cos(radians(at.Latitude+north))
				there := Geographic{at.Longitude + east, at.Latitude + north}
				beside := Geographic{there.Longitude + 1e-4, there.Latitude + 1e-4}
				p, q := m.project(point{there.Longitude, there.Latitude}), m.project(point{beside.Longitude, beside.Latitude})
				drawn, want := math.Hypot(p.x-q.x, p.y-q.y), geodesic(there, beside)
				// The two lengths have rounding of nanometres.
				if off := math.Abs(drawn-want) - 1e-7; off > reach.limit*want {
					t.Errorf("%v, %g m away: a line of %.9f m is %.9f m on the map", at, reach.metres, want, drawn)
				}
				if whole := math.Hypot(p.x, p.y); math.Abs(whole-geodesic(at, there)) > 1e-6+reach.limit*whole {
					t.Errorf("%v, %g m away: %f m on the map", at, reach.metres, whole)
				}
				if north > 1e-9 && p.y <= 0 || east > 1e-9 && p.x <= 0 {
					t.Errorf("%v: %v is at %v", at, there, p)
				}
			}
		}
	}
}

// TestDegrees reads positions as degrees or as metres, and tells which.
func TestDegrees(t *testing.T) {
	box := func(x, y, dx, dy float64, more string) string {
		return fmt.Sprintf(`{"type":"Polygon",%[1]s"coordinates":[[[%[2]v,%[3]v],[%[4]v,%[3]v],[%[4]v,%[5]v],[%[2]v,%[5]v]]]}`, more, x, y, x+dx, y+dy)
	}
	utm := `"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::32632"}},`
	old := `"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},`
	for _, c := range []struct {
		name, text string
		scale      float64
		area, off  float64
		note       string
	}{
		{"a block", box(11.576, 48.137, 0.002, 0.001, ""), 0, 148.86 * 111.20, 20, "coordinates are degrees, projected to metres; x 0, z 0 is at latitude 48.1375, longitude 11.577;"},
		{"a block of old", box(11.576, 48.137, 0.002, 0.001, old), 0, 148.86 * 111.20, 20, "coordinates are degrees"},
		{"a block in metres", box(11.576, 48.137, 0.002, 0.001, utm), 0, 0, 1e-5, `coordinates are taken as metres of "urn:ogc:def:crs:EPSG::32632"`},
		{"a unit", box(11.5, 48, 2, 1, ""), 1, 2, 0, ""},
		{"a large unit", box(11.5, 48, 2, 1, ""), 3, 18, 0, ""},
		{"a hall", box(0, 0, 20, 10, ""), 0, 200, 0, "coordinates are taken as metres: as degrees of RFC 7946 the map would be 2218 × 1113 km"},
		{"a hall by the equator", box(0, 0, 3, 0.5, ""), 0, 1.5, 0, "coordinates are taken as metres"},
		{"eastings", box(690000, 5334000, 20, 10, ""), 0, 200, 0, ""},
	} {
		m, err := read("a.geojson", c.text, Options{Scale: c.scale})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := area(m); math.Abs(got-c.area) > c.off {
			t.Errorf("%s: %g m², want %g", c.name, got, c.area)
		}
		if all := strings.Join(m.Notes, "\n"); !strings.HasPrefix(all, c.note) || (c.note == "") != (all == "") {
			t.Errorf("%s: notes %q, want %q", c.name, all, c.note)
		}
		if inDegrees := strings.HasPrefix(c.note, "coordinates are degrees"); (m.Origin != nil) != inDegrees {
			t.Errorf("%s: origin %v", c.name, m.Origin)
		}
	}
	if _, err := read("a.geojson", box(0, 84.5, 0.1, 0.1, ""), Options{}); err == nil || !strings.Contains(err.Error(), "reaches latitude 84.6") {
		t.Errorf("a map by the pole: %v", err)
	}
}
