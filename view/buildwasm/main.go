//go:build js && wasm

// Command buildwasm is all of Meadow for a page: the requests of view/workbench. It sets the global function
// meadowDo(name, args, body, tell), with the value and the bytes of a request. The function returns { answer, body }, or { error } with
// a text for people, and calls tell(stage, done, total) meanwhile. It ends a request never: to end one, end the worker.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"github.com/meadow-nav/meadow/view/workbench"
)

func main() {
	bench := workbench.New()
	text := js.Global().Get("JSON")
	js.Global().Set("meadowDo", js.FuncOf(func(_ js.Value, args []js.Value) any {
		r := workbench.Request{Name: args[0].String(), Args: json.RawMessage(text.Call("stringify", args[1]).String()), Body: make([]byte, args[2].Length())}
		js.CopyBytesToGo(r.Body, args[2])
		reply, err := bench.Do(context.Background(), r, func(stage string, done, total int) { args[3].Invoke(stage, done, total) })
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		answer, err := json.Marshal(reply.Answer)
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		out := map[string]any{"answer": text.Call("parse", string(answer))}
		if reply.Body != nil {
			body := js.Global().Get("Uint8Array").New(len(reply.Body))
			js.CopyBytesToJS(body, reply.Body)
			out["body"] = body
		}
		return out
	}))
	select {}
}
