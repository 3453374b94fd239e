//go:build js && wasm

// Command wasm is the query side of Meadow for a page. It sets two global functions. meadowOpen takes the bytes of a mesh file
// and returns the text of an error, empty for none. meadowAsk takes a question (at, step or path) and its numbers, and
// returns the answer as an object with the names of package ask's JSON; encoding/json itself would add a tenth to the program.
package main

import (
	"context"
	"syscall/js"

	"github.com/meadow-nav/meadow/view/ask"
)

func main() {
	var session *ask.Session
	js.Global().Set("meadowOpen", js.FuncOf(func(_ js.Value, args []js.Value) any {
		file := make([]byte, args[0].Length())
		js.CopyBytesToGo(file, args[0])
		opened, err := ask.Open(file)
		if err != nil {
			return err.Error()
		}
		session = opened
		return ""
	}))
	js.Global().Set("meadowAsk", js.FuncOf(func(_ js.Value, args []js.Value) any {
		number := func(i int) float64 { return args[i].Float() }
		point := func(i int) ask.Point { return ask.Point{number(i), number(i + 1), number(i + 2)} }
		switch args[0].String() {
		case "at":
			return place(session.At(point(1), number(4)))
		case "step":
			return place(session.Step(point(1), point(4), number(7)))
		case "path":
			answer, err := session.Path(context.Background(), point(1), point(4), number(7))
			if err != nil {
				return map[string]any{"error": err.Error()}
			}
			return path(answer)
		}
		return map[string]any{"error": "no question is called " + args[0].String()}
	}))
	select {}
}

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
