package flat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/level/internal/input"
)

// geoObject is any object of GeoJSON.
type geoObject struct {
	Type        string                     `json:"type"`
	ID          json.RawMessage            `json:"id"`
	Features    []json.RawMessage          `json:"features"`
	Geometry    json.RawMessage            `json:"geometry"`
	Geometries  []json.RawMessage          `json:"geometries"`
	Coordinates json.RawMessage            `json:"coordinates"`
	Properties  map[string]json.RawMessage `json:"properties"`
	CRS         json.RawMessage            `json:"crs"` // of GeoJSON before RFC 7946
}

// geoJSON reads one file.
type geoJSON struct {
	sketch
	other  int // geometries other than polygons
	total  int // positions
	crs    string
	origin *Geographic
	notes  []string
}

// decodeGeoJSON reads the polygons of a GeoJSON text (RFC 7946): degrees, or metres by the rule of [geoJSON.project].
// Every polygon is a shape.
func decodeGeoJSON(data []byte, opt source) (drawing, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errEmpty
	}
	// A position is three values or more: two numbers in brackets.
	if n := input.CountJSON(data); n > 8*opt.Limits.Triangles {
		return nil, fmt.Errorf("%d values of JSON: %w", n, opt.Limits.CheckPoints(opt.Limits.Triangles+1))
	}
	if err := checkJSON(data); err != nil {
		return nil, err
	}
	g := &geoJSON{sketch: sketch{scale: opt.Scale, limits: opt.Limits}}
	if err := g.object(data, "", geoFeature{}); err != nil {
		return nil, err
	}
	if !opt.scaled {
		if err := g.project(); err != nil {
			return nil, err
		}
	}
	if g.other > 0 {
		g.warn.Addf("geojson: %d points and lines left out", g.other)
	}
	return g, nil
}

// maxNested is the greatest depth of collections and features. Each level reads the text again; RFC 7946 has three
// levels.
const maxNested = 6

// geoFeature holds the properties around a geometry.
type geoFeature struct {
	depth    int
	obstacle bool
	labels   []string
}

// labelsOf returns the names of a feature by its properties, in their order.
func labelsOf(properties map[string]json.RawMessage) (labels []string) {
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		var value any
		if json.Unmarshal(properties[key], &value) != nil {
			continue
		}
		switch value.(type) {
		case string, bool, float64:
			labels = appendLabels(labels, key, fmt.Sprint(value))
		}
	}
	return labels
}

// appendLabels adds an attribute: as key=value, and alone where its value is a name.
func appendLabels(labels []string, key, value string) []string {
	labels = append(labels, key+"="+value)
	switch strings.ToLower(key) {
	case "class", "kind", "layer", "name", "type", "terrain", "ground", "surface":
		labels = append(labels, value)
	}
	return labels
}

// ignored is a JSON value to skip.
type ignored struct{}

// UnmarshalJSON takes anything.
func (*ignored) UnmarshalJSON([]byte) error { return nil }

// checkJSON returns an error with the line of invalid JSON.
func checkJSON(data []byte) error {
	err := json.Unmarshal(data, &ignored{})
	if fault := (*json.SyntaxError)(nil); errors.As(err, &fault) {
		line := 1 + bytes.Count(data[:min(fault.Offset, int64(len(data)))], []byte("\n"))
		return fmt.Errorf("line %d: %w", line, err)
	}
	return err
}

// object reads a collection, a feature or a geometry. where names the container.
func (g *geoJSON) object(data []byte, where string, of geoFeature) error {
	if of.depth++; of.depth > maxNested {
		return in(where, fmt.Errorf("nested deeper than %d objects", maxNested))
	}
	var o geoObject
	if err := json.Unmarshal(data, &o); err != nil {
		return in(where, fieldError(err))
	}
	if of.depth == 1 {
		g.crs = crsName(o.CRS)
	}
	switch o.Type {
	case "FeatureCollection":
		for i, f := range o.Features {
			if err := g.object(f, join(where, fmt.Sprintf("feature %d", i)), of); err != nil {
				return err
			}
		}
	case "Feature":
		if id := string(o.ID); id != "" && id != "null" && len(id) < 40 {
			where = fmt.Sprintf("%s (id %s)", join(where, ""), strings.Trim(id, `"`))
		}
		if len(o.Geometry) == 0 || string(o.Geometry) == "null" {
			return nil
		}
		of.obstacle = of.obstacle || saysObstacle(o.Properties)
		of.labels = nearest(append(labelsOf(o.Properties), of.labels...))
		return g.object(o.Geometry, where, of)
	case "GeometryCollection":
		for i, part := range o.Geometries {
			if err := g.object(part, join(where, fmt.Sprintf("geometry %d", i)), of); err != nil {
				return err
			}
		}
	case "Polygon":
		return g.polygon(o.Coordinates, where, of)
	case "MultiPolygon":
		parts, err := elements(o.Coordinates)
		if err != nil {
			return in(where, fmt.Errorf("coordinates: %w", err))
		}
		for i, part := range parts {
			if err := g.polygon(part, join(where, fmt.Sprintf("polygon %d", i)), of); err != nil {
				return err
			}
		}
	case "Point", "MultiPoint", "LineString", "MultiLineString":
		g.other++
	default:
		return in(where, fmt.Errorf("unknown GeoJSON type %.40q", o.Type))
	}
	return nil
}

