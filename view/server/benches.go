package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/view/workbench"
)

// benches are the levels of the pages that are open, the page that was used last at the end.
type benches struct {
	most   int
	limits level.Limits

	lock  sync.Mutex
	pages []*held
	gone  []string // pages whose level was put away, not yet told
}

// held is the bench of a page. Whoever has the turn may use it.
type held struct {
	page  string
	bench *workbench.Bench
	turn  chan struct{} // of one place: full while a request runs
	using int           // requests that run or wait
}

// maxGone bounds how many pages are told that their level is gone; the others hear that no level is open.
const maxGone = 100

// errBusy: every page works.
var errBusy = errors.New("too many pages work at the same time: close one")

// take returns the bench of a page once no other request uses it. A page that has none gets a new one, if need be in place of the
// page that was idle longest.
func (b *benches) take(ctx context.Context, page string) (*held, error) {
	h, err := b.find(page)
	if err != nil {
		return nil, err
	}
	select {
	case h.turn <- struct{}{}:
		return h, nil
	case <-ctx.Done():
		b.leave(h)
		return nil, ctx.Err()
	}
}

func (b *benches) find(page string) (*held, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if i := slices.Index(b.gone, page); i >= 0 {
		b.gone = slices.Delete(b.gone, i, i+1)
		return nil, fmt.Errorf("meadow has put away the level of this page, because %d newer pages are open: reload the page", b.most)
	}
	var h *held
	if i := slices.IndexFunc(b.pages, func(h *held) bool { return h.page == page }); i >= 0 {
		h = b.pages[i]
		b.pages = slices.Delete(b.pages, i, i+1)
	} else {
		if len(b.pages) >= b.most {
			i := slices.IndexFunc(b.pages, func(h *held) bool { return h.using == 0 })
			if i < 0 {
				return nil, errBusy
			}
			b.gone = append(b.gone, b.pages[i].page)
			b.gone = b.gone[max(0, len(b.gone)-maxGone):]
			b.pages = slices.Delete(b.pages, i, i+1)
		}
		h = &held{page: page, bench: workbench.New(), turn: make(chan struct{}, 1)}
		h.bench.Limits = b.limits
	}
	h.using++
	b.pages = append(b.pages, h)
	return h, nil
}

// give ends a turn.
func (b *benches) give(h *held) {
	<-h.turn
	b.leave(h)
}

func (b *benches) leave(h *held) {
	b.lock.Lock()
	defer b.lock.Unlock()
	h.using--
}
