package query

import (
	"context"
	"fmt"
)

// cancelled returns the error of ctx.
func cancelled(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("query: path: %w", err)
	}
	return nil
}

// sliceNodes is the number of nodes between two checks of the context.
const sliceNodes = 256
