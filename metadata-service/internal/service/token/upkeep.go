package token

import (
	"context"
	"fmt"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	// WarnBefore is the time before its expiry in which a token counts as expiring soon.
	WarnBefore = 7 * day
	// maxWarnings limits the log lines of the warnings of one day.
	maxWarnings = 100
	// upkeepType is the entity type in the URNs of marks. The model has no such type.
	upkeepType = "dataHubTokenUpkeep"
)

// upkeepTerm holds the mark of the last day on which the daily upkeep began.
var upkeepTerm = store.Term{Index: "tokenUpkeep", Value: "day"}

// Upkeep stores the last uses of tokens. It also brings the index of listings up to date, so that
// the first listing need not read all tokens. Once a day, in one of the processes that share the
// store, it logs warnings about tokens that expire soon and removes the uses of deleted tokens.
// Call it about every minute.
func (s *Service) Upkeep(ctx context.Context) error {
	if err := s.records.uses.Save(ctx); err != nil {
		return err
	}
	if err := s.index.refresh(ctx); err != nil {
		return err
	}
	first, err := s.records.uses.beginDay(ctx)
	if err != nil || !first {
		return err
	}
	return s.daily(ctx)
}

// SaveUses stores all last uses of tokens. Call it at the end of a process.
func (s *Service) SaveUses(ctx context.Context) error { return s.records.uses.SaveAll(ctx) }

func (s *Service) daily(ctx context.Context) error {
	alive, now, soon := map[string]bool{}, s.cfg.Now(), 0
	err := s.each(ctx, func(info Info) {
		alive[info.ID] = true
		if !expiresSoon(info, now) || info.ExpiresAt <= now.UnixMilli() {
			return
		}
		if soon++; soon <= maxWarnings {
			s.cfg.Log.WarnContext(ctx, "access token expires soon", "id", info.ID, "actor", info.Actor, "owner", info.Owner, "expires", time.UnixMilli(info.ExpiresAt).UTC())
		}
	})
	if err != nil {
		return err
	}
	if soon > maxWarnings {
		s.cfg.Log.WarnContext(ctx, "more access tokens expire soon than are named here", "tokens", soon, "named", maxWarnings)
	}
	return s.records.uses.Forget(ctx, func(id string) bool { return !alive[id] })
}

// expiresSoon reports whether a token is within WarnBefore of its expiry, or in the last quarter of
// its lifetime if that is shorter: a token for an hour should not cause warnings from its creation
// on.
func expiresSoon(info Info, now time.Time) bool {
	if info.ExpiresAt == 0 {
		return false
	}
	window := min(WarnBefore.Milliseconds(), (info.ExpiresAt-info.CreatedAt)/4)
	return info.ExpiresAt-now.UnixMilli() <= window
}

// beginDay stores the mark of the day, and reports whether it was not stored before.
func (u *Uses) beginDay(ctx context.Context) (first bool, err error) {
	today := urn.Make(upkeepType, u.now().UTC().Format(time.DateOnly))
	marked, err := u.rows.Lookup(ctx, upkeepTerm, "", 1)
	if err != nil || len(marked) > 0 && marked[0] >= today {
		return false, err
	}
	_, err = u.rows.Update(ctx, func(tx store.Tx) error {
		marked, err := tx.Lookup(ctx, upkeepTerm, "", 0)
		if err != nil {
			return err
		}
		if first = len(marked) == 0 || marked[len(marked)-1] < today; !first {
			return nil
		}
		for _, old := range marked {
			if err := tx.RemoveTerm(ctx, upkeepTerm, old); err != nil {
				return err
			}
		}
		return tx.AddTerm(ctx, upkeepTerm, today)
	})
	if err != nil {
		return false, fmt.Errorf("mark the day of the upkeep of tokens: %w", err)
	}
	return first, nil
}