// polygon reads the rings of a polygon.
func (g *geoJSON) polygon(data json.RawMessage, where string, of geoFeature) error {
	rings, err := elements(data)
	if err != nil {
		return in(where, fmt.Errorf("coordinates: %w", err))
	}
	if len(rings) == 0 {
		return nil // RFC 7946, section 3.1: an empty array is a null object
	}
	f := feature{where: join(where, ""), obstacle: of.obstacle, labels: of.labels}
	for r, ring := range rings {
		positions, err := elements(ring)
		if err != nil {
			return in(where, fmt.Errorf("ring %d: %w", r, err))
		}
		var points []point
		for k, position := range positions {
			p, err := geoPosition(position)
			if err != nil {
				return in(where, fmt.Errorf("ring %d, position %d: %w", r, k, err))
			}
			points = append(points, p)
			g.total++
			if err := g.limits.CheckPoints(g.total); err != nil {
				return in(where, fmt.Errorf("ring %d, position %d: %w in the map", r, k, err))
			}
		}
		if n := len(points); n > 1 && points[0] == points[n-1] {
			points = points[:n-1]
		}
		if len(points) < 3 {
			return in(where, fmt.Errorf("ring %d has %d positions; a ring needs 4, and the last must equal the first", r, len(positions)))
		}
		f.rings = append(f.rings, points)
		f.names = append(f.names, fmt.Sprintf("%s, ring %d", f.where, r))
	}
	g.features = append(g.features, f)
	return nil
}

// elements returns the elements of an array.
func elements(data json.RawMessage) ([]json.RawMessage, error) {
	if len(data) == 0 {
		return nil, errors.New("missing")
	}
	var all []json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil || all == nil {
		return nil, fmt.Errorf("%.40q is not an array", data)
	}
	return all, nil
}

// geoPosition reads x and y of valid JSON; the rest of the file is not read.
func geoPosition(data json.RawMessage) (point, error) {
	inner, ok := bytes.CutPrefix(bytes.TrimSpace(data), []byte("["))
	x, rest, more := bytes.Cut(inner, []byte(","))
	end := bytes.IndexAny(rest, ",]")
	if !ok || !more || end < 0 {
		return point{}, positionError(data)
	}
	var p point
	var err error
	if p.x, err = strconv.ParseFloat(string(bytes.TrimSpace(x)), 64); err != nil {
		return point{}, positionError(data)
	}
	if p.y, err = strconv.ParseFloat(string(bytes.TrimSpace(rest[:end])), 64); err != nil {
		return point{}, positionError(data)
	}
	return p, nil
}

func positionError(data []byte) error {
	return fmt.Errorf("invalid position %.40q; want two numbers", data)
}

// saysObstacle reports whether the properties of a feature make it an obstacle: "walkable" is false,
// a property with the name of obstacles is true, or the class, kind, layer, name or type is such a
// name.
func saysObstacle(properties map[string]json.RawMessage) bool {
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		var value any
		if json.Unmarshal(properties[key], &value) != nil {
			continue
		}
		if tellsObstacle(key, fmt.Sprint(value)) {
			return true
		}
	}
	return false
}

// tellsObstacle reports whether a property makes its shape an obstacle.
func tellsObstacle(key, value string) bool {
	switch key = strings.ToLower(key); key {
	case "walkable":
		return value == "false" || value == "0" || value == "no"
	case "class", "kind", "layer", "name", "type":
		return isObstacleName(value)
	case "collides", "collide", "collider", "solid", "impassable":
		return value == "true" || value == "1" || value == "yes"
	}
	return isObstacleName(key) && (value == "true" || value == "1" || value == "yes")
}

// fieldError translates an error of encoding/json for the reader of the file.
func fieldError(err error) error {
	if fault := (*json.UnmarshalTypeError)(nil); errors.As(err, &fault) {
		if fault.Field == "" {
			return fmt.Errorf("found %s; want an object", fault.Value)
		}
		return fmt.Errorf("%s is a %s", fault.Field, fault.Value)
	}
	return err
}

// join adds a part to the name of its container; either may be empty.
func join(where, part string) string {
	switch {
	case where == "" && part == "":
		return "the polygon"
	case where == "":
		return part
	case part == "":
		return where
	}
	return where + ", " + part
}

// in puts the place in front of an error.
func in(where string, err error) error {
	if where == "" {
		return err
	}
	return fmt.Errorf("%s: %w", where, err)
}
