package markers

import (
	"slices"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/build/plan"
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

// read reads the kind of a marker: a word, and after it, for a link, "up" or "down" where only that
// direction is meant and "cost=" with metres of plain ground, in any order.
func read(m *level.Marker) meaning {
	fields := strings.Fields(m.Kind)
	if len(fields) == 0 {
		return meaning{use: useArea, kind: "area", cost: -1}
	}
	word := strings.ToLower(fields[0])
	if slices.Contains(exits, word) {
		word = "exit"
	}
	what, known := words[word]
	what.cost = -1
	if !known {
		what.use, what.kind = useArea, m.Kind
		return what
	}
	for _, f := range fields[1:] {
		switch value, isCost := strings.CutPrefix(strings.ToLower(f), "cost="); {
		case isCost:
			if c, err := strconv.ParseFloat(value, 64); err == nil && c >= 0 && c <= maxCost {
				what.cost = c
			}
		case value == "up":
			what.up, what.down = true, false
		case value == "down":
			what.up, what.down = false, true
		}
	}
	return what
}

// maxCost bounds the cost that a marker may ask for, in metres.
const maxCost = 1e9

// HaveLinks reports whether a marker in list may join separate floors.
func HaveLinks(list []level.Marker) bool {
	for i := range list {
		if read(&list[i]).use == useLink {
			return true
		}
	}
	return false
}
