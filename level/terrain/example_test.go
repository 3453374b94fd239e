package terrain_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/terrain"
)

const kerb = `
terrain: 1
groups:
  - {name: road, patterns: "*asphalt*"}
  - {name: sidewalk, patterns: "*paving*"}
methods:
  - {name: drive, on: road}
  - {name: cycle, includes: drive, on: {sidewalk: 1.5}}
crossings:
  - {name: hop, from: road, to: sidewalk, methods: cycle, cost: 2}
`

// Rules assign ground by names.
func ExampleClassify() {
	rules, err := terrain.Parse(strings.NewReader(kerb), "kerb.yaml")
	if err != nil {
		log.Fatal(err)
	}
	l := &level.Level{
		Vertices:  []geom.Vec{{}, {X: 4}, {X: 4, Z: -4}, {Z: -4}},
		Triangles: []level.Triangle{{A: 0, B: 1, C: 2, Material: 0}, {A: 0, B: 2, C: 3, Material: 1}},
		Materials: []level.Material{{Name: "asphalt_worn"}, {Name: "M2", Texture: "tex/paving_3.png"}},
	}
	ground, report := terrain.Classify(l, rules)
	for i := range l.Triangles {
		fmt.Println(ground.Names[ground.Of(i)])
	}
	fmt.Println(report.Areas, len(report.Warnings))
	// Output:
	// road
	// sidewalk
	// [0 8 8] 0
}

// A method may use all ground of the methods that it includes.
func ExampleRules_Traverse() {
	rules, err := terrain.Parse(strings.NewReader(kerb), "kerb.yaml")
	if err != nil {
		log.Fatal(err)
	}
	cycle, err := rules.Traverse("cycle")
	if err != nil {
		log.Fatal(err)
	}
	for area, name := range rules.Areas() {
		fmt.Printf("%s %g\n", name, cycle.Cost[area])
	}
	for _, s := range cycle.Crossings {
		fmt.Println(rules.Crossings[s.Crossing].Name, s.From, s.To, s.Cost)
	}
	// Output:
	// ground 0
	// road 1
	// sidewalk 1.5
	// hop 1 2 2
	// hop 2 1 2
}

// Parse reports all faults of rules with their places.
func ExampleParse() {
	_, err := terrain.Parse(strings.NewReader("terrain: 1\nmethods:\n  - name: walk\n    on: [grass]\n    speed: -1\n"), "mine.yaml")
	fmt.Println(err)
	_, err = terrain.Parse(strings.NewReader("terrain: 1\nmethods:\n  - {name: a, includes: b}\n  - {name: b, includes: a}\n"), "mine.yaml")
	fmt.Println(err)
	// Output:
	// terrain: mine.yaml:5:12: method "walk": speed: is -1, must be above 0
	// terrain: mine.yaml:3:5: method "a": includes itself: a includes b includes a
}
