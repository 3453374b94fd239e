// Package gallery has the examples that the page shows: each with its code in Go, in JavaScript where the npm package can do the same,
// and the steps that show it on the page. Tests run both programs, and where both print something they print the same.
package gallery

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

//go:embed *.go *.js *.map
var files embed.FS

// Example is a small program and what the page does to show it.
type Example struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Text  string `json:"text"`
	Go    string `json:"go"`
	JS    string `json:"js"` // empty where the npm package has no request for it
	// Steps are the deeds of the page, in order.
	Steps []Step `json:"steps"`

	run func(ctx context.Context, w io.Writer) error
}

// Step is a deed of the page by the name of its action, with a JSON value.
type Step struct {
	Do   string          `json:"do"`
	Args json.RawMessage `json:"args"`
}

// Run runs the example's program in Go, which prints to w.
func (e Example) Run(ctx context.Context, w io.Writer) error { return e.run(ctx, w) }

// List returns all examples, in the order in which people should see them.
func List() []Example {
	list := []Example{
		{
			Name: "firstpath", Title: "First path", Text: "A level becomes a mesh, and two places become the shortest path.", run: firstPath,
			Steps: steps("level", `{"kind":"arch"}`, "path", `{"from":[-8,0,4],"to":[8,0,-4]}`),
		},
		{
			Name: "doors", Title: "Doors and keys", Text: "A door closes for those without its key. The index without the door shares its memory with the other one.", run: doors,
			Steps: steps("level", `{"kind":"halls"}`, "path", `{"from":[-6,0,5],"to":[6,0,5]}`, "door", `{"name":"halls","open":false}`),
		},
		{
			Name: "crates", Title: "Crates in a world", Text: "Obstacles come and go while paths are asked. A snapshot never changes.", run: crates,
			Steps: steps("level", `{"kind":"halls"}`, "path", `{"from":[-6,0,6],"to":[-6,0,-6]}`, "crate", `{"at":[-6,0,0],"size":[4,1,1]}`),
		},
		{
			Name: "tower", Title: "A tower of storeys", Text: "Storeys lie over each other, and stairs join them. No place is mistaken for one above.", run: tower,
			Steps: steps("level", `{"kind":"tower","storeys":4}`, "longway", `{}`, "look", `{"apart":2.5}`),
		},
		{
			Name: "terrain", Title: "Ground and who may cross it", Text: "Materials say what the ground is. Wheels keep to roads, and mud costs more than grass.", run: ground,
			Steps: steps("level", `{"kind":"rts","size":128}`, "longway", `{}`),
		},
		{
			Name: "radii", Title: "Two radii", Text: "A wider mesh is made from the narrow one, without the level: the way of a person, and that of a cart.", run: radii,
			Steps: steps("level", `{"kind":"rooms"}`, "longway", `{}`, "settings", `{"radius":0.55}`),
		},
		{
			Name: "doorway", Title: "A crowd at a doorway", Text: "Two streams meet at one door. Walkers take turns, and nobody overlaps.", run: doorway,
			Steps: steps("level", `{"kind":"halls"}`, "path", `{"from":[-6,0,5],"to":[6,0,5]}`, "crowd", `{"count":60,"from":[[-6,0,5],[6,0,5]],"to":[[-6,0,-2],[6,0,-1]],"radius":2}`),
		},
		{
			Name: "growth", Title: "Regions that grow", Text: "PASFV sows seeds and grows them until the floor is full: Hale's method, exact on the lattice.", run: growth,
			Steps: steps("level", `{"kind":"halls"}`, "settings", `{"generator":"pasfv"}`, "play", `{"generator":"pasfv"}`),
		},
		{
			Name: "duel", Title: "A duel of two methods", Text: "The same floor by two generators, and their figures side by side.", run: duel,
			Steps: steps("level", `{"kind":"rooms"}`, "settings", `{"generator":"hertelmehlhorn"}`, "beside", `{"generator":"best"}`),
		},
		{
			Name: "quake", Title: "A map for Quake", Text: "Brushes are solids between planes. The .map file is text, and needs no compiler.", run: quake,
			Steps: steps("file", quoted("room.map", content("room.map")), "longway", `{}`),
		},
		{
			Name: "dungeon", Title: "A dungeon in two dimensions", Text: "Cells drawn in a text are a floor, too: the area of the agent's middle, in few regions.", run: dungeon,
			Steps: steps("file", quoted("dungeon.map", dungeonMap), "path", `{"from":[1.5,0,1.5],"to":[14.5,0,6.5]}`),
		},
		{
			Name: "links", Title: "Ladders, lifts and drops", Text: "Markers join what no foot reaches. A path takes a link where the link is shorter.", run: links,
			Steps: steps("level", `{"kind":"halls"}`, "path", `{"from":[-6,0,5],"to":[0,3.0,-6.5]}`),
		},
		{
			Name: "tiles", Title: "A large level in tiles", Text: "Tiles are built one by one, on one machine or many, and joined to the mesh of the whole.", run: tiles,
			Steps: steps("level", `{"kind":"terrain","size":256}`, "longway", `{}`),
		},
		{
			Name: "rays", Title: "Rays, walls and the nearest floor", Text: "What a game asks in each tick: is it in sight, how far is the wall, where is the floor.", run: rays,
			Steps: steps("level", `{"kind":"maze"}`, "longway", `{}`),
		},
		{
			Name: "keep", Title: "Save, load, hand over", Text: "A mesh is a file, and opens without its level. Detour reads it, too.", run: keep,
			Steps: steps("level", `{"kind":"bridge"}`, "longway", `{}`),
		},
	}
	for i := range list {
		list[i].Go, list[i].JS = source(list[i].Name+".go"), source(list[i].Name+".js")
	}
	return list
}

// content is the text of a file, empty without the file.
func content(name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(data)
}

// source is the text of a file without its first line, empty without the file.
func source(name string) string {
	_, text, found := strings.Cut(content(name), "\n")
	if !found {
		return ""
	}
	return strings.TrimSpace(text) + "\n"
}

// steps makes steps of names and their values.
func steps(pairs ...string) []Step {
	var list []Step
	for i := 0; i+1 < len(pairs); i += 2 {
		list = append(list, Step{pairs[i], json.RawMessage(pairs[i+1])})
	}
	return list
}

// quoted is the value of the action file: a name and a content.
func quoted(name, content string) string {
	return fmt.Sprintf(`{"name":%q,"text":%q}`, name, content)
}
