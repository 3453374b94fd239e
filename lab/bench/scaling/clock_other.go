//go:build !unix

package main

import "time"

// clock returns the time on the wall: this system's processor time is not to be had.
func clock() time.Duration { return time.Since(started) }
