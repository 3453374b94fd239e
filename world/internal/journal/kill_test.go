package journal

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/meadow-nav/meadow/internal/slow"
)

// childLog is set for child processes of TestKilled: they append records to the log until they are killed.
const childLog = "MEADOW_JOURNAL_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childLog); path != "" {
		fmt.Fprintln(os.Stderr, appendForever(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// large is a record that takes several calls of the system to write, now and then.
func large(sequence uint64) []byte {
	rng := rand.New(rand.NewPCG(sequence, 8))
	n := rng.IntN(1 << 10)
	if rng.IntN(4) == 0 {
		n = rng.IntN(1 << 20)
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i) ^ byte(sequence)
	}
	return b
}

func openLarge(f *os.File, check func(sequence uint64, body []byte) error) (*Log, int64, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	return Open(f, info.Size(), true, func(Header) error { return nil }, check)
}

// appendForever appends records and tells the number of each when Append has returned.
func appendForever(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	l, dropped, err := openLarge(f, func(uint64, []byte) error { return nil })
	if err != nil {
		return err
	}
	fmt.Println("dropped", dropped)
	for {
		next := l.Last() + 1
		if err := l.Append(next, large(next)); err != nil {
			return err
		}
		fmt.Println("appended", next)
	}
}

// TestKilled kills processes that append to a log, at random moments. Each time the log has all records that were
// reported as appended, and at most one more.
func TestKilled(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("no processes here")
	}
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, Header{}.Encode(), 0o666); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	last, torn, unreported := uint64(0), 0, 0
	for round := range slow.Count(6, 200) {
		told, dropped := killed(t, path, rng)
		if dropped > 0 {
			torn++
		}
		told = max(told, last)
		got := recordsOf(t, path)
		if got != told && got != told+1 {
			t.Fatalf("round %d: record %d was reported, the log ends with record %d", round, told, got)
		}
		if got == told+1 {
			unreported++
		}
		last = got
	}
	if last < 20 {
		t.Errorf("only %d records", last)
	}
	t.Logf("%d records, %d torn, %d whole and not reported", last, torn, unreported)
}

// killed runs a child until a random moment. told is the last record that the child reported, 0 for none; dropped is the size of
// the torn record that the child found.
func killed(t *testing.T, path string, rng *rand.Rand) (told uint64, dropped int) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childLog+"="+path)
	var stderr bytes.Buffer
	child.Stderr = &stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Process.Kill()
	lines, wait := bufio.NewScanner(out), 1+rng.IntN(12)
	for lines.Scan() {
		var word string
		var n uint64
		if _, err := fmt.Sscan(lines.Text(), &word, &n); err != nil {
			t.Fatalf("the child said %q", lines.Text())
		}
		switch word {
		case "dropped":
			dropped = int(n)
		case "appended":
			told = n
		}
		if wait--; wait == 0 {
			time.AfterFunc(time.Duration(rng.IntN(3000))*time.Microsecond, func() { child.Process.Kill() })
		}
	}
	_ = child.Wait() // tells the kill
	if stderr.Len() > 0 {
		t.Fatalf("the child said %s", &stderr)
	}
	return told, dropped
}

// recordsOf returns the number of the last record of a log, and checks the contents of all.
func recordsOf(t *testing.T, path string) uint64 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		t.Fatal(err)
	}
	last, _, err := Scan(f, size, func(Header) error { return nil }, func(sequence uint64, body []byte) error {
		if !bytes.Equal(body, large(sequence)) {
			return fmt.Errorf("record %d has another body", sequence)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return last
}
