package token

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	// UsePeriod is the largest delay of a stored last use: a process stores the use of a token at
	// most once in this period.
	UsePeriod = time.Hour
	// usesPage limits the entries that are read or written at once.
	usesPage = 1000
	// useType is the entity type in the URNs of entries. The model has no such type.
	useType = "dataHubTokenUse"
	// useDigits is the width of a time in a URN, so that the entries of a token are ordered by
	// time.
	useDigits = 12
)

// useTerm is the lookup term of all last uses.
var useTerm = store.Term{Index: "tokenUse", Value: "last"}

// UsesStore is the part of the store that Uses uses.
type UsesStore interface {
	store.Writer
	store.TermIndex
}

// Uses records the last use of each access token.
//
// A request notes its token in memory, at the cost of an atomic write. Save stores the uses since
// the last call, at most once in UsePeriod for each token, and SaveAll stores the rest at the end
// of the process. The stored time of a token only increases, so several processes can store theirs
// concurrently, and readers find the latest use in any of them. A killed process loses less than
// UsePeriod.
//
// Entries are members of a lookup term, as those of the session denylist. They are not metadata: a
// version, a log entry and an index update for each hour in which a program runs would be too much.
// Uses is safe for concurrent use.
type Uses struct {
	rows UsesStore
	now  func() time.Time

	// seen holds a *tokenUse for each id. Save removes those that were not used for a while.
	seen sync.Map
}

// tokenUse is the last use of a token, in epoch seconds.
type tokenUse struct {
	last  atomic.Int64
	saved atomic.Int64 // last stored time, 0 for none
}

// NewUses returns a Uses over a store.
func NewUses(rows UsesStore, now func() time.Time) *Uses { return &Uses{rows: rows, now: now} }

// Note records that a token is used now.
func (u *Uses) Note(id string) {
	now := u.now().Unix()
	found, ok := u.seen.Load(id)
	if !ok {
		found, _ = u.seen.LoadOrStore(id, &tokenUse{})
	}
	if use := found.(*tokenUse); use.last.Load() < now {
		use.last.Store(now)
	}
}

// Save stores the uses of tokens for which nothing was stored within UsePeriod. After an error the
// next call tries again.
func (u *Uses) Save(ctx context.Context) error {
	return u.save(ctx, func(use *tokenUse) bool {
		last, saved := use.last.Load(), use.saved.Load()
		return last > saved && u.now().Unix()-saved >= int64(UsePeriod/time.Second)
	})
}

// SaveAll stores all uses that are not stored yet. Call it at the end of the process.
func (u *Uses) SaveAll(ctx context.Context) error {
	return u.save(ctx, func(use *tokenUse) bool { return use.last.Load() > use.saved.Load() })
}

func (u *Uses) save(ctx context.Context, due func(*tokenUse) bool) error {
	var ids []string
	u.seen.Range(func(id, use any) bool {
		if due(use.(*tokenUse)) {
			ids = append(ids, id.(string))
		}
		return len(ids) < usesPage
	})
	if len(ids) > 0 {
		if err := u.store(ctx, ids); err != nil {
			return err
		}
		if len(ids) == usesPage {
			return u.save(ctx, due)
		}
	}
	u.dropResting()
	return nil
}

func (u *Uses) store(ctx context.Context, ids []string) error {
	times := make([]int64, len(ids))
	for i, id := range ids {
		if use, ok := u.seen.Load(id); ok {
			times[i] = use.(*tokenUse).last.Load()
		}
	}
	_, err := u.rows.Update(ctx, func(tx store.Tx) error {
		for i, id := range ids {
			if err := moveForward(ctx, tx, id, times[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("save when tokens were used: %w", err)
	}
	for i, id := range ids {
		if use, ok := u.seen.Load(id); ok {
			use.(*tokenUse).saved.Store(times[i])
		}
	}
	return nil
}

// moveForward replaces the entry of a token, unless another process stored a later one.
func moveForward(ctx context.Context, tx store.Tx, id string, at int64) error {
	entries, err := tx.Lookup(ctx, useTerm, beforeUses(id), 2)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		of, stored, err := parseUse(entry)
		switch {
		case err != nil:
			return err
		case of != id:
			continue
		case stored >= at:
			return nil
		}
		if err := tx.RemoveTerm(ctx, useTerm, entry); err != nil {
			return err
		}
	}
	return tx.AddTerm(ctx, useTerm, useEntry(id, at))
}

// dropResting removes tokens from memory that are stored and have not been used for two periods.
func (u *Uses) dropResting() {
	rested := u.now().Add(-2 * UsePeriod).Unix()
	u.seen.Range(func(id, found any) bool {
		if use := found.(*tokenUse); use.last.Load() <= use.saved.Load() && use.last.Load() < rested {
			u.seen.Delete(id)
		}
		return true
	})
}

// Last returns the time of the last use of a token in epoch milliseconds, 0 for never.
func (u *Uses) Last(ctx context.Context, id string) (int64, error) {
	entries, err := u.rows.Lookup(ctx, useTerm, beforeUses(id), 2) // a token has two entries while one replaces the other
	if err != nil {
		return 0, fmt.Errorf("read when a token was used: %w", err)
	}
	var last int64
	for _, entry := range entries {
		of, at, err := parseUse(entry)
		if err != nil {
			return 0, err
		}
		if of == id {
			last = max(last, at)
		}
	}
	if use, ok := u.seen.Load(id); ok {
		last = max(last, use.(*tokenUse).last.Load())
	}
	return last * 1000, nil
}

func (u *Uses) each(ctx context.Context, use func(id string, at int64, entry urn.URN)) error {
	for after := urn.URN(""); ; {
		page, err := u.rows.Lookup(ctx, useTerm, after, usesPage)
		if err != nil {
			return fmt.Errorf("read when tokens were used: %w", err)
		}
		for _, entry := range page {
			id, at, err := parseUse(entry)
			if err != nil {
				return err
			}
			use(id, at, entry)
		}
		if len(page) < usesPage {
			return nil
		}
		after = page[len(page)-1]
	}
}

// Forget removes the stored entries of deleted tokens.
func (u *Uses) Forget(ctx context.Context, gone func(id string) bool) error {
	var old []urn.URN
	err := u.each(ctx, func(id string, _ int64, entry urn.URN) {
		if gone(id) {
			old = append(old, entry)
			u.seen.Delete(id)
		}
	})
	if err != nil || len(old) == 0 {
		return err
	}
	_, err = u.rows.Update(ctx, func(tx store.Tx) error {
		for _, entry := range old {
			if err := tx.RemoveTerm(ctx, useTerm, entry); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// beforeUses returns a URN that sorts before all entries of a token and after those of the
// preceding tokens.
func beforeUses(id string) urn.URN { return urn.URN(urn.TypePrefix(useType) + "(" + id + ",") }

func useEntry(id string, at int64) urn.URN {
	return urn.Make(useType, id, fmt.Sprintf("%0*d", useDigits, at))
}

func parseUse(entry urn.URN) (id string, at int64, err error) {
	parts := entry.Parts()
	if len(parts) != 2 {
		return "", 0, fmt.Errorf("last use of a token: %q is no entry", entry)
	}
	at, err = strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return "", 0, fmt.Errorf("last use of a token: %q is no entry: %w", entry, err)
	}
	return parts[0], at, nil
}
