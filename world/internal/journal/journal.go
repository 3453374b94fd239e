// Package journal keeps a log of changes in a file. Records are only appended, and after a crash each record is whole or
// absent.
package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
)

// Source: own; docs/formats/world.md specifies every byte. Checksums are those of mesh files.
//
// Idea: a record is a head and a body. The head has the length and the checksum of the body, the sequence number, and a
// checksum of its own; so a reader trusts a length before it follows the length. A crash leaves a torn record at the end of
// the file, and nothing behind. Whatever else is wrong is damage.
//
// Input: a file that one Log at a time writes; or any bytes, to be read.
//
// Guarantees:
//  1. Records come back in order, bit by bit (TestRecordsComeBack).
//  2. A file cut anywhere behind its header gives all whole records and the size of the torn record
//     (TestEveryCutIsACrash). Opening the file removes the torn record, so the next record follows the last whole record.
//  3. Every changed bit is noticed: an error for a record with another behind it, a torn record for the last
//     (TestEveryFlippedBitIsFound). A record is never changed, left out or added in silence.
//  4. A record whose Append failed is not in the log, or the log takes no more (TestFailures).
//  5. After Append of a synced log the record survives the end of the process and of the machine
//     (TestKilled in this package ends processes).
//  6. Memory is at most in proportion to the file, whatever lengths are claimed; reading takes time O(n) for n bytes of any
//     content (TestHostileLogs).
//
// Degenerate cases: a log without records, records without bytes. A file shorter than its header is an error, because
// makers of a log write the header before the file gets its name. Behind a damaged head or body, a reader looks for another
// head byte by byte: a head with a right checksum and a later sequence number is the evidence of damage. A record cut by the
// end of the file has nothing behind it, whatever its body looks like.
//
// Cost: Append writes the record in one call, and syncs.

// magic is the beginning of every log. The line end reveals a transfer that converted text.
const magic = "MEADLOG\n"

const (
	version    = 1
	headerSize = 32
	headSize   = 20
)

// MaxBody is the largest body of a record in bytes.
const MaxBody = 1 << 28

var (
	le         = binary.LittleEndian
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

// File is a log's file, such as an *os.File open for reading and writing.
type File interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error
}

// Header is the beginning of a log.
type Header struct {
	Base  uint64 // tells to what the log belongs
	After uint64 // sequence number before that of the first record
}

