package steer

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// The blocked traveller.
//
// Source: S. Brand, thesis, 2009, section 2.3.
//
// Idea: Local behaviours solve most meetings, and a chain of remedies solves the rest. A traveller that appears blocked moves in
// an opposite random direction for a short while. If that does not help, it plans its way again: it has learned of a closed
// door by bumping into it. If there is no way, it retries after a delay, so others can move out of the way. If successive
// attempts fail it panics, and selects a new long-term goal.
//
// Guarantees:
//  1. The remedies come in the source's order, at the times of Patience (TestPatience).
//  2. Noise is a function of id and time: the same bits in every replay and on every machine. It points away from the way that
//     is blocked, and differs between travellers (TestNoise).
//  3. A traveller that does not know of a closed door bumps into it, plans again and arrives (TestClosedDoor).
//  4. A new goal is the nearest of those that did not fail (TestNewGoal).
//
// Degenerate cases: no time passes in steps of 0, negative or NaN seconds. Without any goal left the new goal is -1.
//
// Cost: O(1); O(n) for n goals.
//
// Departures: the source draws noise at random; replays need ours. Times and counts are ours, the source gives none. The
// source leaves the choice of a new goal to a higher system.

// Remedy is what a traveller does next.
type Remedy uint8

// The remedies in the order of the source.
const (
	GoOn   Remedy = iota // follow the way
	Jitter               // move by Noise
	Replan               // plan the way again, then call Planned
	Wait                 // stand until the next attempt
	Panic                // select another goal, then begin with the zero Trouble
)

// String returns the name of the remedy.
func (r Remedy) String() string {
	names := [...]string{"go on", "jitter", "replan", "wait", "panic"}
	if int(r) >= len(names) {
		return "unknown"
	}
	return names[r]
}

// Patience says how long each remedy is given. Every time is in seconds.
type Patience struct {
	// Blocked is the time without progress after which a traveller counts as blocked; While the short while of noise.
	Blocked, While float64
	// Delay is the time until the next attempt to plan; Attempts the number of failed attempts that end in panic.
	Delay    float64
	Attempts int
}

// Trouble is how far a traveller's trouble has come; zero is none. Callers keep the Trouble and give it back.
type Trouble struct {
	// Seconds counts the time in the present stage; of a traveller on its way, the time for which it has been blocked.
	Seconds float64
	// Free counts the time since noise for which a traveller was not blocked.
	Free float64
	// Failed counts the attempts to plan that failed.
	Failed int
	stage  stage
}

type stage uint8

const (
	walking stage = iota
	jittering
	jittered // walking after noise
	planning
	waiting
	panicking
)

// Next returns the trouble after a step of some seconds, and the remedy for the next step. Blocked says that the traveller made
// no progress in the step.
func (p Patience) Next(t Trouble, blocked bool, seconds float64) (Trouble, Remedy) {
	if seconds > 0 {
		t.Seconds += seconds
	}
	switch t.stage {
	case walking, jittered:
		if !blocked {
			t.Seconds = 0
			// Noise led away from the obstacle, and the way back to it is free: only more free time means that noise helped.
			if seconds > 0 {
				t.Free += seconds
			}
			if t.stage == walking || t.Free > float64(2*p.While)+p.Blocked {
				t = Trouble{}
			}
			return t, GoOn
		}
		if t.Seconds < p.Blocked {
			return t, GoOn
		}
		if t.stage == walking {
			return Trouble{Failed: t.Failed, stage: jittering}, Jitter
		}
		return Trouble{Failed: t.Failed, stage: planning}, Replan
	case jittering:
		if t.Seconds < p.While {
			return t, Jitter
		}
		return Trouble{Failed: t.Failed, stage: jittered}, GoOn
	case waiting:
		if t.Seconds < p.Delay {
			return t, Wait
		}
		return Trouble{Failed: t.Failed, stage: planning}, Replan
	case panicking:
		return t, Panic
	default:
		return t, Replan
	}
}

// Planned returns the trouble after an attempt to plan the way again, and the remedy: to go on where a way was found, else to
// wait, or to panic after too many failures.
func (p Patience) Planned(t Trouble, found bool) (Trouble, Remedy) {
	if found {
		return Trouble{}, GoOn
	}
	t = Trouble{Failed: t.Failed + 1, stage: waiting}
	if t.Failed >= max(p.Attempts, 1) {
		t.stage = panicking
		return t, Panic
	}
	return t, Wait
}

// Noise returns the unit vector of an opposite direction for a traveller that is blocked on its way: within a quarter of a
// turn of straight back. The window numbers the short whiles, such as time divided by Patience.While: within a window the
// direction stays. A way without direction counts as along x.
func Noise(way geom.Vec, id, window uint64) geom.Vec {
	back := flat(level(way)).Scale(-1)
	if back == (geom.Vec{}) {
		back = geom.Vec{X: -1}
	}
	// From -1 to 1, by the 53 upper bits.
	part := float64(mix(id, window)>>11)/(1<<52) - 1
	sin, cos := geom.Sincos(part * (math.Pi / 2))
	return flat(back.Scale(cos).Add(left(back).Scale(sin)))
}

// mix hashes two numbers: the finalizer of splitmix64, twice.
func mix(a, b uint64) uint64 {
	z := a*0x9e3779b97f4a7c15 + 0x632be59bd9b4e019
	for _, x := range [2]uint64{b, 0} {
		z ^= x * 0xd1342543de82ef95
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
	}
	return z
}

// NewGoal returns the index of the goal nearest to a place, in a straight line, that has not failed; -1 if all have. Failed
// marks goals by index, and may be shorter. Of equally near goals the first one wins.
func NewGoal(at geom.Vec, goals []geom.Vec, failed []bool) int {
	best := -1
	for i := range goals {
		if i < len(failed) && failed[i] {
			continue
		}
		if best < 0 || at.DistXZ(goals[i]) < at.DistXZ(goals[best]) {
			best = i
		}
	}
	return best
}
