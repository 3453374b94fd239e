package route

import (
	"context"
	"fmt"
)

// Cancelled returns the error of ctx.
func Cancelled(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("query: path: %w", err)
	}
	return nil
}

// SliceNodes is the number of nodes between two checks of the context.
const SliceNodes = 256
