// Card of the projection of GeoJSON:
//
// Source: J. P. Snyder, Map Projections: A Working Manual, U.S. Geological Survey Professional Paper 1395 (1987):
// transverse Mercator for the ellipsoid, equations 8-9 and 8-10 with a scale of 1 at the middle, 3-21 for the meridian.
//
// Idea: the projection about the middle of the map keeps angles, and lengths near the middle.
//
// Input: degrees to the east and to the north on WGS 84, as RFC 7946 has them.
//
// Guarantees:
//  1. lengths are right to within a part in 10⁶ up to 9 km from the middle, and a part in 4000 at the ends of the largest
//     map: TestProjection, against geodesics;
//  2. the same text makes the same coordinates on every machine: sines by series, sums of rounded products.
//
// Degenerate cases: a map that reaches beyond 84° is refused, and so is a map wider than a map may be.
//
// Cost: O(n).
//
// Departures: none.

package flat

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// WGS 84.
const (
	earthRadius  = 6378137.0 // m, at the equator
	eccentricity = 0.00669437999014
	metresDegree = 111320.0 // about the length of a degree of the equator
	poles        = 84.0     // degrees, beyond which no map is projected
)

// crsName returns the name of a coordinate reference system, empty for none.
func crsName(text json.RawMessage) string {
	var crs struct {
		Properties struct {
			Name string `json:"name"`
		} `json:"properties"`
	}
	if json.Unmarshal(text, &crs) != nil {
		return ""
	}
	return crs.Properties.Name
}

// isDegrees reports whether a reference system is longitude and latitude on WGS 84.
func isDegrees(crs string) bool {
	return crs == "" || strings.HasSuffix(crs, "CRS84") || strings.HasSuffix(crs, "EPSG::4326") || strings.HasSuffix(crs, "EPSG:4326")
}

// project turns degrees into metres. RFC 7946 knows degrees only, but files in metres exist. Positions are degrees if a map
// of them is small enough to be read; a map as small in metres would have no room for an agent. A crs of another
// system says metres. Where degrees would be too large, metres are taken, and a note says so.
func (g *geoJSON) project() error {
	lo, hi := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, f := range g.features {
		for _, ring := range f.rings {
			for _, p := range ring {
				lo = point{min(lo.x, p.x), min(lo.y, p.y)}
				hi = point{max(hi.x, p.x), max(hi.y, p.y)}
			}
		}
	}
	if !(lo.x >= -180 && hi.x <= 180 && lo.y >= -90 && hi.y <= 90) {
		return nil // no degrees
	}
	if !isDegrees(g.crs) {
		g.notes = append(g.notes, fmt.Sprintf("coordinates are taken as metres of %.60q", g.crs))
		return nil
	}
	high := (hi.y - lo.y) * metresDegree
	_, cos := geom.SincosDegrees(lo.y/2 + hi.y/2)
	wide := (hi.x - lo.x) * metresDegree * cos
	if most := float64(lattice.MaxCoord) * lattice.Unit * 0.999; max(high, wide) > most {
		g.notes = append(g.notes, fmt.Sprintf("coordinates are taken as metres: as degrees of RFC 7946 the map would be %.4g × %.4g km", wide/1000, high/1000))
		return nil
	}
	if lo.y < -poles || hi.y > poles {
		return fmt.Errorf("a map in degrees that reaches latitude %g: maps are projected within ±%g; --scale 1 takes coordinates as metres", max(-lo.y, hi.y), poles)
	}
	micro := func(v float64) float64 { return math.Round(v*1e6) / 1e6 }
	at := Geographic{Longitude: micro(lo.x/2 + hi.x/2), Latitude: micro(lo.y/2 + hi.y/2)}
	t := newMercator(at)
	for _, f := range g.features {
		for _, ring := range f.rings {
			for k, p := range ring {
				ring[k] = t.project(p)
			}
		}
	}
	g.origin = &at
	g.notes = append(g.notes, fmt.Sprintf("coordinates are degrees, projected to metres; x 0, z 0 is at latitude %g, longitude %g; --scale 1 takes them as metres", at.Latitude, at.Longitude))
	return nil
}

// mercator is a transverse Mercator projection about a place.
type mercator struct {
	longitude, north float64 // degrees, and metres of the place along the meridian
}

func newMercator(at Geographic) mercator {
	return mercator{longitude: at.Longitude, north: meridian(at.Latitude)}
}

// meridian returns the distance along a meridian from the equator, in metres: equation 3-21.
func meridian(latitude float64) float64 {
	const e2 = eccentricity
	const e4, e6 = e2 * e2, e2 * e2 * e2
	sin2, _ := geom.SincosDegrees(2 * latitude)
	sin4, _ := geom.SincosDegrees(4 * latitude)
	sin6, _ := geom.SincosDegrees(6 * latitude)
	sum := float64((1 - e2/4 - 3*e4/64 - 5*e6/256) * radians(latitude))
	sum -= float64((3*e2/8 + 3*e4/32 + 45*e6/1024) * sin2)
	sum += float64((15*e4/256 + 45*e6/1024) * sin4)
	sum -= float64((35 * e6 / 3072) * sin6)
	return float64(earthRadius * sum)
}

func radians(degrees float64) float64 { return float64(degrees * (math.Pi / 180)) }

// project returns the place of a longitude and a latitude in metres to the east and to the north.
func (m mercator) project(p point) point {
	const e2 = eccentricity
	const second = e2 / (1 - e2)
	sin, cos := geom.SincosDegrees(p.y)
	tan := sin / cos
	t := float64(tan * tan)
	c := float64(second * float64(cos*cos))
	a := float64(radians(p.x-m.longitude) * cos)
	a2 := float64(a * a)
	n := earthRadius / math.Sqrt(1-float64(e2*float64(sin*sin)))
	x3 := float64((1 - t + c) * float64(a2/6))
	x5 := float64((5 - float64(18*t) + float64(t*t) + float64(72*c) - 58*second) * float64(float64(a2*a2)/120))
	y2 := float64(a2 / 2)
	y4 := float64((5 - t + float64(9*c) + float64(4*float64(c*c))) * float64(float64(a2*a2)/24))
	y6 := float64((61 - float64(58*t) + float64(t*t) + float64(600*c) - 330*second) * float64(float64(a2*float64(a2*a2))/720))
	return point{
		x: float64(float64(n*a) * (1 + x3 + x5)),
		y: meridian(p.y) - m.north + float64(float64(n*tan)*(y2+y4+y6)),
	}
}
