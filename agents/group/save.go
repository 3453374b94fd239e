package group

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"math"

	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/geom"
)

// Saved groups: a header, the groups by rising id with all that a later step reads, and a checksum. All numbers are
// little-endian, reals by their bits. The crowd is saved by itself.

const (
	magic = "MDWGROUP"
	// version changes with the form.
	version = 1
	// mostBytes bounds saved groups.
	mostBytes = 1 << 30
)

// errSaved reports bytes that are not saved groups.
var errSaved = errors.New("group: not saved groups")

// coder writes or reads the fields of groups: one function lists the fields of each type, for both ways.
type coder struct {
	data    []byte
	at      int
	reading bool
	bad     bool
}

func integer[T ~int | ~uint8 | ~uint64](k *coder, v *T) {
	if !k.reading {
		k.data = binary.LittleEndian.AppendUint64(k.data, uint64(*v))
		return
	}
	if len(k.data)-k.at < 8 {
		k.bad = true
		return
	}
	bits := binary.LittleEndian.Uint64(k.data[k.at:])
	k.at += 8
	*v = T(bits)
	k.bad = k.bad || uint64(*v) != bits
}

// real codes a number between two bounds.
func (k *coder) real(v *float64, low, high float64) {
	bits := math.Float64bits(*v)
	integer(k, &bits)
	*v = math.Float64frombits(bits)
	k.bad = k.bad || k.reading && !(*v >= low && *v <= high)
}

func (k *coder) metres(v *float64) { k.real(v, -math.MaxFloat64, math.MaxFloat64) }
func (k *coder) some(v *float64)   { k.real(v, 0, math.MaxFloat64) }
func (k *coder) vec(v *geom.Vec)   { k.metres(&v.X); k.metres(&v.Y); k.metres(&v.Z) }

func (k *coder) truth(v *bool) {
	var n uint8
	if *v {
		n = 1
	}
	integer(k, &n)
	*v = n == 1
	k.bad = k.bad || n > 1
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

func (k *coder) group(g *group) {
	integer(k, &g.id)
	list(k, &g.members, 64, func(m *member) {
		integer(k, &m.id)
		k.some(&m.along)
		k.some(&m.away)
		k.some(&m.way)
		k.truth(&m.apart)
		k.vec(&m.sent)
	})
	k.truth(&g.leader)
	integer(k, &g.formation)
	list(k, &g.slots, 16, func(s *Slot) { k.some(&s.Back); k.metres(&s.Right) })
	k.some(&g.spacing)
	integer(k, &g.kind)
	k.vec(&g.goal)
	integer(k, &g.other)
	k.some(&g.distance)
	integer(k, &g.state)
	k.truth(&g.planned)
	list(k, &g.way.points, 24, k.vec)
	list(k, &g.way.leaps, 8, k.truth)
	k.truth(&g.way.whole)
	k.some(&g.way.bound)
	k.some(&g.head)
	k.some(&g.clearance)
	k.some(&g.loose)
	k.some(&g.late)
	k.some(&g.calm)
	k.some(&g.blocked)
	k.some(&g.scatter)
	integer(k, &g.jams)
	k.some(&g.rest)
	k.some(&g.stale)
}

func (k *coder) groups(s *Groups) {
	integer(k, &s.steps)
	for _, v := range [...]*float64{&s.opt.Room, &s.opt.Pull, &s.opt.Behind, &s.opt.Reach, &s.opt.Patience} {
		k.some(v)
	}
	list(k, &s.groups, 200, func(g **group) {
		if *g == nil {
			*g = new(group)
		}
		k.group(*g)
	})
}

// Save writes the state of the groups, without the crowd and the events. Equal groups give equal bytes.
func (s *Groups) Save(out io.Writer) error {
	k := coder{data: append([]byte(magic), version)}
	k.groups(s)
	k.data = binary.LittleEndian.AppendUint32(k.data, crc32.ChecksumIEEE(k.data))
	_, err := out.Write(k.data)
	return err
}

// Restore replaces the groups by saved ones. The crowd has been restored before, and stands on the floor of the saved one:
// then both go on with the bits of the saved ones. After an error the groups are as before.
func (s *Groups) Restore(in io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(in, mostBytes))
	if err != nil {
		return fmt.Errorf("group: %w", err)
	}
	head := len(magic) + 1
	if len(data) < head+4 || string(data[:len(magic)]) != magic {
		return errSaved
	}
	if v := data[len(magic)]; v != version {
		return fmt.Errorf("group: saved groups of version %d, must be %d", v, version)
	}
	body := data[:len(data)-4]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(data[len(body):]) {
		return fmt.Errorf("%w: the checksum differs", errSaved)
	}
	r := &Groups{crowd: s.crowd}
	k := coder{data: body, at: head, reading: true}
	k.groups(r)
	if k.bad || k.at != len(body) {
		return errSaved
	}
	if r.opt, err = r.opt.check(); err != nil {
		return err
	}
	taken := map[crowd.ID]bool{}
	for i, g := range r.groups {
		if i > 0 && r.groups[i-1].id >= g.id {
			return fmt.Errorf("%w: group %d is out of order", errSaved, g.id)
		}
		if err := g.fits(); err != nil {
			return err
		}
		for _, m := range g.members {
			if taken[m.id] {
				return fmt.Errorf("%w: agent %d is in two groups", errSaved, m.id)
			}
			taken[m.id] = true
		}
		g.way.measure()
	}
	s.opt, s.groups, s.steps, s.events = r.opt, r.groups, r.steps, s.events[:0]
	return nil
}

// mostWay bounds the length of a saved corridor in metres.
const mostWay = 2e5

// fits checks the values of a saved group.
func (g *group) fits() error {
	length := 0.0
	for i := 1; i < len(g.way.points); i++ {
		length += g.way.points[i-1].DistXZ(g.way.points[i])
	}
	if int(g.formation) >= len(formationNames) || g.kind > toAgent || int(g.state) >= len(stateNames) ||
		len(g.way.leaps) != len(g.way.points) || g.planned && len(g.way.points) == 0 || !(length <= mostWay) || g.head > mostWay ||
		g.way.bound > mostWay || g.id == math.MaxUint64 {
		return fmt.Errorf("%w: group %d has a value out of range", errSaved, g.id)
	}
	return nil
}

// Hash returns a hash of the state of all groups, to compare two runs with.
func (s *Groups) Hash() uint64 {
	k := coder{}
	k.groups(s)
	h := fnv.New64a()
	_, _ = h.Write(k.data)
	return h.Sum64()
}
