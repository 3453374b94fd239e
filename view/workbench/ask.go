package workbench

import (
	"context"

	"github.com/meadow-nav/meadow/view/ask"
)

var askRequests = map[string]handler{"at": at, "step": step, "path": findPath}

// places are the values of questions about the mesh: one place or two, and how far the floor may be, in metres.
type places struct {
	From  ask.Point `json:"from"`
	To    ask.Point `json:"to"`
	Reach float64   `json:"reach"`
}

// asking reads a question about the mesh.
func (b *Bench) asking(r Request) (p places, err error) {
	if b.asked == nil {
		return p, errNoMesh
	}
	return p, read(r, &p)
}

func at(b *Bench, _ context.Context, r Request, _ Tell) (Reply, error) {
	p, err := b.asking(r)
	if err != nil {
		return Reply{}, err
	}
	return Reply{Answer: b.asked.At(p.From, p.Reach)}, nil
}

func step(b *Bench, _ context.Context, r Request, _ Tell) (Reply, error) {
	p, err := b.asking(r)
	if err != nil {
		return Reply{}, err
	}
	return Reply{Answer: b.asked.Step(p.From, p.To, p.Reach)}, nil
}

func findPath(b *Bench, ctx context.Context, r Request, _ Tell) (Reply, error) {
	p, err := b.asking(r)
	if err != nil {
		return Reply{}, err
	}
	path, err := b.asked.Path(ctx, p.From, p.To, p.Reach)
	return Reply{Answer: path}, err
}
