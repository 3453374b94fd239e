package pasfv

import (
	"testing"

	"github.com/meadow-nav/meadow/gen/gentest"
)

func TestLaws(t *testing.T) {
	t.Logf("%v", gentest.Laws(t, "pasfv", Generator{}, gentest.Check))
}
