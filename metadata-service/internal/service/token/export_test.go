package token

import (
	"context"

	"github.com/cartulary/cartulary/pkg/urn"
)

// All returns the last use of each used token in epoch milliseconds.
func (u *Uses) All(ctx context.Context) (map[string]int64, error) {
	all := map[string]int64{}
	note := func(id string) (err error) {
		all[id], err = u.Last(ctx, id)
		return err
	}
	var failed error
	err := u.each(ctx, func(id string, _ int64, _ urn.URN) { failed = note(id) })
	u.seen.Range(func(id, _ any) bool {
		if failed == nil {
			failed = note(id.(string))
		}
		return failed == nil
	})
	if err == nil {
		err = failed
	}
	return all, err
}
