package crowd

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// Saved crowds: a header, the agents by rising id with all that a later step reads, and a checksum. All numbers are
// little-endian, reals by their bits.

const (
	magic = "MDWCROWD"
	// version changes with the form.
	version = 2
	// mostBytes bounds a saved crowd.
	mostBytes = 1 << 31
)

// errSaved reports bytes that are not a saved crowd.
var errSaved = errors.New("crowd: not a saved crowd")

// coder writes or reads the fields of a crowd: one function lists the fields of each type, for both ways.
type coder struct {
	data    []byte
	at      int
	reading bool
	bad     bool
}

func (k *coder) u64(v *uint64) {
	if !k.reading {
		k.data = binary.LittleEndian.AppendUint64(k.data, *v)
		return
	}
	if len(k.data)-k.at < 8 {
		k.bad = true
		return
	}
	*v = binary.LittleEndian.Uint64(k.data[k.at:])
	k.at += 8
}

func (k *coder) real(v *float64) {
	bits := math.Float64bits(*v)
	k.u64(&bits)
	*v = math.Float64frombits(bits)
}

func integer[T ~int | ~int32 | ~uint8 | ~uint32 | ~uint64](k *coder, v *T) {
	bits := uint64(*v)
	k.u64(&bits)
	*v = T(bits)
	k.bad = k.bad || uint64(*v) != bits
}

func (k *coder) truth(v *bool) {
	var n uint8
	if *v {
		n = 1
	}
	integer(k, &n)
	*v = n == 1
	k.bad = k.bad || n > 1
}

func (k *coder) vec(v *geom.Vec) { k.real(&v.X); k.real(&v.Y); k.real(&v.Z) }
func (k *coder) plane(v *plane)  { k.real(&v.x); k.real(&v.z) }
func (k *coder) pos(p *query.Position) {
	integer(k, &p.Ref)
	k.vec(&p.Point)
}

// list codes a list of elements of at least a number of bytes.
func list[T any](k *coder, l *[]T, bytes int, f func(v *T)) {
	n := len(*l)
	integer(k, &n)
	if k.reading {
		if n < 0 || n > (len(k.data)-k.at)/bytes {
			k.bad = true
			return
		}
		*l = make([]T, n)
	}
	for i := range *l {
		f(&(*l)[i])
	}
}

func (k *coder) agent(a *agent) {
	integer(k, &a.id)
	k.real(&a.radius)
	k.real(&a.height)
	k.real(&a.speed)
	k.real(&a.push)
	integer(k, &a.priority)
	k.truth(&a.unyielding)
	k.truth(&a.paused)
	integer(k, &a.ground)
	integer(k, &a.rule)
	k.pos(&a.pos)
	k.plane(&a.vel)
	k.plane(&a.want)
	k.plane(&a.knock)
	k.plane(&a.dir)
	k.plane(&a.bend)
	k.real(&a.toBend)
	k.truth(&a.queues)
	k.u64(&a.claim.key)
	integer(k, &a.claim.hops)
	k.plane(&a.shove)
	k.real(&a.insist)
	integer(k, &a.state)
	integer(k, &a.reason)
	integer(k, &a.goal.kind)
	k.vec(&a.goal.at)
	list(k, &a.goal.places, 24, k.vec)
	integer(k, &a.goal.other)
	k.real(&a.goal.within)
	k.u64(&a.asked)
	list(k, &a.path, 24, k.vec)
	integer(k, &a.next)
	list(k, &a.jumps, 64, k.jump)
	k.real(&a.rest)
	k.truth(&a.whole)
	list(k, &a.passages, 40, func(p *passage) {
		list(k, &p.doors, 32, func(d *door) { k.door(&d.key); k.truth(&d.up); integer(k, &d.lanes) })
		k.real(&p.before)
		k.real(&p.behind)
		k.plane(&p.in)
		k.plane(&p.axis)
	})
	integer(k, &a.nextPassage)
	k.truth(&a.holds)
	k.truth(&a.held)
	k.real(&a.least)
	k.real(&a.since)
	k.pos(&a.wallsAt)
	k.truth(&a.wallsKnown)
	k.real(&a.wallsReach)
	integer(k, &a.link)
	k.real(&a.done)
	k.jump(&a.leap)
}

func (k *coder) door(d *doorKey) { integer(k, &d.a); integer(k, &d.b) }

// traffic codes the doors in the order of their keys.
func (k *coder) traffic(c *Crowd) {
	var keys []doorKey
	for key := range c.doors {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b doorKey) int { return cmp.Or(cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b)) })
	list(k, &keys, 64, func(key *doorKey) {
		k.door(key)
		t := c.traffic(*key)
		for way := range t.inside {
			integer(k, &t.inside[way])
			k.u64(&t.since[way])
			k.u64(&t.asked[way])
		}
	})
}

func (k *coder) jump(j *jump) {
	integer(k, &j.bend)
	integer(k, &j.link)
	k.vec(&j.from)
	k.vec(&j.to)
}

func (k *coder) crowd(c *Crowd) {
	k.u64(&c.steps)
	integer(k, &c.opt.Budget)
	k.real(&c.opt.Horizon)
	integer(k, &c.opt.Neighbours)
	k.real(&c.opt.Patience)
	list(k, &c.agents, 400, func(a **agent) {
		if *a == nil {
			*a = new(agent)
		}
		k.agent(*a)
	})
	k.traffic(c)
}

