module github.com/meadow-nav/meadow

go 1.26.0

require (
)
