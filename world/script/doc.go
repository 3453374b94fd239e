// Package script reads, writes and runs scripts of a world: text with one command a line that changes a world, asks the
// world questions, and compares the answers. The page docs/world.md describes the language.
package script
