package meadow

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/build/tiles"
	"github.com/meadow-nav/meadow/internal/excerpt"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/navmesh"
)

// tileSheet is the list of a level's tiles, and everything that a join needs besides: the file tiles.json of docs/formats/tiles.md.
type tileSheet struct {
	Version   int             `json:"meadow_tiles"`
	Level     string          `json:"level,omitempty"`
	Triangles int             `json:"triangles"`
	Extent    [3]float64      `json:"extent"` // of the level, metres
	Size      float64         `json:"size"`
	Extractor string          `json:"extractor"`
	Generator string          `json:"generator"`
	Agent     Agent           `json:"agent"`
	Settings  Settings        `json:"settings"`
	Starts    [][3]float64    `json:"starts,omitempty"`
	Markers   []sheetMarker   `json:"markers,omitempty"`
	Warnings  []string        `json:"warnings,omitempty"`
	Methods   []sheetMethod   `json:"methods,omitempty"`
	Crossings []sheetCrossing `json:"crossings,omitempty"`
	Tiles     []sheetTile     `json:"tiles"`

	markers   []level.Marker
	methods   []navmesh.Method
	crossings []navmesh.Crossing
	tiles     []tiles.Entry
}

// sheetMethod is a method to move. A cost of 0 closes an area.
type sheetMethod struct {
	Name      string    `json:"name"`
	Costs     []float32 `json:"costs"`
	Speeds    []float32 `json:"speeds"`
	Crossings []uint32  `json:"crossings,omitempty"`
}

type sheetCrossing struct {
	Name string  `json:"name"`
	From uint8   `json:"from"`
	To   uint8   `json:"to"`
	Cost float32 `json:"cost"`
}

type sheetMarker struct {
	Name string       `json:"name,omitempty"`
	Kind string       `json:"kind,omitempty"`
	Hull [][3]float64 `json:"hull"`
}

type sheetTile struct {
	East  int64  `json:"east"`
	North int64  `json:"north"`
	Key   string `json:"key"`
}

// sheetVersion is the version of the sheet.
const sheetVersion = 1

// mostSheet bounds the bytes of a sheet: some 150 for each tile.
const mostSheet = 1 << 26

// note takes over what the join needs to know of a level and its options.
func (s *tileSheet) note(lvl *level.Level, floor *FloorOptions, mesh *MeshOptions) {
	size := lvl.Bounds().Size()
	s.Version, s.Level, s.Triangles, s.Agent = sheetVersion, text(lvl.Name), len(lvl.Triangles), floor.Agent
	s.Extent = [3]float64{size.X, size.Y, size.Z}
	s.Extractor, s.Generator = floor.Extractor.Name(), mesh.Generator.Name()
	s.Settings.note(floor)
	s.Settings.noteMesh(mesh)
	s.Settings.Keep, s.Settings.KeepAll, s.Settings.KeepArea = nil, false, 0
	for _, v := range lvl.Starts() {
		if v.IsFinite() {
			s.Starts = append(s.Starts, [3]float64{v.X, v.Y, v.Z})
		}
	}
	if floor.NoMarkers {
		return
	}
	for _, m := range lvl.Markers {
		// A sheet has no numbers beyond the finite ones, and a marker with other corners has no effect.
		k := level.Marker{Name: strings.ToValidUTF8(m.Name, "\uFFFD"), Kind: strings.ToValidUTF8(m.Kind, "\uFFFD"), Hull: m.Hull}
		if slices.ContainsFunc(m.Hull, func(v Vec) bool { return !v.IsFinite() }) {
			k.Hull = nil
		}
		s.markers = append(s.markers, k)
	}
}

// generation tells in words all options of a tile that the tile's key does not know otherwise.
func (s *tileSheet) generation() string {
	b, err := json.Marshal(struct {
		Generator string
		Settings  Settings
	}{s.Generator, s.Settings})
	if err != nil {
		panic(err) // options are checked for finite numbers
	}
	return string(b)
}

func (s *tileSheet) encode() ([]byte, error) {
	out := *s
	for _, m := range s.methods {
		k := sheetMethod{m.Name, slices.Clone(m.Costs), m.Speeds, m.Crossings}
		for i, c := range k.Costs {
			if math.IsInf(float64(c), 1) {
				k.Costs[i] = 0
			}
		}
		out.Methods = append(out.Methods, k)
	}
	for _, m := range s.markers {
		k := sheetMarker{Name: m.Name, Kind: m.Kind, Hull: [][3]float64{}}
		for _, v := range m.Hull {
			k.Hull = append(k.Hull, [3]float64{v.X, v.Y, v.Z})
		}
		out.Markers = append(out.Markers, k)
	}
	for _, c := range s.crossings {
		out.Crossings = append(out.Crossings, sheetCrossing{c.Name, c.From, c.To, c.Cost})
	}
	for _, e := range s.tiles {
		out.Tiles = append(out.Tiles, sheetTile{e.East, e.North, hex.EncodeToString(e.Key[:])})
	}
	b, err := json.MarshalIndent(&out, "", " ")
	if err != nil {
		return nil, fmt.Errorf("meadow: tiles: %w", err)
	}
	return append(b, '\n'), nil
}

