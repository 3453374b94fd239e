package journal

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/meadow-nav/meadow/internal/costtest"
	"github.com/meadow-nav/meadow/internal/race"
)

// memory is a file in memory that fails on request.
type memory struct {
	data      []byte
	synced    int               // bytes at the last Sync
	writeErr  func(n int) error // of a write of n bytes, of which half are written
	truncErr  error             // of Truncate
	syncErr   error             // of Sync
	readErr   error             // of ReadAt
	truncates int               // calls
}

func (m *memory) ReadAt(b []byte, at int64) (int, error) {
	if m.readErr != nil {
		return 0, m.readErr
	}
	return bytes.NewReader(m.data).ReadAt(b, at)
}

func (m *memory) WriteAt(b []byte, at int64) (int, error) {
	n := len(b)
	var err error
	if m.writeErr != nil {
		if err = m.writeErr(n); err != nil {
			n /= 2
		}
	}
	if need := int(at) + n; need > len(m.data) {
		m.data = append(m.data, make([]byte, need-len(m.data))...)
	}
	copy(m.data[at:], b[:n])
	return n, err
}

func (m *memory) Truncate(size int64) error {
	m.truncates++
	if m.truncErr == nil {
		m.data = m.data[:size]
	}
	return m.truncErr
}

func (m *memory) Sync() error {
	if m.syncErr == nil {
		m.synced = len(m.data)
	}
	return m.syncErr
}

