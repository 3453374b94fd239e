// Package scenario reads crowd scenarios, casts their agents on a mesh, and judges what the agents did. A scenario is a text with one
// statement a line: floor and walls, who enters where and when, goals, doors and obstacles that come and go, and expectations. The
// page docs/crowd.md describes the language.
//
//	s, err := scenario.Parse(file)
//	cast, err := s.Cast(mesh.Index())
//	judge, err := scenario.NewJudge(cast, mesh.Index())
//	for range cast.Steps {
//		judge.Step(seen) // where every agent is after the step
//	}
//	report := judge.Report()
//	failures := s.Check(report)
//
// A Cast is plain data, so that Meadow and other systems get the same agents, and one Judge compares the answers.
package scenario