// Encode returns the bytes of a log with no records.
func (h Header) Encode() []byte {
	b := append(make([]byte, 0, headerSize), magic...)
	b = le.AppendUint32(b, version)
	b = le.AppendUint64(b, h.Base)
	b = le.AppendUint64(b, h.After)
	return le.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// Log appends records to a file. One goroutine at a time uses a Log.
type Log struct {
	file   File
	end    int64 // of the last whole record
	last   uint64
	synced bool
	broken error // of a write that may have left part of a record
	buf    []byte
}

// Open reads all records of a log of size bytes by each, see [Scan], removes a torn record from the end, and returns
// the log for further records. Append of a synced log returns when the record is on the medium. dropped is the number of
// bytes that were removed.
func Open(f File, size int64, synced bool, begin func(Header) error, each func(sequence uint64, body []byte) error) (l *Log, dropped int64, err error) {
	last, end, err := Scan(f, size, begin, each)
	if err != nil {
		return nil, 0, err
	}
	if end < size {
		if err := f.Truncate(end); err != nil {
			return nil, 0, fmt.Errorf("journal: removing a torn record: %w", err)
		}
		if err := f.Sync(); err != nil {
			return nil, 0, fmt.Errorf("journal: removing a torn record: %w", err)
		}
	}
	return &Log{file: f, end: end, last: last, synced: synced}, size - end, nil
}

// Last returns the sequence number of the last record, or the number of the header for a log without records.
func (l *Log) Last() uint64 { return l.last }

// Size returns the length of the log in bytes.
func (l *Log) Size() int64 { return l.end }

// Append writes a record. The sequence number must be the number of the last record plus 1. After an error, the record is
// not in the log; if the file may still hold part of the record, all later calls return an error.
func (l *Log) Append(sequence uint64, body []byte) error {
	switch {
	case l.broken != nil:
		return fmt.Errorf("journal: the log takes no more records after an error: %w", l.broken)
	case len(body) > MaxBody:
		return fmt.Errorf("journal: a record of %d bytes, at most %d", len(body), MaxBody)
	case sequence != l.last+1:
		return fmt.Errorf("journal: record %d cannot follow record %d", sequence, l.last)
	case l.end > math.MaxInt64-headSize-int64(len(body)):
		return fmt.Errorf("journal: the log is full at %d bytes", l.end)
	}
	l.buf = appendRecord(l.buf[:0], sequence, body)
	_, err := l.file.WriteAt(l.buf, l.end)
	if err == nil && l.synced {
		err = l.file.Sync()
	}
	if err != nil {
		return l.takeBack(err)
	}
	l.end += int64(len(l.buf))
	l.last = sequence
	return nil
}

// takeBack removes the record of an Append that failed.
func (l *Log) takeBack(cause error) error {
	err := l.file.Truncate(l.end)
	if err == nil && l.synced {
		err = l.file.Sync()
	}
	if err != nil {
		l.broken = cause
	}
	return fmt.Errorf("journal: %w", cause)
}

// Sync returns when all records are on the medium.
func (l *Log) Sync() error {
	if err := l.file.Sync(); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

func appendRecord(b []byte, sequence uint64, body []byte) []byte {
	head := len(b)
	b = le.AppendUint32(b, uint32(len(body)))
	b = le.AppendUint32(b, crc32.Checksum(body, castagnoli))
	b = le.AppendUint64(b, sequence)
	b = le.AppendUint32(b, crc32.Checksum(b[head:], castagnoli))
	return append(b, body...)
}

// head is the begin of a record.
type head struct {
	length   int64
	sum      uint32
	sequence uint64
}

// decodeHead returns the head in headSize bytes; ok is false for a wrong checksum or length.
func decodeHead(b []byte) (h head, ok bool) {
	h = head{int64(le.Uint32(b)), le.Uint32(b[4:]), le.Uint64(b[8:])}
	return h, crc32.Checksum(b[:headSize-4], castagnoli) == le.Uint32(b[headSize-4:]) && h.length <= MaxBody
}

// Scan reads a log of size bytes. It calls begin with the header, then each with every record in order; the body is valid
// during the call. An error of the functions ends the scan. end is the end of the last whole record and last its number: the
// bytes from end to size are a record that a crash has torn. Any other damage is an error that names the place.
func Scan(r io.ReaderAt, size int64, begin func(Header) error, each func(sequence uint64, body []byte) error) (last uint64, end int64, err error) {
	s := scanner{r: r, size: size}
	h, err := s.header()
	if err != nil {
		return 0, 0, err
	}
	if err := begin(h); err != nil {
		return 0, 0, err
	}
	last, end = h.After, headerSize
	for size-end >= headSize {
		rec, err := s.record(end)
		if err != nil {
			return 0, 0, err
		}
		if !rec.whole {
			at, found, err := s.laterHead(rec.next, last)
			if err != nil {
				return 0, 0, err
			}
			if found {
				return 0, 0, fmt.Errorf("journal: the record at byte %d, behind record %d, is damaged, and more records follow at byte %d", end, last, at)
			}
			break
		}
		if rec.sequence != last+1 {
			return 0, 0, fmt.Errorf("journal: record %d at byte %d follows record %d", rec.sequence, end, last)
		}
		if err := each(rec.sequence, rec.body); err != nil {
			return 0, 0, err
		}
		last, end = rec.sequence, rec.next
	}
	return last, end, nil
}

// scanner reads a log.
type scanner struct {
	r    io.ReaderAt
	size int64
	buf  []byte
}

// read returns n bytes at an offset, which the log must have. The bytes are valid until the next call.
func (s *scanner) read(offset, n int64) ([]byte, error) {
	s.buf = slices.Grow(s.buf[:0], int(n))[:n]
	if got, err := s.r.ReadAt(s.buf, offset); int64(got) < n {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("journal: reading at byte %d: %w", offset+int64(got), err)
	}
	return s.buf, nil
}

func (s *scanner) header() (h Header, err error) {
	b, err := s.read(0, max(0, min(s.size, headerSize)))
	if err != nil {
		return h, err
	}
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return h, errors.New("journal: not a log of a world: it does not begin with \"MEADLOG\"")
	}
	if len(b) < headerSize {
		return h, fmt.Errorf("journal: header: the file ends after %d of %d bytes", len(b), headerSize)
	}
	if v := le.Uint32(b[8:]); v != version {
		return h, fmt.Errorf("journal: header: version %d, this program reads version %d", v, version)
	}
	if got, want := crc32.Checksum(b[:headerSize-4], castagnoli), le.Uint32(b[headerSize-4:]); got != want {
		return h, fmt.Errorf("journal: header: checksum is %08x, the file says %08x", got, want)
	}
	return Header{Base: le.Uint64(b[12:]), After: le.Uint64(b[20:])}, nil
}

// record is a record in a log, or bytes where a record should be.
type record struct {
	head
	body  []byte
	whole bool
	next  int64 // from here on other records can begin
}

// record returns the record at an offset.
func (s *scanner) record(offset int64) (rec record, err error) {
	b, err := s.read(offset, headSize)
	if err != nil {
		return rec, err
	}
	h, ok := decodeHead(b)
	switch {
	case !ok:
		return record{next: offset + 1}, nil
	case h.length > s.size-offset-headSize:
		return record{next: s.size}, nil
	}
	rec = record{head: h, next: offset + headSize + h.length}
	if rec.body, err = s.read(offset+headSize, h.length); err != nil {
		return rec, err
	}
	rec.whole = crc32.Checksum(rec.body, castagnoli) == h.sum
	return rec, nil
}

// laterHead looks for a head with a number above last, from an offset on.
func (s *scanner) laterHead(offset int64, last uint64) (at int64, found bool, err error) {
	const window = 1 << 16
	for ; s.size-offset >= headSize; offset += window {
		b, err := s.read(offset, min(s.size-offset, window+headSize-1))
		if err != nil {
			return 0, false, err
		}
		for i := 0; i+headSize <= len(b); i++ {
			if le.Uint64(b[i+8:]) <= last {
				continue
			}
			if _, ok := decodeHead(b[i:]); ok {
				return offset + int64(i), true, nil
			}
		}
	}
	return 0, false, nil
}
