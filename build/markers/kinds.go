package markers

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// use is the use of a marker.
type use uint8

const (
	useNone use = iota // nothing here: a place to start, an item that lies about
	useArea            // names its part of the floor
	useDoor            // the same, and its part of the floor is a door
	useLink            // it joins floors
	useExit            // where teleporters of its name lead
)

// meaning is the meaning of a marker's kind.
type meaning struct {
	use      use
	kind     string // in one word
	link     plan.LinkKind
	up, down bool    // the directions of a link between floors of different height
	cost     float64 // metres, below 0 where nothing is said
	exit     bool    // of a link: it leads from its middle to the exits of its name
	forth    bool    // of a link to an exit: there is no way back
	oneWay   bool    // of a door
	to       float64 // where a one-way door leads, degrees counter-clockwise from east
}

// words are the known kinds. Any other kind makes an area.
var words = map[string]meaning{
	"door":          {use: useDoor, kind: "door"},
	"gate":          {use: useDoor, kind: "door"},
	"ladder":        {use: useLink, kind: "ladder", link: plan.Ladder, up: true, down: true},
	"lift":          {use: useLink, kind: "lift", link: plan.Lift, up: true, down: true},
	"elevator":      {use: useLink, kind: "lift", link: plan.Lift, up: true, down: true},
	"jump":          {use: useLink, kind: "jump", link: plan.Jump, up: true, down: true},
	"climb":         {use: useLink, kind: "climb", link: plan.Climb, up: true, down: true},
	"drop":          {use: useLink, kind: "drop", link: plan.Drop, down: true},
	"teleporter":    {use: useLink, kind: "teleporter", link: plan.Teleport},
	"exit":          {use: useExit, kind: "exit"},
	level.KindStart: {use: useNone, kind: level.KindStart},
}

// exits are the names of the kind exit in maps.
var exits = []string{"misc_teleporter_dest", "info_teleport_destination", "target_position", "info_notnull"}

// Check returns an error for the first marker whose kind is written wrongly, with the marker's name and place: a word after
// the kind that means nothing, a cost that is no number, or a kind that is a known word with a letter missing, one too many,
// or two exchanged. Other kinds are areas.
func Check(list []level.Marker) error {
	for i := range list {
		m := &list[i]
		if _, err := parse(m); err != nil {
			at := geom.Vec{}
			if len(m.Hull) > 0 {
				at = centre(m.Hull)
			}
			return fmt.Errorf("markers: marker %d %.80q at %v: kind %.80q: %w", i, m.Name, at, m.Kind, err)
		}
	}
	return nil
}

// read is parse for markers that [Check] has seen.
func read(m *level.Marker) meaning {
	what, _ := parse(m)
	return what
}

// parse reads the kind of a marker: a word, and after it, in any order, for a link "up" or "down" where only that direction
// is meant and "cost=" with metres of plain ground, and for a door "to=" with degrees where only that direction is open. A link
// with "exit" leads to a place, and with "oneway" does not lead back.
func parse(m *level.Marker) (meaning, error) {
	fields := strings.Fields(m.Kind)
	if len(fields) == 0 {
		return meaning{use: useArea, kind: "area", cost: -1}, nil
	}
	word := strings.ToLower(fields[0])
	if slices.Contains(exits, word) {
		word = "exit"
	}
	what, known := words[word]
	what.cost = -1
	if !known {
		what.use, what.kind = useArea, m.Kind
		return what, misspelt(word)
	}
	var fault error
	for _, f := range fields[1:] {
		if err := what.add(strings.ToLower(f)); err != nil && fault == nil {
			fault = err
		}
	}
	turned := what.up != words[word].up || what.down != words[word].down
	switch {
	case fault != nil:
	case what.use == useLink && words[word].up && !what.up && !what.down:
		fault = errors.New("both up and down: leave both out")
	case what.exit && turned:
		fault = errors.New("exit with up or down: write oneway, and put the exit where the way ends")
	case what.forth && !what.exit:
		fault = errors.New("oneway without exit: write up or down")
	}
	return what, fault
}

// add adds the meaning of a word after the kind.
func (m *meaning) add(word string) error {
	number := func(value string, least, most float64) (float64, error) {
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || !(v >= least && v <= most) {
			return 0, fmt.Errorf("%.40q: want a number from %g to %g", word, least, most)
		}
		return v, nil
	}
	cost, isCost := strings.CutPrefix(word, "cost=")
	to, isTo := strings.CutPrefix(word, "to=")
	var err error
	switch {
	case m.use == useLink && isCost:
		var c float64
		if c, err = number(cost, 0, maxCost); err == nil {
			m.cost = c
		}
	case m.use == useLink && word == "exit":
		m.exit = true
	case m.use == useLink && word == "oneway":
		m.forth = true
	case m.use == useLink && word == "up":
		m.down = false
	case m.use == useLink && word == "down":
		m.up = false
	case m.use == useDoor && isTo:
		m.to, err = number(to, -360, 360)
		m.oneWay = err == nil
	case m.use == useLink:
		err = fmt.Errorf("unknown word %.40q: want up, down, exit, oneway or cost=METRES", word)
	case m.use == useDoor:
		err = fmt.Errorf("unknown word %.40q: want to=DEGREES, or nothing", word)
	}
	return err
}

// misspelt returns an error for a kind that is one slip away from a known word: a letter missing, doubled or added, or two
// exchanged. A letter in the place of another makes a different word, such as crop.
func misspelt(word string) error {
	for _, k := range slices.Sorted(maps.Keys(words)) {
		if k == level.KindStart {
			continue // star
		}
		if without(k, word) || without(word, k) || exchanged(k, word) {
			return fmt.Errorf("unknown word, did you mean %s?", k)
		}
	}
	return nil
}

// without reports whether short is long without a letter.
func without(long, short string) bool {
	if len(long) != len(short)+1 {
		return false
	}
	for i := range long {
		if long[:i]+long[i+1:] == short {
			return true
		}
	}
	return false
}

// exchanged reports whether b is a with two neighbours exchanged.
func exchanged(a, b string) bool {
	if len(a) != len(b) || a == b {
		return false
	}
	for i := 1; i < len(a); i++ {
		if a[:i-1]+a[i:i+1]+a[i-1:i]+a[i+1:] == b {
			return true
		}
	}
	return false
}

// maxCost bounds the cost that a marker may ask for, in metres.
const maxCost = 1e9

// HaveLinks reports whether a marker in list may join separate floors, or part them.
func HaveLinks(list []level.Marker) bool {
	for i := range list {
		if what := read(&list[i]); what.use == useLink || what.oneWay {
			return true
		}
	}
	return false
}
