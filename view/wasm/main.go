//go:build js && wasm

// Command wasm is the query side of Meadow for a page: the requests open (of a mesh file), at, step and path of view/workbench, by the global
// function meadowDo that view/buildwasm describes. The values cross without encoding/json, which would add a tenth to the program.
package main

import (
	"context"
	"syscall/js"

	"github.com/meadow-nav/meadow/view/ask"
)

func main() {
	var session *ask.Session
	do := func(name string, args, body js.Value) (any, error) {
		point := func(field string) ask.Point {
			p := args.Get(field)
			return ask.Point{p.Index(0).Float(), p.Index(1).Float(), p.Index(2).Float()}
		}
		reach := func() float64 { return args.Get("reach").Float() }
		switch name {
		case "open":
			file := make([]byte, body.Length())
			js.CopyBytesToGo(file, body)
			opened, err := ask.Open(file)
			if err != nil {
				return nil, err
			}
			session = opened
			return map[string]any{"kind": "mesh"}, nil
		case "at":
			return place(session.At(point("from"), reach())), nil
		case "step":
			return place(session.Step(point("from"), point("to"), reach())), nil
		case "path":
			answer, err := session.Path(context.Background(), point("from"), point("to"), reach())
			return path(answer), err
		}
		return nil, unknown(name)
	}
	js.Global().Set("meadowDo", js.FuncOf(func(_ js.Value, args []js.Value) any {
		answer, err := do(args[0].String(), args[1], args[2])
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		return map[string]any{"answer": answer}
	}))
	select {}
}

// unknown is the error of a request that this program does not know.
type unknown string

func (u unknown) Error() string { return "this page has no request called " + string(u) }

func place(p ask.Place) map[string]any {
	return map[string]any{
		"found": p.Found, "point": numbers(p.Point[:]), "region": p.Region, "component": p.Component, "ground": p.Ground, "wall": p.Wall,
	}
}

func path(p ask.Path) map[string]any {
	return map[string]any{
		"complete": p.Complete, "start": place(p.Start), "goal": place(p.Goal), "surface": numbers(p.Surface), "bends": p.Bends,
		"regions": numbers(p.Regions), "links": p.Links, "length": p.Length, "expanded": p.Expanded, "milliseconds": p.Milliseconds,
	}
}

func numbers[T int | float64](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}
