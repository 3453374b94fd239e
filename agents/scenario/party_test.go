package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/agents/group"
	"github.com/meadow-nav/meadow/internal/race"
)

// TestGroupsAreTogether casts groups: the members have the goals of the first one, enter near it, and groups that stay at drawn
// goals have room beside each other.
func TestGroupsAreTogether(t *testing.T) {
	s := parse(t, hall+"group a 9 anywhere to anywhere then stay\ngroup b 9 anywhere to anywhere formation line leader spacing 0.8 then stay\ncrowd c 5 in west to east")
	c := cast(t, s, build(t, s))
	for k := range 2 {
		first := &c.Actors[9*k]
		if first.Reach < 1 {
			t.Errorf("group %d: a reach of %v m", k, first.Reach)
		}
		for i := 9 * k; i < 9*k+9; i++ {
			a := &c.Actors[i]
			if d := a.At.DistXZ(first.At); a.Goals[0] != first.Goals[0] || d > 4*first.Reach {
				t.Errorf("member %d of group %d enters %.2f m from the first, goals %v and %v", i, k, d, a.Goals, first.Goals)
			}
		}
	}
	if d := c.Actors[0].Goals[0].Distance(c.Actors[9].Goals[0]); d < c.Actors[0].Reach+c.Actors[9].Reach {
		t.Errorf("the goals are %.2f m from each other", d)
	}
	if c.Actors[18].Reach != 0 {
		t.Error("an agent without a group has a reach")
	}
	if src := s.Sources[1]; src.Formation != group.Line || !src.Leader || src.Spacing != 0.8 {
		t.Errorf("%+v", src)
	}
}

// TestGroupsWalkTogether plays a group beside the same agents without a group: at half time, the members of the group are nearer
// to each other. A tour brings all to both places, and they leave.
func TestGroupsWalkTogether(t *testing.T) {
	spread := func(entry string) float64 {
		s := parse(t, "floor -20,-4 20,4\nagents radius 0.25 speed 0.8..1.6\nbox west -19,-3 -15,3\nplace east 18,0,0\n"+entry+" a 8 in west to east then stay\nseconds 12")
		mesh := build(t, s)
		c := cast(t, s, mesh)
		far := 0.0
		if err := Play(t.Context(), c, mesh.Index(), PlayOptions{Each: func(f Frame) error {
			if (f.Groups != nil) != (entry == "group") {
				t.Errorf("%s: groups %v", entry, f.Groups)
			}
			for i := range f.Seen {
				for k := range i {
					if f.Step == c.Steps {
						far = max(far, f.Seen[i].At.DistXZ(f.Seen[k].At))
					}
				}
			}
			return nil
		}}); err != nil {
			t.Fatal(err)
		}
		return far
	}
	if together, apart := spread("group"), spread("crowd"); together > 5 || apart < together+2 {
		t.Errorf("%.2f m from end to end as a group, %.2f m singly", together, apart)
	}
	s := parse(t, hall+"place back -9,0,0\nplace there 9,0,2\ngroup a 6 in west tour there back then leave\nseconds 60\nexpect arrived 12\nexpect overlap below 0.01\nexpect stuck 0")
	r := play(t, s)
	if got := s.Check(r); len(got) > 0 || r.Finished != 6 || r.False > 0 {
		t.Errorf("%q\n%+v", got, r)
	}
}

