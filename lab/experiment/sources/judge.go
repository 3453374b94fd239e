package sources

import (
	"fmt"
	"math"
	"strings"

	"github.com/meadow-nav/meadow/lab/experiment"
)

// Difference is a claim of a source that is known not to hold here.
type Difference struct {
	Experiment string
	Claim      string // its beginning
	Why        string
}

// Differences returns the claims that may fail, with the reason of each. Every other claim is ours too, and a failure is a
// fault.
func Differences() []Difference { return differences }

// Verdict is the judgement of a claim.
type Verdict uint8

// The verdicts.
const (
	Holds Verdict = iota
	Known         // fails, as [Differences] says
	Fails
)

// Judge judges a claim of an experiment. why is the reason of a known difference.
func Judge(name string, c experiment.Claim) (v Verdict, why string) {
	if c.Holds {
		return Holds, ""
	}
	for _, d := range differences {
		if d.Experiment == name && strings.HasPrefix(c.Text, d.Claim) {
			return Known, d.Why
		}
	}
	return Fails, ""
}

// Tally counts the judged rows of results.
type Tally struct {
	Experiments, Claims int
	Verdicts            [Fails + 1]int // of claims
	// Published counts rows with a published figure and ours, Near those at most 5 % apart.
	Published, Near int
}

// Add counts a result.
func (t *Tally) Add(r *Result) {
	t.Experiments++
	for _, c := range r.Claims {
		v, _ := Judge(r.Experiment, c)
		t.Claims++
		t.Verdicts[v]++
	}
	for _, row := range r.Rows {
		if row.Published == nil || row.Ours == nil {
			continue
		}
		t.Published++
		if math.Abs(*row.Ours-*row.Published) <= near*math.Abs(*row.Published) {
			t.Near++
		}
	}
}

// near is the difference of figures from which on the experiments give a reason.
const near = 0.05

// String says the counts in words.
func (t Tally) String() string {
	return fmt.Sprintf("%d experiments; %d claims: %d hold, %d differ for a known reason, %d fail; %d published figures: %d within 5 %%",
		t.Experiments, t.Claims, t.Verdicts[Holds], t.Verdicts[Known], t.Verdicts[Fails], t.Published, t.Near)
}
