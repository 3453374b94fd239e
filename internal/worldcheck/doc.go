// Package worldcheck holds the laws of worlds that change, a maker of random changes, and the reduction of a change that
// breaks a law to a few lines of a script.
package worldcheck
