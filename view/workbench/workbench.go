// Package workbench is a level under work on a page: open it, build its mesh, ask, change, judge and keep it. Every deed is a
// named request with a JSON value and bytes, and its reply is again a JSON value and bytes. The server of `meadow view` answers
// requests from the network, and the WebAssembly of view/buildwasm from the page's worker, by the same code.
//
// Each file of the package has the requests of one subject, in a list that [requests] joins.
package workbench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime/debug"
	"slices"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/flat"
	"github.com/meadow-nav/meadow/view/ask"
	"github.com/meadow-nav/meadow/view/scene"
)

// Request is a deed that a page asks for. Args is a JSON value, empty for requests without one.
type Request struct {
	Name string
	Args json.RawMessage
	Body []byte
}

// Reply answers a request: a value that becomes JSON, and bytes.
type Reply struct {
	Answer any
	Body   []byte
}

// Tell hears how far a request is: done of total parts of a stage, with total 0 where nobody knows.
type Tell func(stage string, done, total int)

// Bench is a level under work. It belongs to one goroutine at a time. The zero Bench is not usable; see [New].
type Bench struct {
	// Limits bound what files that are opened may come to.
	Limits level.Limits
	doubt  doubt // about the open level

	// name is that of the open file; level, plane or neither is its content, and mesh is that of a file or a build.
	name  string
	level *level.Level
	plane *flat.Map
	floor *meadow.Floor // of the last build, nil for the mesh of a file
	mesh  *meadow.Mesh
	asked *ask.Session        // on mesh, with all changes
	made  meadow.FloorOptions // of the last build

	judging   judging
	layering  layering
	changing  changing
	searching searching
	walkers   walkers
	kept      scene.Kept
	origin    origin   // of what is open
	settings  Settings // of the last build
}

// New returns a bench without a level.
func New() *Bench { return &Bench{} }

// handler answers the requests of one name.
type handler func(b *Bench, ctx context.Context, r Request, tell Tell) (Reply, error)

// requests are all requests by name.
var requests = join(openRequests, buildRequests, askRequests, judgeRequests, faultRequests, layerRequests, changeRequests, playRequests, searchRequests, crowdRequests, editRequests, exportRequests)

func join(lists ...map[string]handler) map[string]handler {
	all := map[string]handler{}
	for _, list := range lists {
		for name, h := range list {
			if _, twice := all[name]; twice {
				panic("workbench: two requests are called " + name)
			}
			all[name] = h
		}
	}
	return all
}

// Names lists the names of all requests, sorted.
func Names() []string { return slices.Sorted(maps.Keys(requests)) }

// Do answers a request. An error is for people: it names the file, the field or the place. After an error the bench is as before,
// and so it is after the context ends. A fault in the program is an error, too, and the bench goes on.
func (b *Bench) Do(ctx context.Context, r Request, tell Tell) (reply Reply, err error) {
	h, ok := requests[r.Name]
	if !ok {
		return Reply{}, fmt.Errorf("no request is called %q", r.Name)
	}
	if tell == nil {
		tell = func(string, int, int) {}
	}
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("a fault in Meadow: %v\n%s", fault, debug.Stack())
		}
	}()
	return h(b, ctx, r, tell)
}

var (
	errNoLevel = errors.New("no level is open")
	errNoMesh  = errors.New("no mesh is built yet")
)

// read reads the JSON value of a request into to, and refuses fields that nobody knows.
func read(r Request, to any) error {
	if len(r.Args) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(r.Args))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return fmt.Errorf("%s: %w", r.Name, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("%s: text after the value", r.Name)
	}
	return nil
}

// setMesh makes mesh the bench's, with what is asked of it. Everything that was made of the mesh before is gone.
func (b *Bench) setMesh(floor *meadow.Floor, mesh *meadow.Mesh) {
	b.floor, b.mesh, b.asked, b.judging, b.layering, b.changing, b.searching, b.walkers = floor, mesh, nil, judging{}, layering{}, changing{}, searching{}, walkers{}
	if mesh != nil {
		b.asked = ask.New(mesh.Mesh)
	}
}
