// Package terrain says what the ground of a level is and who may cross it: rules in a small file, groups of
// materials, ways to move with what they cost, and guesses from the names that designers give.
//
// [Parse] reads rules, [Default] has some for levels of which nobody has said anything. [Classify] makes the
// ground of a level by them, [Settle] writes down what it guessed. [Rules.Traverse] is what a way to move comes to.
package terrain
