package group_test

import (
	"context"
	"fmt"
	"log"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/agents/group"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// Five agents in a wedge, from one hall to the next.
func Example() {
	level, err := levelgen.Generate("halls", levelgen.Options{})
	if err != nil {
		log.Fatal(err)
	}
	mesh, err := meadow.Build(context.Background(), level, meadow.Agent{Radius: 0.4})
	if err != nil {
		log.Fatal(err)
	}
	c, err := crowd.New(crowd.Options{}, mesh.Index())
	if err != nil {
		log.Fatal(err)
	}
	wedge := group.Spec{ID: 1, Formation: group.Wedge, Leader: true}
	for id := range crowd.ID(5) {
		if err := c.Add(crowd.Spec{ID: id, At: geom.Vec{X: -7 - float64(id)}}); err != nil {
			log.Fatal(err)
		}
		wedge.Members = append(wedge.Members, id)
	}
	groups, err := group.New(group.Options{}, c)
	if err != nil {
		log.Fatal(err)
	}
	if err := groups.Form(wedge); err != nil {
		log.Fatal(err)
	}
	if err := groups.Goal(1, geom.Vec{X: 9}); err != nil {
		log.Fatal(err)
	}
	for len(groups.Events()) == 0 {
		if err := groups.Step(1.0 / 20); err != nil {
			log.Fatal(err)
		}
		if err := c.Step(1.0 / 20); err != nil {
			log.Fatal(err)
		}
	}
	g, err := groups.Group(1)
	if err != nil {
		log.Fatal(err)
	}
	leader, err := c.Agent(0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v, the leader is within a metre of the goal: %v\n", g.State, leader.At.DistXZ(g.Goal) < 1)
	// Output: arrived, the leader is within a metre of the goal: true
}
