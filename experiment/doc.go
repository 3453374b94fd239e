// Package experiment runs the published experiments again: it makes their worlds, decomposes them by every method
// that they compare, measures the meshes, tests the differences, and puts the published figures beside ours.
package experiment
