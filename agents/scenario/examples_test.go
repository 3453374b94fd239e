package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
)

// TestExamples plays the scenarios of examples/crowd, and checks their expectations.
func TestExamples(t *testing.T) {
	race.Skip(t)
	files, err := filepath.Glob(filepath.Join("..", "..", "examples", "crowd", "*.txt"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d scenarios, error %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := parse(t, string(text))
			if len(s.Expects) < 3 {
				t.Errorf("only %d expectations", len(s.Expects))
			}
			r := play(t, s)
			for _, failure := range s.Check(r) {
				t.Error(failure)
			}
			if r.False > 0 || r.NaN > 0 {
				t.Errorf("%d false arrivals, %d places that are not numbers", r.False, r.NaN)
			}
		})
	}
}