// body is the content of a record in these tests: some bytes that follow from its number.
func body(sequence uint64) []byte {
	rng := rand.New(rand.NewPCG(sequence, 7))
	b := make([]byte, rng.IntN(40))
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

var testHeader = Header{Base: 0x1234567890abcdef, After: 41}

// wrote returns a log with n records behind testHeader.
func wrote(t testing.TB, n int) *memory {
	t.Helper()
	m := &memory{data: testHeader.Encode()}
	l, _ := reopen(t, m, 0)
	for i := range n {
		if err := l.Append(l.Last()+1, body(l.Last()+1)); err != nil {
			t.Fatal(i, err)
		}
	}
	if int(l.Size()) != len(m.data) || m.synced != len(m.data) {
		t.Fatalf("%d bytes, the log says %d, %d of them synced", len(m.data), l.Size(), m.synced)
	}
	return m
}

// reopen opens a log and checks the number of its records.
func reopen(t testing.TB, m *memory, records int) (l *Log, dropped int64) {
	t.Helper()
	l, dropped, err := try(m)
	if err != nil {
		t.Fatal(err)
	}
	if got := int(l.Last() - testHeader.After); got != records {
		t.Fatalf("%d records, want %d", got, records)
	}
	return l, dropped
}

// try opens a log. A wrong header, body or number of a record is an error.
func try(m *memory) (*Log, int64, error) {
	next := testHeader.After + 1
	return Open(m, int64(len(m.data)), true, func(h Header) error {
		if h != testHeader {
			return fmt.Errorf("header %v", h)
		}
		return nil
	}, func(sequence uint64, b []byte) error {
		if sequence != next || !bytes.Equal(b, body(sequence)) {
			return fmt.Errorf("record %d is %x, want record %d %x", sequence, b, next, body(next))
		}
		next++
		return nil
	})
}

func TestRecordsComeBack(t *testing.T) {
	m := &memory{data: testHeader.Encode()}
	const records = 50
	for i := range records {
		l, dropped := reopen(t, m, i)
		if dropped != 0 {
			t.Fatalf("%d bytes dropped", dropped)
		}
		if err := l.Append(l.Last()+1, body(l.Last()+1)); err != nil {
			t.Fatal(err)
		}
		if m.synced != len(m.data) {
			t.Fatal("the record is not synced")
		}
	}
	reopen(t, m, records)
	if m.truncates > 0 {
		t.Error("a whole log was cut")
	}
	last, end, err := Scan(m, int64(len(m.data)), func(Header) error { return nil }, func(uint64, []byte) error { return nil })
	if err != nil || int(end) != len(m.data) || last != testHeader.After+records {
		t.Errorf("%d, %d, %v", last, end, err)
	}
}

// TestLogBytes pins the bytes of a log to the page of the format.
func TestLogBytes(t *testing.T) {
	m := &memory{data: Header{Base: 2, After: 3}.Encode()}
	l, _, err := Open(m, int64(len(m.data)), false, func(Header) error { return nil }, func(uint64, []byte) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Append(4, []byte("ab")); err != nil {
		t.Fatal(err)
	}
	if m.synced != 0 {
		t.Error("an unsynced log was synced")
	}
	if err := l.Sync(); err != nil || m.synced != len(m.data) {
		t.Errorf("%d bytes synced, %v", m.synced, err)
	}
	want := hex.EncodeToString([]byte("MEADLOG\n")) + "01000000" + "0200000000000000" + "0300000000000000" + "SUM" +
		"02000000" + "3629a2e2" + "0400000000000000" + "SUM" + "6162"
	got := hex.EncodeToString(m.data)
	got = got[:56] + "SUM" + got[64:64+32] + "SUM" + got[64+40:]
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestEveryCutIsACrash cuts a log at every byte. Whole records stay, the torn one goes, and the next one follows.
func TestEveryCutIsACrash(t *testing.T) {
	const records = 6
	whole := wrote(t, records).data
	ends := []int{headerSize}
	for i := range records {
		ends = append(ends, ends[i]+headSize+len(body(testHeader.After+1+uint64(i))))
	}
	for n := range whole {
		m := &memory{data: bytes.Clone(whole[:n])}
		if n < headerSize {
			if _, _, err := try(m); err == nil {
				t.Errorf("%d bytes: no error", n)
			}
			continue
		}
		left := 0
		for left < records && ends[left+1] <= n {
			left++
		}
		l, dropped := reopen(t, m, left)
		if int(dropped) != n-ends[left] || len(m.data) != ends[left] || dropped > 0 && m.synced != len(m.data) {
			t.Errorf("%d bytes: %d dropped, %d left, %d synced", n, dropped, len(m.data), m.synced)
		}
		if err := l.Append(l.Last()+1, body(l.Last()+1)); err != nil {
			t.Fatal(err)
		}
		if _, dropped = reopen(t, m, left+1); dropped != 0 {
			t.Errorf("%d bytes, one record more: %d dropped", n, dropped)
		}
	}
}

// TestTornByPower opens logs whose last record lost other bytes than its end, as after a power cut.
func TestTornByPower(t *testing.T) {
	const records = 4
	whole := wrote(t, records).data
	start := len(wrote(t, records-1).data)
	for name, tear := range map[string]func(b []byte) []byte{
		"zeros in place of the record":  func(b []byte) []byte { clear(b[start:]); return b },
		"zeros in place of the head":    func(b []byte) []byte { clear(b[start : start+headSize]); return b },
		"zeros behind":                  func(b []byte) []byte { return append(b[:start+headSize], make([]byte, 5000)...) },
		"zeros only":                    func(b []byte) []byte { return append(b[:start], make([]byte, 100000)...) },
		"a record of the past in it":    func(b []byte) []byte { return append(append(b[:start], 1), b[headerSize:start]...) },
		"half a head of a later record": func(b []byte) []byte { return append(b[:start+3], b[start:start+headSize-1]...) },
		"a head in a torn body": func(b []byte) []byte {
			return append(appendRecord(b[:start], 45, make([]byte, 100))[:start+headSize], appendRecord(nil, 46, nil)...)
		},
	} {
		m := &memory{data: tear(bytes.Clone(whole))}
		n := len(m.data)
		if _, dropped := reopen(t, m, records-1); int(dropped) != n-start {
			t.Errorf("%s: %d bytes dropped, want %d", name, dropped, n-start)
		}
	}
}

// TestEveryFlippedBitIsFound flips each bit of a log of several records.
func TestEveryFlippedBitIsFound(t *testing.T) {
	const records = 5
	whole := wrote(t, records).data
	lastStart := len(wrote(t, records-1).data)
	for i := range whole {
		for bit := range 8 {
			m := &memory{data: bytes.Clone(whole)}
			m.data[i] ^= 1 << bit
			l, dropped, err := try(m)
			switch {
			case i < lastStart && err == nil:
				t.Errorf("bit %d of byte %d: no error", bit, i)
			case i < lastStart && i >= headerSize && !strings.Contains(err.Error(), "is damaged, and more records follow at byte"):
				t.Errorf("bit %d of byte %d: %v", bit, i, err)
			case i < lastStart && len(m.data) != len(whole):
				t.Errorf("bit %d of byte %d: a damaged log was cut", bit, i)
			case i >= lastStart && (err != nil || int(dropped) != len(whole)-lastStart || l.Last() != testHeader.After+records-1):
				t.Errorf("bit %d of byte %d: %d bytes dropped, %v", bit, i, dropped, err)
			}
		}
	}
}

func TestErrorsNameThePlace(t *testing.T) {
	good := testHeader.Encode()
	header := func(i int, v byte) []byte {
		b := bytes.Clone(good)
		b[i] = v
		return b
	}
	two := appendRecord(appendRecord(bytes.Clone(good), 42, body(42)), 43, body(43))
	second := len(good) + headSize + len(body(42))
	broken := bytes.Clone(two)
	broken[headerSize+1] ^= 1
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":          {nil, "journal: not a log of a world"},
		"a mesh":         {[]byte("MEADOW\r\n plus some more bytes here"), "journal: not a log of a world"},
		"short":          {good[:20], "journal: header: the file ends after 20 of 32 bytes"},
		"version":        {header(8, 2), "journal: header: version 2, this program reads version 1"},
		"checksum":       {header(12, 0), "journal: header: checksum is"},
		"first record":   {appendRecord(bytes.Clone(good), 43, nil), "journal: record 43 at byte 32 follows record 41"},
		"second record":  {appendRecord(bytes.Clone(two), 45, nil), "journal: record 45 at byte"},
		"record again":   {append(bytes.Clone(two), two[second:]...), "journal: record 43 at byte"},
		"in the middle":  {broken, fmt.Sprintf("journal: the record at byte 32, behind record 41, is damaged, and more records follow at byte %d", second)},
		"swapped":        {append(append(bytes.Clone(good), two[second:]...), two[headerSize:second]...), "journal: record 43 at byte 32 follows record 41"},
		"one left out":   {appendRecord(appendRecord(bytes.Clone(good), 42, body(42)), 44, nil), "journal: record 44 at byte"},
		"torn behind":    {broken[:second+headSize], fmt.Sprintf("is damaged, and more records follow at byte %d", second)},
		"far behind":     {appendRecord(append(bytes.Clone(good), make([]byte, 1<<16-5)...), 43, nil), fmt.Sprintf("follow at byte %d", 1<<16-5+headerSize)},
		"beyond MaxBody": {appendRecord(headOf(MaxBody+1, 42), 43, nil), "is damaged, and more records follow at byte 52"},
	} {
		m := &memory{data: bytes.Clone(c.data)}
		if _, _, err := try(m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if !bytes.Equal(m.data, c.data) {
			t.Errorf("%s: the file was changed", name)
		}
	}
	stop := errors.New("stop")
	m := &memory{data: bytes.Clone(two)}
	if _, _, err := Open(m, int64(len(two)), true, func(Header) error { return stop }, nil); !errors.Is(err, stop) {
		t.Errorf("an error of begin: %v", err)
	}
	if _, _, err := Open(m, int64(len(two)), true, func(Header) error { return nil }, func(uint64, []byte) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an error of each: %v", err)
	}
	if _, _, err := Open(m, int64(len(two))+1<<40, true, func(Header) error { return nil }, func(uint64, []byte) error { return nil }); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a file shorter than its size: %v", err)
	}
}

// headOf is testHeader and the head of a record that claims a length.
func headOf(length uint32, sequence uint64) []byte {
	b := appendRecord(testHeader.Encode(), sequence, nil)
	le.PutUint32(b[headerSize:], length)
	return sign(b, headerSize)
}

// sign makes the checksum of the head at an offset right.
func sign(b []byte, at int) []byte {
	copy(b[at+headSize-4:], le.AppendUint32(nil, crc(b[at:at+headSize-4])))
	return b
}

// TestFailures lets writes, syncs and cuts fail. The log then has the records whose Append succeeded, and no others.
func TestFailures(t *testing.T) {
	broken := errors.New("the disk is full")
	for name, c := range map[string]struct {
		fail   func(m *memory)
		usable bool // afterwards
	}{
		"write":              {func(m *memory) { m.writeErr = func(int) error { return broken } }, true},
		"sync":               {func(m *memory) { m.syncErr = broken }, false},
		"write and truncate": {func(m *memory) { m.writeErr, m.truncErr = func(int) error { return broken }, broken }, false},
		"sync and truncate":  {func(m *memory) { m.syncErr, m.truncErr = broken, broken }, false},
	} {
		m := wrote(t, 2)
		l, _ := reopen(t, m, 2)
		c.fail(m)
		if err := l.Append(44, body(44)); !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
		m.writeErr, m.truncErr, m.syncErr = nil, nil, nil
		err := l.Append(44, body(44))
		if (err == nil) != c.usable {
			t.Errorf("%s, afterwards: %v", name, err)
		}
		if !c.usable && !errors.Is(err, broken) {
			t.Errorf("%s, afterwards: %v does not tell the cause", name, err)
		}
		if !c.usable && name == "sync and truncate" {
			reopen(t, m, 3) // the record of a failed sync may be there after all
			continue
		}
		reopen(t, m, map[bool]int{true: 3, false: 2}[c.usable])
	}
	m := wrote(t, 1)
	l, _ := reopen(t, m, 1)
	for _, sequence := range []uint64{0, 42, 44} {
		if err := l.Append(sequence, nil); err == nil || !strings.Contains(err.Error(), "cannot follow record 42") {
			t.Errorf("record %d: %v", sequence, err)
		}
	}
	if err := l.Append(43, make([]byte, MaxBody+1)); err == nil || !strings.Contains(err.Error(), "journal: a record of 268435457 bytes, at most 268435456") {
		t.Errorf("a long record: %v", err)
	}
	m.syncErr = broken
	if err := l.Sync(); !errors.Is(err, broken) {
		t.Errorf("Sync: %v", err)
	}
	m.syncErr, m.data = nil, append(m.data, 1)
	for _, fail := range []func(){func() { m.truncErr = broken }, func() { m.truncErr, m.syncErr = nil, broken }, func() { m.readErr = broken }} {
		fail()
		if _, _, err := try(m); !errors.Is(err, broken) {
			t.Errorf("opening: %v", err)
		}
	}
}

// TestHostileLogs reads logs that claim much, and logs that make the search for later records work hard.
func TestHostileLogs(t *testing.T) {
	race.Skip(t)
	const n = 4 << 20
	head := appendRecord(nil, 42, nil)
	le.PutUint32(head, n/4) // a head whose body, a quarter of the file, is wrong
	sign(head, 0)
	files := map[string][]byte{
		"zeros": append(testHeader.Encode(), make([]byte, n)...),
		"ones":  append(testHeader.Encode(), bytes.Repeat([]byte{0, 0, 0, 1}, n/4)...),
		"claim": headOf(MaxBody, 42),
		"heads": append(testHeader.Encode(), bytes.Repeat(head, n/headSize)...),
	}
	for name, data := range files {
		m := &memory{data: data}
		costtest.Within(t, 20*time.Second, 3*len(data)>>20+2, func() {
			_, _, err := try(m)
			if (err != nil) != (name == "heads") {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// FuzzScan checks that bytes of any kind give the records of a log which Append would have written, and nothing more.
func FuzzScan(f *testing.F) {
	whole := wrote(f, 3).data
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(whole[:headerSize])
	f.Add(append(bytes.Clone(whole), 1, 2, 3))
	f.Add(appendRecord(bytes.Clone(whole), 45, []byte("x")))
	f.Fuzz(func(t *testing.T, data []byte) {
		var out []byte
		last, end, err := Scan(bytes.NewReader(data), int64(len(data)), func(h Header) error {
			out = h.Encode()
			return nil
		}, func(sequence uint64, body []byte) error {
			out = appendRecord(out, sequence, body)
			return nil
		})
		if err != nil {
			return
		}
		if !bytes.Equal(out, data[:end]) {
			t.Fatalf("%x is not the begin of %x", out, data)
		}
		m := &memory{data: bytes.Clone(data)}
		l, dropped, err := Open(m, int64(len(data)), true, func(Header) error { return nil }, func(uint64, []byte) error { return nil })
		if err != nil || l.Last() != last || dropped != int64(len(data))-end || !bytes.Equal(m.data, data[:end]) {
			t.Fatalf("opened: %d dropped, last %d, %v", dropped, l.Last(), err)
		}
	})
}

func crc(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }
