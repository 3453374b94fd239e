package streamfile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Part is a mesh of some tiles of a file. A Part never changes.
type Part struct {
	// Mesh has the regions of the tiles in the order of their numbers in the whole mesh. Its refs are its own.
	Mesh *navmesh.Mesh
	// Tiles are the tiles, ascending.
	Tiles []int
	// Gates are the ways into absent tiles, in the order of their regions.
	Gates []Gate

	tile    []int32  // of every region, in Tiles
	numbers []uint32 // of every region, in the whole mesh
	at      []int32  // the region with a number in the whole mesh, or absent
}

// Gate is a portal or a link into a tile that is absent.
type Gate struct {
	Region navmesh.Ref // in the part
	Tile   int         // the absent tile
	// Ends are the ends of the portal, or of the start of the link.
	Ends [2]lattice.Vertex
}

const absent = -1

// Compose returns the mesh of some tiles of one file. Portals and links into other tiles are left out, and listed as gates. The
// mesh has passed [navmesh.Mesh.Check]; tiles that contradict each other are an error. No tiles are a mesh without regions.
func Compose(tiles []*Tile) (*Part, error) {
	c := composer{tiles: slices.Clone(tiles)}
	slices.SortFunc(c.tiles, func(a, b *Tile) int { return cmp.Compare(a.Number, b.Number) })
	for i, t := range c.tiles {
		if t.file != c.tiles[0].file {
			return nil, errors.New("streamfile: tiles of two files")
		}
		if i > 0 && t.Number == c.tiles[i-1].Number {
			return nil, fmt.Errorf("streamfile: tile %d twice", t.Number)
		}
	}
	if len(c.tiles) == 0 {
		return &Part{Mesh: &navmesh.Mesh{}}, nil
	}
	c.file = c.tiles[0].file
	if err := c.compose(); err != nil {
		return nil, fmt.Errorf("streamfile: %w", err)
	}
	return &c.part, nil
}

// composer makes a Part.
type composer struct {
	file  *File
	tiles []*Tile
	part  Part
	out   navmesh.Tile
	// verts are the numbers of the vertices of every tile in out.
	verts  [][]uint32
	local  []uint32 // of every region, its index in its tile
	closed []bool   // portals into absent tiles
	walls  int      // the number of closed portals
}

func (c *composer) compose() error {
	for _, t := range c.tiles {
		c.part.Tiles = append(c.part.Tiles, t.Number)
	}
	if err := c.addRegions(); err != nil {
		return err
	}
	if err := c.addVertices(); err != nil {
		return err
	}
	c.addPortals()
	if err := c.joinPortals(); err != nil {
		return err
	}
	c.out.Generation = c.file.generation
	if err := c.addFloors(); err != nil {
		return err
	}
	out := c.out
	if c.walls > 0 {
		out = c.out.Without(c.closed)
		c.keepPassages(&out)
	}
	head := c.file.head
	c.part.Mesh = &navmesh.Mesh{
		Frame: head.Frame, Agent: head.Agent, Tiles: []navmesh.Tile{out}, Marks: head.Marks, Areas: head.Areas,
		Methods: head.Methods, Crossings: head.Crossings, Record: head.Record,
	}
	if err := c.addLinks(); err != nil {
		return err
	}
	slices.SortStableFunc(c.part.Gates, func(a, b Gate) int { return cmp.Compare(a.Region, b.Region) })
	c.part.Mesh.Connect()
	return c.part.Mesh.Check()
}

// tileOf returns the tile of a region.
func (c *composer) tileOf(region int) *Tile { return c.tiles[c.part.tile[region]] }

// addRegions puts the regions of all tiles in order.
func (c *composer) addRegions() error {
	var all []element
	for i, t := range c.tiles {
		for k, number := range t.numbers {
			all = append(all, element{number, int32(i), uint32(k)})
		}
	}
	sortElements(all)
	c.part.at = make([]int32, c.file.regions)
	for i := range c.part.at {
		c.part.at[i] = absent
	}
	var portals, passages uint32
	for i, e := range all {
		if i > 0 && all[i-1].number == e.number {
			return fmt.Errorf("region %d is in tiles %d and %d", e.number, c.tiles[all[i-1].tile].Number, c.tiles[e.tile].Number)
		}
		r := c.tiles[e.tile].regions[e.index]
		r.First, r.FirstPortal, r.FirstPassage = uint32(len(c.out.Corners)), portals, passages
		portals += r.PortalCount
		passages += max(r.PortalCount, 1) - 1
		c.out.Corners = append(c.out.Corners, make([]uint32, r.Count)...)
		c.out.Regions = append(c.out.Regions, r)
		c.part.tile, c.part.numbers, c.local = append(c.part.tile, e.tile), append(c.part.numbers, e.number), append(c.local, e.index)
		c.part.at[e.number] = int32(i)
	}
	return nil
}

func sortElements(all []element) {
	slices.SortFunc(all, func(a, b element) int { return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.tile, b.tile)) })
}

// merge puts the vertices of several lists in order, without repetition, and returns the place of each.
func merge(lists [][]numbered) (out []lattice.Vertex, places [][]uint32, err error) {
	var all []element
	places = make([][]uint32, len(lists))
	for i, list := range lists {
		places[i] = make([]uint32, len(list))
		for k := range list {
			all = append(all, element{list[k].number, int32(i), uint32(k)})
		}
	}
	sortElements(all)
	for i, e := range all {
		v := lists[e.tile][e.index].vertex
		if i == 0 || all[i-1].number != e.number {
			out = append(out, v)
		}
		if out[len(out)-1] != v {
			return nil, nil, fmt.Errorf("vertex %d is at %v and at %v", e.number, out[len(out)-1], v)
		}
		places[e.tile][e.index] = uint32(len(out) - 1)
	}
	return out, places, nil
}

// addVertices adds the vertices and the corners.
func (c *composer) addVertices() (err error) {
	lists := make([][]numbered, len(c.tiles))
	for i, t := range c.tiles {
		lists[i] = t.verts
	}
	if c.out.Vertices, c.verts, err = merge(lists); err != nil {
		return err
	}
	for i := range c.out.Regions {
		r, t, place := &c.out.Regions[i], c.tileOf(i), c.verts[c.part.tile[i]]
		first := t.regions[c.local[i]].First
		for k := range r.Count {
			c.out.Corners[r.First+k] = place[t.corners[first+k]]
		}
	}
	return nil
}

// addPortals adds the portals, passages and marks of the regions. To and Back are still those of the tile.
func (c *composer) addPortals() {
	for i := range c.out.Regions {
		t, place := c.tileOf(i), c.verts[c.part.tile[i]]
		r := &t.regions[c.local[i]]
		for _, p := range t.portals[r.FirstPortal:][:r.PortalCount] {
			p.Left, p.Right = place[p.Left], place[p.Right]
			c.out.Portals = append(c.out.Portals, p)
		}
		c.out.Passages = append(c.out.Passages, t.passages[r.FirstPassage:][:max(r.PortalCount, 1)-1]...)
		first, _ := slices.BinarySearchFunc(t.marked, c.local[i], func(m navmesh.Marked, r uint32) int { return cmp.Compare(m.Region, r) })
		for _, m := range t.marked[first:] {
			if m.Region != c.local[i] {
				break
			}
			c.out.Marked = append(c.out.Marked, navmesh.Marked{Region: uint32(i), Mark: m.Mark})
		}
	}
}

// joinPortals gives the portals their regions and back portals, and closes those into absent tiles.
func (c *composer) joinPortals() error {
	c.closed = make([]bool, len(c.out.Portals))
	for i := range c.out.Regions {
		r, t := &c.out.Regions[i], c.tileOf(i)
		first := t.regions[c.local[i]].FirstPortal
		for k := r.FirstPortal; k < r.FirstPortal+r.PortalCount; k++ {
			p := &c.out.Portals[k]
			to := c.part.at[p.To]
			x, leaves := slices.BinarySearchFunc(t.exits, first+k-r.FirstPortal, func(x exit, p uint32) int { return cmp.Compare(x.portal, p) })
			tile := t.Number
			if leaves {
				tile = t.exits[x].tile
			}
			if to == absent {
				if _, here := slices.BinarySearch(c.part.Tiles, tile); here {
					return fmt.Errorf("tile %d: region %d has a portal to region %d, which is not in tile %d", t.Number, c.part.numbers[i], p.To, tile)
				}
				p.To, p.Back, c.closed[k] = uint32(i), k, true
				c.walls++
				c.part.Gates = append(c.part.Gates, Gate{
					Region: navmesh.MakeRef(0, i, c.file.generation), Tile: tile, Ends: [2]lattice.Vertex{c.out.Vertices[p.Left], c.out.Vertices[p.Right]},
				})
				continue
			}
			if n := c.out.Regions[to].PortalCount; p.Back >= n || c.tileOf(int(to)).Number != tile {
				return fmt.Errorf("tile %d: region %d has a portal to portal %d of %d of region %d in tile %d, which is in tile %d",
					t.Number, c.part.numbers[i], p.Back, n, p.To, tile, c.tileOf(int(to)).Number)
			}
			p.To, p.Back = uint32(to), c.out.Regions[to].FirstPortal+p.Back
		}
	}
	return nil
}

// keepPassages gives a tile without the closed portals the passages between the other portals.
func (c *composer) keepPassages(out *navmesh.Tile) {
	out.Passages = make([]navmesh.Passage, 0, len(c.out.Passages))
	var tree []navmesh.Passage
	for i := range out.Regions {
		before := &c.out.Regions[i]
		tree = append(tree[:0], c.out.Passages[before.FirstPassage:][:max(before.PortalCount, 1)-1]...)
		closed := c.closed[before.FirstPortal:][:before.PortalCount]
		for k := range closed {
			if closed[k] {
				tree = without(tree, uint32(k))
			}
		}
		out.Regions[i].FirstPassage = uint32(len(out.Passages))
		number := make([]uint32, len(closed)) // of the open portals
		n := uint32(0)
		for k := range closed {
			number[k] = n
			if !closed[k] {
				n++
			}
		}
		for _, p := range tree {
			a, b := uint32(0), uint32(0)
			if int64(p.A) < int64(len(number)) && int64(p.B) < int64(len(number)) {
				a, b = number[p.A], number[p.B] // else Check finds the passage
			}
			out.Passages = append(out.Passages, navmesh.Passage{A: a, B: b, Clearance: p.Clearance})
		}
	}
}

