package world_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/internal/worldcheck"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/world"
)

// saveOf returns the bytes of a saved world.
func saveOf(t testing.TB, w *world.World) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := w.Now().Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readSave(t testing.TB, data []byte) *world.World {
	t.Helper()
	w, err := world.Read(context.Background(), bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// sameWorlds compares things, closed marks, sequence numbers, and the meshes of all radii, byte by byte.
func sameWorlds(t testing.TB, got, want *world.World, radii ...float64) {
	t.Helper()
	a, b := got.Now(), want.Now()
	if a.Sequence() != b.Sequence() || !slices.Equal(a.Closed(), b.Closed()) {
		t.Fatalf("change %d with closed marks %v, want change %d with %v", a.Sequence(), a.Closed(), b.Sequence(), b.Closed())
	}
	bits := cmp.Comparer(func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
	if diff := cmp.Diff(b.Things(), a.Things(), bits); diff != "" {
		t.Fatalf("things: %.2000s", diff)
	}
	for _, r := range append([]float64{b.Radius()}, radii...) {
		x, err1 := a.For(r)
		y, err2 := b.For(r)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		m, err1 := navfile.Encode(x.Mesh())
		n, err2 := navfile.Encode(y.Mesh())
		if err1 != nil || err2 != nil || !bytes.Equal(m, n) {
			t.Fatalf("the meshes of radius %g differ: %d and %d bytes, %v, %v", r, len(m), len(n), err1, err2)
		}
	}
}

// change makes the maker's next change that the world does not refuse, and returns its edits.
func change(t testing.TB, w *world.World, maker *worldcheck.Maker) []world.Edit {
	t.Helper()
	for range 100 {
		edits := maker.Next()
		if _, err := w.Apply(context.Background(), edits...); err == nil {
			return edits
		}
	}
	t.Fatal("the world refuses a hundred changes")
	return nil
}

// TestSaveAndRead saves worlds in the middle of random changes. The world that is read is the same, and stays the same when
// both change further.
func TestSaveAndRead(t *testing.T) {
	race.Skip(t)
	for _, kind := range []string{"halls", "stairs"} {
		for seed := range uint64(slow.Count(1, 10)) {
			w := worldOf(t, kind, 0.5, 0.7)
			maker := worldcheck.NewMaker(w.Now().Mesh(), seed)
			var other *world.World
			for step := range 40 {
				edits := change(t, w, maker)
				if other != nil {
					apply(t, other, edits...)
				}
				if step%10 != 0 {
					continue
				}
				if other != nil {
					sameWorlds(t, other, w, 0.5, 0.7)
				}
				data := saveOf(t, w)
				other = readSave(t, data)
				sameWorlds(t, other, w, 0.5, 0.7)
				if again := saveOf(t, other); !bytes.Equal(again, data) {
					t.Fatalf("%s: saved again, %d bytes become %d", kind, len(data), len(again))
				}
			}
			if len(w.Now().Things()) == 0 {
				t.Errorf("%s: no things at the end", kind)
			}
		}
	}
}

// TestOneDoorOfMany closes all doors, opens one again, and saves the others as closed.
func TestOneDoorOfMany(t *testing.T) {
	w := worldOf(t, "halls")
	mesh := w.Now().Mesh()
	name := ""
	for _, m := range mesh.Marks {
		if m.Kind == "door" {
			name = m.Name
		}
	}
	apply(t, w, world.Close{Mark: "door"}, world.Close{Mark: "ladder"}, world.Open{Mark: name})
	if n := len(w.Now().Closed()); n == 0 || n == len(mesh.Marks) {
		t.Fatalf("%d of %d marks are closed", n, len(mesh.Marks))
	}
	sameWorlds(t, readSave(t, saveOf(t, w)), w)
}

// TestClosedLinksAreSaved closes a ladder, and finds the same paths in the world that was saved and read.
func TestClosedLinksAreSaved(t *testing.T) {
	w := worldOf(t, "halls")
	whole := w.Now().NewQuery()
	apply(t, w, world.Close{Mark: "ladder"})
	closed, read := w.Now().NewQuery(), readSave(t, saveOf(t, w)).Now().NewQuery()
	rng := rand.New(rand.NewPCG(17, 11))
	longer := 0
	for range 200 {
		from, ok1 := closed.RandomPoint(rng)
		to, ok2 := closed.RandomPoint(rng)
		if !ok1 || !ok2 {
			t.Fatal("no floor")
		}
		before, err1 := whole.Path(t.Context(), from.Point, to.Point)
		want, err2 := closed.Path(t.Context(), from.Point, to.Point)
		got, err3 := read.Path(t.Context(), from.Point, to.Point)
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		if got.Complete != want.Complete || math.Abs(got.Cost-want.Cost) > 1e-9 {
			t.Fatalf("from %v to %v: %v, %g m, want %v, %g m", from.Point, to.Point, got.Complete, got.Cost, want.Complete, want.Cost)
		}
		if before.Complete != want.Complete || before.Cost < want.Cost-1e-9 {
			longer++
		}
	}
	if longer == 0 {
		t.Error("no path needs the ladder")
	}
}

func TestReadRefuses(t *testing.T) {
	w := worldOf(t, "stairs")
	apply(t, w, world.Put{ID: "a", Solid: world.Cylinder{Radius: 0.1, Height: 0.1}})
	data := saveOf(t, w)
	for n := range data {
		if n%97 == 0 {
			if _, err := world.Read(context.Background(), bytes.NewReader(data[:n])); err == nil {
				t.Fatalf("%d of %d bytes: no error", n, len(data))
			}
		}
	}
	twice, err := world.EncodeEdits(world.Put{ID: "a", Solid: world.Cylinder{Radius: 0.1, Height: 0.1}}, world.Put{ID: "a", Solid: world.Cylinder{Radius: 1, Height: 1}})
	if err != nil {
		t.Fatal(err)
	}
	one, _ := world.EncodeEdits(world.Put{ID: "a", Solid: world.Cylinder{Radius: 0.1, Height: 0.1}})
	bad := withLastChunk(data, len(one), twice)
	if _, err := world.Read(context.Background(), bytes.NewReader(bad)); err == nil || !strings.Contains(err.Error(), `world: thing 2 of 2: the id "a" is taken`) {
		t.Errorf("a thing twice: %v", err)
	}
	broken := errors.New("the cable is out")
	if _, err := world.Read(context.Background(), iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("reading: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := world.Read(ctx, bytes.NewReader(data)); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
	if err := w.Now().Save(nil); err == nil {
		t.Error("a nil writer: no error")
	}
}

// memoryLog is a log in memory. It fails on request, and may lose what is not synced.
type memoryLog struct {
	data     []byte
	synced   int
	fail     error
	failOnce error // of the next write
}

func (m *memoryLog) ReadAt(b []byte, at int64) (int, error) {
	return bytes.NewReader(m.data).ReadAt(b, at)
}

func (m *memoryLog) WriteAt(b []byte, at int64) (int, error) {
	if err := errors.Join(m.fail, m.failOnce); err != nil {
		m.failOnce = nil
		return 0, err
	}
	m.data = append(m.data[:at], b...)
	return len(b), nil
}

func (m *memoryLog) Truncate(size int64) error {
	m.data = m.data[:size]
	return m.fail
}

func (m *memoryLog) Sync() error {
	m.synced = len(m.data)
	return m.fail
}

func newLog(t testing.TB, w *world.World) *memoryLog {
	t.Helper()
	data, err := w.Now().NewLog()
	if err != nil {
		t.Fatal(err)
	}
	return &memoryLog{data: data}
}

func follow(t testing.TB, w *world.World, m *memoryLog) world.Recovery {
	t.Helper()
	r, err := w.Follow(context.Background(), m, int64(len(m.data)), true)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFollow makes random changes of a world with a log. A world that was saved at any time and follows the log is the same.
func TestFollow(t *testing.T) {
	race.Skip(t)
	w := worldOf(t, "halls", 0.5)
	log := newLog(t, w)
	if r := follow(t, w, log); r != (world.Recovery{}) {
		t.Fatal(r)
	}
	maker := worldcheck.NewMaker(w.Now().Mesh(), 4)
	saves := [][]byte{saveOf(t, w)}
	const changes = 25
	for range changes {
		change(t, w, maker)
		if log.synced != len(log.data) {
			t.Fatal("the change is not synced")
		}
		saves = append(saves, saveOf(t, w))
	}
	for at, data := range saves {
		if at%5 > 0 && !slow.Enabled() {
			continue
		}
		other := readSave(t, data)
		copied := &memoryLog{data: bytes.Clone(log.data)}
		if r := follow(t, other, copied); r != (world.Recovery{Changes: changes - at, Older: at}) {
			t.Fatalf("saved at %d: %+v", at, r)
		}
		sameWorlds(t, other, w, 0.5)
	}
	// The world that follows goes on where the other was.
	other := readSave(t, saves[0])
	follow(t, other, log)
	change(t, other, maker)
	third := readSave(t, saves[3])
	follow(t, third, log)
	sameWorlds(t, third, other, 0.5)
}

// TestTornChange cuts the log within its last change. The change before is the last.
func TestTornChange(t *testing.T) {
	w := worldOf(t, "stairs")
	data := saveOf(t, w)
	log := newLog(t, w)
	follow(t, w, log)
	maker := worldcheck.NewMaker(w.Now().Mesh(), 5)
	var ends []int
	for range 4 {
		change(t, w, maker)
		ends = append(ends, len(log.data))
	}
	for cut := ends[2]; cut < ends[3]; cut += 1 + (ends[3]-ends[2])/20 {
		other := readSave(t, data)
		torn := &memoryLog{data: bytes.Clone(log.data[:cut])}
		if r := follow(t, other, torn); r != (world.Recovery{Changes: 3, Dropped: int64(cut - ends[2])}) {
			t.Fatalf("cut at %d: %+v", cut, r)
		}
		if other.Now().Sequence() != 3 || len(torn.data) != ends[2] {
			t.Errorf("cut at %d: change %d, a log of %d bytes", cut, other.Now().Sequence(), len(torn.data))
		}
	}
}

// TestFollowRefuses gives logs that do not belong to the world.
func TestFollowRefuses(t *testing.T) {
	w := worldOf(t, "stairs")
	data := saveOf(t, w)
	early := newLog(t, w)
	put := func(i int) world.Put {
		return world.Put{ID: world.ID(fmt.Sprint(i)), Solid: world.Cylinder{Radius: 0.2, Height: 1}}
	}
	apply(t, w, put(0))
	late := newLog(t, w)
	follow(t, w, late)
	apply(t, w, put(1))
	apply(t, w, put(2))
	flipped := &memoryLog{data: bytes.Clone(late.data)}
	flipped.data[40] ^= 1
	for want, log := range map[string]*memoryLog{
		"world: the log belongs to other meshes":                                newLog(t, worldOf(t, "halls")),
		"world: the log begins after change 1, the world is at change 0":        late,
		"journal: not a log of a world":                                         {data: data},
		"journal: the record at byte 32, behind record 1, is damaged, and more": flipped,
	} {
		before := bytes.Clone(log.data)
		other := readSave(t, data)
		if log == flipped {
			apply(t, other, put(0))
		}
		if _, err := other.Follow(context.Background(), log, int64(len(log.data)), true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if !bytes.Equal(log.data, before) {
			t.Errorf("%s: the log has changed", want)
		}
		apply(t, other) // without a log
		if !bytes.Equal(log.data, before) {
			t.Errorf("%s: the log is followed after an error", want)
		}
	}
	if _, err := w.Follow(context.Background(), early, int64(len(early.data)), true); err == nil || !strings.Contains(err.Error(), "has a log already") {
		t.Errorf("a second log: %v", err)
	}
	if _, err := worldOf(t, "stairs").Follow(context.Background(), nil, 0, true); err == nil {
		t.Error("a nil log: no error")
	}
	// A log with a change that the world refuses.
	other := readSave(t, data)
	apply(t, other, put(1))
	if _, err := other.Follow(context.Background(), late, int64(len(late.data)), true); err == nil || !strings.Contains(err.Error(), `world: change 2 of the log: world: edit 0: the id "1" is taken`) {
		t.Errorf("a log of another history: %v", err)
	}
}

// TestLogFails lets the log fail. The change then has not happened, for readers, in the log and for later changes.
func TestLogFails(t *testing.T) {
	w := worldOf(t, "stairs")
	data := saveOf(t, w)
	log := newLog(t, w)
	follow(t, w, log)
	put := world.Put{ID: "a", Solid: world.Cylinder{Radius: 0.2, Height: 1}}
	broken := errors.New("the disk is full")
	log.fail = broken
	before := w.Now()
	if _, err := w.Apply(context.Background(), put); !errors.Is(err, broken) || w.Now() != before {
		t.Errorf("%v, and the world has changed: %t", err, w.Now() != before)
	}
	log.fail = nil
	if _, err := w.Apply(context.Background(), put); err == nil || !strings.Contains(err.Error(), "takes no more records after an error") {
		t.Errorf("after a failure that was not taken back: %v", err)
	}
	if w.Now() != before {
		t.Error("the world has changed")
	}
	long := world.Paint{ID: "b", Solid: put.Solid, Brush: world.Brush{Area: strings.Repeat("x", 1<<16)}}
	if _, err := w.Apply(context.Background(), long); err == nil || w.Now() != before {
		t.Errorf("an edit that no log holds: %v", err)
	}
	other := readSave(t, data)
	if r := follow(t, other, log); r.Changes != 0 {
		t.Errorf("the log has %d changes", r.Changes)
	}
}

// TestLogFailsNowAndThen lets every third change fail at the log. The world stays the same as a world with a log that never fails.
func TestLogFailsNowAndThen(t *testing.T) {
	race.Skip(t)
	for _, kind := range []string{"halls", "stairs"} {
		w, twin := worldOf(t, kind, 0.5), worldOf(t, kind, 0.5)
		log := newLog(t, w)
		follow(t, w, log)
		maker := worldcheck.NewMaker(w.Now().Mesh(), 6)
		broken := errors.New("the disk is full")
		for n := range 30 {
			edits := change(t, twin, maker)
			if n%3 == 0 {
				log.failOnce = broken
				at, _ := w.Now().NewQuery().RandomPoint(rand.New(rand.NewPCG(uint64(n), 2)))
				never := world.Put{ID: "never", Solid: world.Cylinder{Base: at.Point, Radius: 1, Height: 2}}
				if _, err := w.Apply(context.Background(), never); !errors.Is(err, broken) {
					t.Fatal(err)
				}
			}
			apply(t, w, edits...)
			sameWorlds(t, w, twin, 0.5)
			rng := rand.New(rand.NewPCG(uint64(n), 1))
			q, r := w.Now().NewQuery(), twin.Now().NewQuery()
			for range 10 {
				a, _ := r.RandomPoint(rng)
				b, _ := r.RandomPoint(rng)
				got, err := q.Path(context.Background(), a.Point, b.Point)
				want, err2 := r.Path(context.Background(), a.Point, b.Point)
				if err != nil || err2 != nil || got.Complete != want.Complete || math.Abs(got.Cost-want.Cost) > 1e-9*want.Cost {
					t.Fatalf("%s, change %d, from %v to %v: %t %g %v, want %t %g %v", kind, n, a.Point, b.Point, got.Complete, got.Cost, err, want.Complete, want.Cost, err2)
				}
			}
		}
		other := worldOf(t, kind, 0.5)
		follow(t, other, log)
		sameWorlds(t, other, twin, 0.5)
	}
}

// disk is a saved world and its log, as a file system keeps them.
type disk struct {
	save []byte
	log  *memoryLog
}

// open reads the world on the disk.
func (d *disk) open(t testing.TB) (*world.World, world.Recovery) {
	t.Helper()
	w := readSave(t, d.save)
	return w, follow(t, w, d.log)
}

// TestCompact compacts a world while it changes, and stops at every step as a crash would. The disk always has the last change.
func TestCompact(t *testing.T) {
	crash := errors.New("crash")
	put := func(i int) world.Put {
		return world.Put{ID: world.ID(fmt.Sprint(i)), Solid: world.Cylinder{Radius: 0.2, Height: 1}}
	}
	for _, step := range []string{"no crash", "before save", "after save", "before renew", "after renew", "short renew"} {
		w := worldOf(t, "stairs")
		d := &disk{saveOf(t, w), newLog(t, w)}
		follow(t, w, d.log)
		for i := range 5 {
			apply(t, w, put(i))
		}
		err := w.Compact(func(s *world.Snapshot) error {
			if step == "before save" {
				return crash
			}
			var b bytes.Buffer
			if err := s.Save(&b); err != nil {
				return err
			}
			d.save = b.Bytes()
			apply(t, w, put(5), put(6)) // meanwhile
			if step == "after save" {
				return crash
			}
			return nil
		}, func(log []byte) (world.LogFile, error) {
			if step == "before renew" {
				return nil, crash
			}
			d.log = &memoryLog{data: log}
			switch step {
			case "after renew":
				return nil, crash
			case "short renew":
				return &memoryLog{data: log[:40]}, nil
			}
			return d.log, nil
		})
		if (err == nil) != (step == "no crash") || step != "short renew" && err != nil && !errors.Is(err, crash) {
			t.Errorf("%s: %v", step, err)
		}
		other, r := d.open(t)
		sameWorlds(t, other, w)
		if step == "no crash" && (r != world.Recovery{Changes: 1}) {
			t.Errorf("%s: %+v", step, r)
		}
		// An error of save leaves the log in use. After an error of renew nobody knows which log is on the disk.
		_, err = w.Apply(context.Background(), put(7))
		usable := strings.HasSuffix(step, "save") || step == "no crash"
		if (err == nil) != usable {
			t.Errorf("%s, the next change: %v", step, err)
		}
		if err := w.Compact(func(s *world.Snapshot) error {
			var b bytes.Buffer
			err := s.Save(&b)
			d.save = b.Bytes()
			if usable {
				apply(t, w, put(9)) // which is in the log that the first Compact made, if it did
			}
			return err
		}, func(log []byte) (world.LogFile, error) {
			d.log = &memoryLog{data: log}
			return d.log, nil
		}); err != nil {
			t.Errorf("%s, compacted again: %v", step, err)
		}
		apply(t, w, put(8))
		other, _ = d.open(t)
		sameWorlds(t, other, w)
	}
	w := worldOf(t, "stairs")
	save := func(*world.Snapshot) error { return nil }
	renew := func([]byte) (world.LogFile, error) { return nil, nil }
	if err := w.Compact(save, renew); err == nil || !strings.Contains(err.Error(), "has no log") {
		t.Errorf("without a log: %v", err)
	}
	follow(t, w, newLog(t, w))
	if err := w.Compact(save, renew); err == nil || !strings.Contains(err.Error(), "the new log is nil") {
		t.Errorf("a nil log: %v", err)
	}
	if err := w.Compact(nil, renew); err == nil {
		t.Error("a nil function: no error")
	}
}

// TestLostTail opens a saved world that is ahead of its log, as after a power cut without synced changes.
func TestLostTail(t *testing.T) {
	w := worldOf(t, "stairs")
	log := newLog(t, w)
	if _, err := w.Follow(context.Background(), log, int64(len(log.data)), false); err != nil {
		t.Fatal(err)
	}
	apply(t, w, world.Put{ID: "a", Solid: world.Cylinder{Radius: 0.2, Height: 1}})
	if log.synced != 0 {
		t.Error("a log that is not synced was synced")
	}
	length := len(log.data)
	apply(t, w, world.Put{ID: "b", Solid: world.Cylinder{Radius: 0.2, Height: 1}})
	d := &disk{saveOf(t, w), &memoryLog{data: log.data[:length]}}
	other, r := d.open(t)
	if r != (world.Recovery{Older: 1, Ahead: true}) {
		t.Errorf("%+v", r)
	}
	sameWorlds(t, other, w)
	if _, err := other.Apply(context.Background()); err == nil || !strings.Contains(err.Error(), "ahead of its log") {
		t.Errorf("a change: %v", err)
	}
	if err := other.Compact(func(*world.Snapshot) error { return nil }, func(b []byte) (world.LogFile, error) {
		d.log = &memoryLog{data: b}
		return d.log, nil
	}); err != nil {
		t.Fatal(err)
	}
	apply(t, other)
	third, _ := d.open(t)
	sameWorlds(t, third, other)
}

// withLastChunk replaces the last chunk of a saved world, of length bytes, by another: see docs/formats/world.md.
func withLastChunk(data []byte, length int, body []byte) []byte {
	out := bytes.Clone(data[:len(data)-16-(length+7)/8*8])
	head := binary.LittleEndian.AppendUint64(nil, uint64(len(body)))
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, crc32.MakeTable(crc32.Castagnoli)))
	out = append(append(out, head...), body...)
	return append(out, make([]byte, -len(body)&7)...)
}