// readSheet reads a sheet, which may come from anybody.
func readSheet(r io.Reader) (*tileSheet, error) {
	b, err := io.ReadAll(io.LimitReader(r, mostSheet+1))
	switch {
	case err != nil:
		return nil, err
	case len(b) > mostSheet:
		return nil, fmt.Errorf("sheet of more than %d bytes", mostSheet)
	}
	var s tileSheet
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, fmt.Errorf("sheet: %s", excerpt.Text(err.Error(), maxText, false))
	}
	if s.Version != sheetVersion {
		return nil, fmt.Errorf("sheet of version %d, known is %d", s.Version, sheetVersion)
	}
	if len(s.Tiles) > tiles.MostTiles {
		return nil, fmt.Errorf("sheet: %d tiles, at most %d", len(s.Tiles), tiles.MostTiles)
	}
	if err := s.Agent.Validate(); err != nil {
		return nil, fmt.Errorf("sheet: %w", err)
	}
	for i, t := range s.Tiles {
		e := tiles.Entry{ID: tiles.ID{East: t.East, North: t.North}}
		if n, err := hex.Decode(e.Key[:], []byte(t.Key[:min(len(t.Key), 2*len(e.Key))])); err != nil || n != len(e.Key) || len(t.Key) != 2*n {
			return nil, fmt.Errorf("sheet: tile %d, %v: key %q is no key", i, e.ID, excerpt.Text(t.Key, 80, false))
		}
		if i > 0 && s.tiles[i-1].ID.Compare(e.ID) >= 0 {
			return nil, fmt.Errorf("sheet: tile %d, %v: the tiles are not in order", i, e.ID)
		}
		s.tiles = append(s.tiles, e)
	}
	for i, m := range s.Methods {
		k := navmesh.Method{Name: m.Name, Costs: m.Costs, Speeds: m.Speeds, Crossings: m.Crossings}
		for a, c := range k.Costs {
			if c == 0 {
				k.Costs[a] = float32(math.Inf(1))
			}
		}
		if len(m.Name) > maxText {
			return nil, fmt.Errorf("sheet: method %d: a name of %d bytes", i, len(m.Name))
		}
		s.methods = append(s.methods, k)
	}
	for i, c := range s.Crossings {
		if len(c.Name) > maxText {
			return nil, fmt.Errorf("sheet: crossing %d: a name of %d bytes", i, len(c.Name))
		}
		s.crossings = append(s.crossings, navmesh.Crossing{Name: c.Name, From: c.From, To: c.To, Cost: c.Cost})
	}
	for i, m := range s.Markers {
		k := level.Marker{Name: m.Name, Kind: m.Kind}
		for _, at := range m.Hull {
			v := Vec{X: at[0], Y: at[1], Z: at[2]}
			if !v.IsFinite() {
				return nil, fmt.Errorf("sheet: marker %d has a corner at %v", i, v)
			}
			k.Hull = append(k.Hull, v)
		}
		s.markers = append(s.markers, k)
	}
	for i, at := range s.Starts {
		if v := (Vec{X: at[0], Y: at[1], Z: at[2]}); !v.IsFinite() {
			return nil, fmt.Errorf("sheet: start %d is %v", i, v)
		}
	}
	if len(s.tiles) == 0 {
		return nil, errors.New("sheet without tiles")
	}
	return &s, nil
}

func (s *tileSheet) starts() []Vec {
	var all []Vec
	for _, at := range s.Starts {
		all = append(all, Vec{X: at[0], Y: at[1], Z: at[2]})
	}
	return all
}

func (s *tileSheet) extent() Vec { return Vec{X: s.Extent[0], Y: s.Extent[1], Z: s.Extent[2]} }

// report begins the report of a join.
func (s *tileSheet) report(keep KeepOptions) Report {
	r := Report{
		Level: text(s.Level), Triangles: s.Triangles, Extractor: text(s.Extractor), Generator: text(s.Generator), Agent: s.Agent,
		Settings: s.Settings, Warnings: slices.Clone(s.Warnings), Counts: map[string]int{},
	}
	r.Settings.Keep, r.Settings.KeepAll, r.Settings.KeepArea = slices.Clone(keep.Keep), keep.KeepAll, keep.KeepArea
	return r
}