// Save writes the state of a Crowd, without floor, rules and events. Equal crowds give equal bytes.
func (c *Crowd) Save(out io.Writer) error {
	k := coder{data: append([]byte(magic), version)}
	k.crowd(c)
	k.data = binary.LittleEndian.AppendUint32(k.data, crc32.ChecksumIEEE(k.data))
	_, err := out.Write(k.data)
	return err
}

// Restore replaces the state of a Crowd by a saved one. The Crowd stands on the floor of the saved one and knows its rules: then
// it goes on with the bits of the saved one. Agents whose region is not in the floor are placed anew. After an error the
// Crowd is as before.
func (c *Crowd) Restore(in io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(in, mostBytes))
	if err != nil {
		return fmt.Errorf("crowd: %w", err)
	}
	head := len(magic) + 1
	if len(data) < head+4 || string(data[:len(magic)]) != magic {
		return errSaved
	}
	if v := data[len(magic)]; v != version {
		return fmt.Errorf("crowd: a saved crowd of version %d, must be %d", v, version)
	}
	body := data[:len(data)-4]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(data[len(body):]) {
		return fmt.Errorf("%w: the checksum differs", errSaved)
	}
	r := &Crowd{grounds: c.grounds, filters: c.filters, riders: map[linkKey]int{}, doors: map[doorKey]*traffic{}}
	k := coder{data: body, at: head, reading: true}
	k.crowd(r)
	if k.bad || k.at != len(body) {
		return errSaved
	}
	if r.opt, err = r.opt.check(); err != nil {
		return err
	}
	for i, a := range r.agents {
		if i > 0 && r.agents[i-1].id >= a.id {
			return fmt.Errorf("%w: agent %d is out of order", errSaved, a.id)
		}
		if err := r.fits(a); err != nil {
			return err
		}
	}
	r.opt.Jobs = c.opt.Jobs
	for _, a := range r.agents {
		c.wake(a)
		if a.link > 0 {
			r.riders[a.leap.key()]++
		}
	}
	c.opt, c.agents, c.steps, c.riders, c.doors = r.opt, r.agents, r.steps, r.riders, r.doors
	c.events = c.events[:0]
	return nil
}

// fits checks the values of a saved agent.
func (c *Crowd) fits(a *agent) error {
	reals := []float64{
		a.pos.Point.X, a.pos.Point.Y, a.pos.Point.Z, a.vel.norm2(), a.want.norm2(), a.knock.norm2(), a.dir.norm2(), a.bend.norm2(), a.toBend, a.shove.norm2(), a.insist, a.rest, a.least, a.since,
		a.goal.at.X, a.goal.at.Y, a.goal.at.Z, a.goal.within, a.done, a.wallsReach, a.wallsAt.Point.X, a.wallsAt.Point.Y, a.wallsAt.Point.Z,
	}
	for _, v := range reals {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: agent %d has a value that is not finite", errSaved, a.id)
		}
	}
	for _, p := range a.path {
		if !p.IsFinite() {
			return fmt.Errorf("%w: agent %d has a way that is not finite", errSaved, a.id)
		}
	}
	switch {
	case a.ground < 0 || int(a.ground) >= len(c.grounds) || a.rule < 0 || int(a.rule) >= len(c.filters):
		return fmt.Errorf("crowd: agent %d: its mesh or its rule is not known here", a.id)
	case !(a.radius >= 0 && a.radius <= c.grounds[a.ground].radius) || !(a.height > 0 && a.height < 1000) ||
		!(a.speed > 0 && a.speed <= MaxSpeed) || !(a.push > 0 && !math.IsInf(a.push, 0)) || a.next < 0 || a.next > len(a.path) ||
		a.nextPassage < 0 || a.nextPassage > len(a.passages) || (a.holds || a.held) && a.nextPassage == len(a.passages) ||
		int(a.state) >= len(stateNames) || int(a.reason) >= len(reasonNames) || a.goal.kind > toVelocity || a.link < 0 ||
		(a.state == OnLink) != (a.link > 0) || a.goal.kind == toNearest && len(a.goal.places) == 0 || a.done < 0 || a.done > 1:
		return fmt.Errorf("%w: agent %d has a value out of range", errSaved, a.id)
	}
	for _, j := range a.jumps {
		if j.bend < 0 || j.bend+1 >= len(a.path) || j.link < 0 {
			return fmt.Errorf("%w: agent %d has a link out of range", errSaved, a.id)
		}
	}
	return nil
}

// wake places a restored agent on the floor and finds its walls.
func (c *Crowd) wake(a *agent) {
	w := &c.workers[0]
	if a.state == OnLink {
		return
	}
	q := w.on(c, a)
	if _, err := q.Raycast(a.pos, a.pos.Point); err != nil {
		if pos, ok := q.Nearest(a.pos.Point, rescue); ok {
			a.pos, a.wallsKnown = pos, false
		} else {
			c.giveUp(a, FloorGone)
		}
	}
	if a.wallsKnown {
		w.gatherWalls(c, a)
	}
}

// Hash returns a hash of the state of all agents, to compare two runs with.
func (c *Crowd) Hash() uint64 {
	k := coder{}
	k.crowd(c)
	h := fnv.New64a()
	_, _ = h.Write(k.data)
	return h.Sum64()
}