// TestGroupsInRooms sends eight groups of eight through rooms with doors for one: all arrive, and the play is the same for any number of
// goroutines.
func TestGroupsInRooms(t *testing.T) {
	race.Skip(t)
	text := "level rooms size 40 seed 2\nagents radius 0.25 speed 1.2..1.4\nseconds 100\nexpect arrived 64\nexpect overlap below 0.01\nexpect offmesh 0\nexpect stuck 4\n"
	for i := range 8 {
		text += fmt.Sprintf("group g%d 8 anywhere to anywhere then stay\n", i)
	}
	s := parse(t, text)
	mesh := build(t, s)
	c := cast(t, s, mesh)
	var hashes [2]uint64
	for k, jobs := range []int{1, 3} {
		j := NewJudge(c, mesh.Index())
		if err := Play(t.Context(), c, mesh.Index(), PlayOptions{Crowd: crowd.Options{Jobs: jobs}, Each: func(f Frame) error {
			if k == 0 {
				j.Step(f.Seen)
			}
			if f.Step%100 == 0 {
				hashes[k] = hashes[k]*31 + f.Hash()
			}
			return nil
		}}); err != nil {
			t.Fatal(err)
		}
		if k == 0 {
			for _, failure := range s.Check(j.Report()) {
				t.Error(failure)
			}
		}
	}
	if hashes[0] != hashes[1] {
		t.Error("other bits with three goroutines")
	}
}

// TestGroupsWaitForMembers judges two that stand while a third of their group walks: nobody is stuck. Without a group both are, and so is
// a group of which nobody walks.
func TestGroupsWaitForMembers(t *testing.T) {
	for _, x := range []struct {
		entry string
		walks bool
		want  int
	}{{"group", true, 0}, {"crowd", true, 2}, {"group", false, 3}} {
		s := parse(t, "floor -50,-50 50,50\nagents radius 0.3\nbox west -49,-49 -30,49\nplace east 45,0,0\n"+x.entry+" a 3 in west to east then stay\nseconds 12")
		mesh := build(t, s)
		c := cast(t, s, mesh)
		j := NewJudge(c, mesh.Index())
		seen := make([]Seen, 3)
		for step := range c.Steps {
			for i := range seen {
				seen[i] = Seen{At: c.Actors[i].At, State: Walking}
			}
			if x.walks {
				seen[2].At.X += float64(step) * c.Dt
			}
			j.Step(seen)
		}
		if r := j.Report(); r.Stuck != x.want {
			t.Errorf("%s, the third walks: %v: %d stuck, want %d", x.entry, x.walks, r.Stuck, x.want)
		}
	}
}

// TestBadGroups: faults of groups are errors with line and word.
func TestBadGroups(t *testing.T) {
	for line, want := range map[string]string{
		"group a 3 in west to east formation own":           "want loose, line",
		"group a 3 in west to east formation square":        "want loose, line",
		"group a 3 in west to east spacing 0":               "a distance in metres",
		"group a 3 in west to east west":                    "one place",
		"crowd a 3 in west to east leader":                  "does not belong",
		"crowd a 3 in west to east formation line":          "does not belong",
		"group a 3 in west to east formation line leader 4": "does not belong",
	} {
		if _, err := Parse(strings.NewReader(hall + line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", line, err, want)
		}
	}
}

// TestDensityStatement reads the statement density, with its defaults and faults, and plays with it: the floor changes while two
// hundred wait before a door.
func TestDensityStatement(t *testing.T) {
	race.Skip(t)
	for text, want := range map[string]Density{
		"density": {1, 2, 0}, "density every 2 cell 1.5 most 9": {2, 1.5, 9}, "density most 4": {1, 2, 4},
	} {
		if s := parse(t, hall+text); s.Density != want {
			t.Errorf("%s: %+v, want %+v", text, s.Density, want)
		}
	}
	for _, text := range []string{"density\ndensity", "density every 0", "density cell 1000", "density most -1", "density often"} {
		if _, err := Parse(strings.NewReader(hall + text)); err == nil || !strings.Contains(err.Error(), "scenario: line ") {
			t.Errorf("%s: error %v", text, err)
		}
	}
	s := parse(t, hall+"density every 0.5\nseconds 6\ncrowd a 150 in west to east")
	mesh := build(t, s)
	floors := 0
	if err := Play(t.Context(), cast(t, s, mesh), mesh.Index(), PlayOptions{Each: func(f Frame) error {
		if f.Floor != nil {
			floors++
		}
		return nil
	}}); err != nil || floors < 3 {
		t.Errorf("%d changes of the floor, error %v", floors, err)
	}
}