// without removes a portal from a bottleneck tree. The neighbour with the widest passage takes its place: the narrowest
// passage between any two of the others stays the same.
func without(tree []navmesh.Passage, portal uint32) []navmesh.Passage {
	widest := -1
	for i, p := range tree {
		if (p.A == portal || p.B == portal) && (widest < 0 || p.Clearance > tree[widest].Clearance) {
			widest = i
		}
	}
	if widest < 0 {
		return tree
	}
	heir := tree[widest].A + tree[widest].B - portal
	out := tree[:0]
	for i, p := range tree {
		if i == widest {
			continue
		}
		if other := p.A + p.B - portal; p.A == portal || p.B == portal {
			p.A, p.B = min(heir, other), max(heir, other)
		}
		out = append(out, p)
	}
	return out
}

// addFloors adds the height surfaces of all layers. Layers that no tile has are empty.
func (c *composer) addFloors() error {
	c.out.Layers = make([]navmesh.Layer, len(c.file.errors))
	parts := make([][]*floor, len(c.out.Layers))
	for _, t := range c.tiles {
		for i := range t.floors {
			parts[t.floors[i].layer] = append(parts[t.floors[i].layer], &t.floors[i])
		}
	}
	for l := range parts {
		f := &c.out.Layers[l].Floor
		f.Error = c.file.errors[l]
		if err := addFloor(f, parts[l]); err != nil {
			return fmt.Errorf("layer %d: %w", l, err)
		}
	}
	return nil
}

// addFloor unites the parts of a height surface. A triangle may be in several tiles.
func addFloor(f *lattice.TIN, parts []*floor) (err error) {
	lists := make([][]numbered, len(parts))
	var all []element
	for i, p := range parts {
		lists[i] = p.vertices
		for k := range p.triangles {
			all = append(all, element{p.triangles[k].number, int32(i), uint32(k)})
		}
	}
	var places [][]uint32
	if f.Vertices, places, err = merge(lists); err != nil {
		return err
	}
	sortElements(all)
	for i, e := range all {
		if i > 0 && all[i-1].number == e.number {
			continue
		}
		tri, place := parts[e.tile].triangles[e.index].corner, places[e.tile]
		f.Triangles = append(f.Triangles, [3]uint32{place[tri[0]], place[tri[1]], place[tri[2]]})
	}
	return nil
}

// addLinks adds the links between the regions, in the order of their numbers.
func (c *composer) addLinks() error {
	var all []element
	for i, t := range c.tiles {
		for k := range t.links {
			all = append(all, element{t.links[k].number, int32(i), uint32(k)})
		}
	}
	sortElements(all)
	for _, e := range all {
		t := c.tiles[e.tile]
		l := &t.links[e.index]
		from := navmesh.MakeRef(0, int(c.part.at[t.numbers[l.from]]), c.file.generation)
		to := c.part.at[l.to]
		if _, here := slices.BinarySearch(c.part.Tiles, l.tile); here != (to != absent) {
			return fmt.Errorf("tile %d: link %d leads to region %d, which is not in tile %d", t.Number, l.number, l.to, l.tile)
		}
		if to == absent {
			c.part.Gates = append(c.part.Gates, Gate{Region: from, Tile: l.tile, Ends: l.link.Start})
			continue
		}
		out := l.link
		out.From, out.To = from, navmesh.MakeRef(0, int(to), c.file.generation)
		c.part.Mesh.Links = append(c.part.Mesh.Links, out)
	}
	return nil
}

// Origin returns the ref in the whole mesh of a region of the part; ok is false for other refs. The ref is the same in
// every part with the region.
func (p *Part) Origin(r navmesh.Ref) (origin navmesh.Ref, ok bool) {
	if _, _, ok := p.Mesh.Region(r); !ok {
		return 0, false
	}
	return navmesh.MakeRef(0, int(p.numbers[r.Index()]), r.Generation()), true
}

// Find returns the ref in the part of a region of the whole mesh; ok is false where the region's tile is absent.
func (p *Part) Find(origin navmesh.Ref) (r navmesh.Ref, ok bool) {
	if origin.Slot() != 0 || origin.Index() >= len(p.at) || p.at[origin.Index()] == absent {
		return 0, false
	}
	r = navmesh.MakeRef(0, int(p.at[origin.Index()]), origin.Generation())
	_, _, ok = p.Mesh.Region(r)
	return r, ok
}

// TileOf returns the tile of a region of the part; ok is false for other refs.
func (p *Part) TileOf(r navmesh.Ref) (tile int, ok bool) {
	if _, _, ok := p.Mesh.Region(r); !ok {
		return 0, false
	}
	return p.Tiles[p.tile[r.Index()]], true
}
