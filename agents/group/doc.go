// Package group moves groups of agents of a crowd: one corridor for all, with a moving section of constant area.
//
//	groups, err := group.New(group.Options{}, c)        // c is a *crowd.Crowd
//	err = groups.Form(group.Spec{ID: 1, Members: []crowd.ID{7, 8, 9}, Formation: group.Wedge})
//	err = groups.Goal(1, exit)
//	for range ticks {
//		err = groups.Step(1.0 / 20)                     // leads the members
//		err = c.Step(1.0 / 20)                          // moves everybody
//	}
//
// The groups give each member a preferred velocity, and the crowd keeps everybody on the floor and apart. Groups are a
// function of their calls and of the crowd: the same calls give the same bits on every machine.
package group
