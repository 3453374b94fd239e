package steer

import "math"

// Parameters are the numbers that S. Brand's text names, in sections 2.3, 2.4 and 6.1 of the thesis of 2009. The text calls
// them magic numbers to be tweaked and gives no value for any; the values of [Defaults] are ours, for people on foot.
type Parameters struct {
	// FieldOfView is the angle in radians of what a traveller sees (6.1, not given).
	FieldOfView float64
	// LookAhead is the distance in metres that a traveller looks ahead: the length of whiskers (6.1, not given).
	LookAhead float64
	// Hazard, Obstacle and Traveller are the strengths of repulsors, as forces: obstacle prioritizations (6.1, not given).
	// The source calls hazards strong.
	Hazard, Obstacle, Traveller float64
	// Whiskers, Separate, Align and Cohere are the strengths of the behaviours (2.3 and 6.1, not given).
	Whiskers, Separate, Align, Cohere float64
	// Attractor is the strength of the attractor at the way-points ahead (2.3 calls it strong, not given).
	Attractor float64
	// Leader is the weight of a leading member (2.3, not given).
	Leader float64
	// Patience has the short while of noise, the delay of the retry and the number of successive attempts (2.3, not given).
	Patience Patience
	// Room is the magic number that the area of a group is multiplied by (2.4, not given).
	Room float64
	// HardestPull bounds how many times an attractor pulls harder at choke-points (2.4, not given).
	HardestPull float64
}

// Defaults returns our values.
func Defaults() Parameters {
	return Parameters{
		FieldOfView: 1.5 * math.Pi,
		LookAhead:   2.5,
		Hazard:      20, Obstacle: 8, Traveller: 5,
		Whiskers: 8, Separate: 6, Align: 1.5, Cohere: 1.5,
		Attractor:   6,
		Leader:      4,
		Patience:    Patience{Blocked: 0.5, While: 0.4, Delay: 2, Attempts: 3},
		Room:        2.5,
		HardestPull: 3,
	}
}
