// Package terrain describes the ground of a level and its use by agents: rules in a small file, groups of materials,
// ways to move with their costs, and guesses from the names that designers give.
//
// [Parse] reads rules, and [Default] returns rules for levels without any. [Classify] applies rules to a level, and
// [Settle] turns guesses into patterns. [Rules.Traverse] resolves a way to move.
package terrain
