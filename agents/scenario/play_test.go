package scenario

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/internal/race"
)

// play plays a scenario on its own level, and returns the judgement.
func play(t *testing.T, s *Scenario) Report {
	t.Helper()
	mesh := build(t, s)
	c := cast(t, s, mesh)
	j := NewJudge(c, mesh.Index())
	if err := Play(t.Context(), c, mesh.Index(), PlayOptions{Each: func(f Frame) error {
		if f.Floor != nil {
			j.Use(f.Floor)
		}
		j.Step(f.Seen)
		return nil
	}}); err != nil {
		t.Fatal(err)
	}
	return j.Report()
}

// TestPlay plays sources of every kind, a door that a crate closes for a while, and a tour.
func TestPlay(t *testing.T) {
	s := parse(t, hall+`seconds 40
place mid 5,0,0
crowd a 10 in west to east then leave
stream b 5 in west every 0.4 from 1 to east then stay
crowd c 2 in east tour west mid then again
crowd d 2 in east to west mid then leave
at 2 put crate box 0,0,0 size 0.5,1,4
at 6 take crate
expect overlap below 0.01
expect offmesh 0
expect arrived 20
expect stuck 0`)
	r := play(t, s)
	if got := s.Check(r); len(got) > 0 {
		t.Errorf("%q\n%+v", got, r)
	}
	if r.Entered != 19 || r.False != 0 || r.Flows[0].There+r.Flows[0].Back < 15 || r.Unfinished != 0 {
		t.Errorf("%+v", r)
	}
}

// TestPlayIsRepeatable plays twice with other numbers of goroutines, and compares the hashes of all steps.
func TestPlayIsRepeatable(t *testing.T) {
	s := parse(t, hall+"seconds 5\ncrowd a 80 in west to east\ncrowd b 40 anywhere to anywhere then again")
	mesh := build(t, s)
	c := cast(t, s, mesh)
	var first []uint64
	for _, jobs := range []int{1, 3} {
		var hashes []uint64
		if err := Play(t.Context(), c, mesh.Index(), PlayOptions{Crowd: crowd.Options{Jobs: jobs}, Each: func(f Frame) error {
			hashes = append(hashes, f.Hash())
			return nil
		}}); err != nil {
			t.Fatal(err)
		}
		if len(hashes) != 100 {
			t.Fatalf("%d steps", len(hashes))
		}
		if first == nil {
			first = hashes
			continue
		}
		for i := range hashes {
			if hashes[i] != first[i] {
				t.Fatalf("step %d differs with %d goroutines", i, jobs)
			}
		}
	}
}

// TestPlayStops: faults of changes and of Each.
func TestPlayStops(t *testing.T) {
	s := parse(t, hall+"crowd a 1 in west to east\nat 1 close gate")
	mesh := build(t, s)
	c := cast(t, s, mesh)
	if err := Play(t.Context(), c, mesh.Index(), PlayOptions{}); err == nil || !strings.Contains(err.Error(), "scenario: line 9: ") {
		t.Errorf("a door that does not exist: %v", err)
	}
	stop := errors.New("stop")
	steps := 0
	if err := Play(t.Context(), c, mesh.Index(), PlayOptions{Each: func(Frame) error { steps++; return stop }}); !errors.Is(err, stop) || steps != 1 {
		t.Errorf("%d steps, error %v", steps, err)
	}
}

// TestNobodyIsStuckInRooms sends 250 through rooms and narrow doors, again and again: where two can pass each other nobody waits for his turn, and
// nobody is stuck.
func TestNobodyIsStuckInRooms(t *testing.T) {
	race.Skip(t)
	r := play(t, parse(t, "level rooms size 40 seed 2\nagents radius 0.2..0.4\nseconds 25\ncrowd people 250 anywhere to anywhere then again"))
	if r.Stuck > 2 || r.Arrived < 55 || r.OverlapMax > 0.001 || r.OffMesh > 0 {
		t.Errorf("%d stuck, %d arrivals, overlap %v m, %d off the mesh", r.Stuck, r.Arrived, r.OverlapMax, r.OffMesh)
	}
}

// TestPassagesEndAtCrossings sends a few walkers through rooms. Furniture leaves passages for one agent, and passages cross. Nobody waits for
// a turn where the way is free, because no turn closes more than the passage to the next crossing.
func TestPassagesEndAtCrossings(t *testing.T) {
	race.Skip(t)
	for _, seed := range []int{12, 13} {
		r := play(t, parse(t, fmt.Sprintf("level rooms seed %d\nseed %d\nseconds 50\ncrowd people 60 anywhere to anywhere then again", seed, seed)))
		if r.Stuck > 0 || r.Standing > 10 || r.Arrived < 25 {
			t.Errorf("rooms %d: %d stuck, %d stood for five seconds, %d arrivals", seed, r.Stuck, r.Standing, r.Arrived)
		}
	}
}

// TestRidersOfManyLinks crowds the ladders of two halls and an edge to drop from, whose links come near each other: riders touch nobody, and
// nobody who waits for a link keeps others from their way.
func TestRidersOfManyLinks(t *testing.T) {
	race.Skip(t)
	crowdHalls(t, 11, 250, 12)
	crowdHalls(t, 11, 150, 28)
}

// TestNobodyIsStuckAtLadders crowds the ladders and the edge of other halls. Walkers on the floor make room for riders who come down
// upon them, and walkers behind do so too. Walkers who face each other at a corner are no stream, and one walker gives way.
func TestNobodyIsStuckAtLadders(t *testing.T) {
	race.Skip(t)
	crowdHalls(t, 1, 250, 35)
	crowdHalls(t, 1, 60, 60)
}

// crowdHalls lets walkers go anywhere in halls of a seed for some seconds: nobody is stuck, off the mesh, or in another body.
func crowdHalls(t *testing.T, seed, walkers, seconds int) {
	t.Helper()
	r := play(t, parse(t, fmt.Sprintf("level halls seed %d\nseed %d\nseconds %d\ncrowd people %d anywhere to anywhere then again", seed, seed, seconds, walkers)))
	if r.Stuck > 0 || r.OverlapMax > Touch || r.OffMesh > 0 {
		t.Errorf("%d walkers: %d stuck, overlap of %v m, %d off the mesh", walkers, r.Stuck, r.OverlapMax, r.OffMesh)
	}
}

// TestNobodyIsStuckInCorners sends many through a maze and among slanted boxes. Whoever gives way in a corner, and has no room aside, goes
// on by the own way.
func TestNobodyIsStuckInCorners(t *testing.T) {
	race.Skip(t)
	for _, kind := range []string{"maze", "random"} {
		r := play(t, parse(t, fmt.Sprintf("level %s seed 2\nseed 2\nseconds 35\ncrowd people 250 anywhere to anywhere then again", kind)))
		if r.Stuck > 0 || r.OverlapMax > 0.001 || r.OffMesh > 0 {
			t.Errorf("%s: %d stuck, overlap of %v m, %d off the mesh", kind, r.Stuck, r.OverlapMax, r.OffMesh)
		}
	}
}

// TestNobodyStepsOnHeads crowds a spiral stair: nobody comes down beside the head of somebody who comes up.
func TestNobodyStepsOnHeads(t *testing.T) {
	race.Skip(t)
	r := play(t, parse(t, "level spiral seed 2\nseed 2\nseconds 60\ncrowd people 250 anywhere to anywhere then again"))
	if r.Stuck > 0 || r.OverlapMax > 0.001 || r.OffMesh > 0 {
		t.Errorf("%d stuck, overlap of %v m, %d off the mesh", r.Stuck, r.OverlapMax, r.OffMesh)
	}
}
