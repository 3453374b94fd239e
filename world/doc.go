// Package world is a navigation mesh that changes: obstacles, modifiers, doors and links come and go.
package world
