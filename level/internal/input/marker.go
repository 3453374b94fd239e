package input

import (
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// prefix starts the name of a group or node that is a marker and not a surface.
const prefix = "marker:"

// ParseMarker splits "marker:kind:name". Both parts may be empty, and the name may contain colons.
func ParseMarker(s string) (kind, name string, ok bool) {
	rest, ok := strings.CutPrefix(s, prefix)
	if !ok {
		return "", "", false
	}
	kind, name, _ = strings.Cut(rest, ":")
	return strings.TrimSpace(kind), strings.TrimSpace(name), true
}

// MarkerName is the inverse of [ParseMarker]; a colon in the kind becomes an underscore.
func MarkerName(m level.Marker) string {
	return prefix + strings.ReplaceAll(m.Kind, ":", "_") + ":" + m.Name
}

// Hull gathers distinct points in the order of their coming. The zero Hull is empty.
type Hull struct {
	Points []geom.Vec
	seen   map[geom.Vec]struct{}
}

// Add adds v if it is new.
func (h *Hull) Add(v geom.Vec) {
	if _, ok := h.seen[v]; ok {
		return
	}
	if h.seen == nil {
		h.seen = make(map[geom.Vec]struct{})
	}
	h.seen[v] = struct{}{}
	h.Points = append(h.Points, v)
}
