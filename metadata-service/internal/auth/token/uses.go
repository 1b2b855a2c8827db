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
	// UsePeriod is how far a stored time of last use may lie behind: a process writes that of a
	// token at most once in it.
	UsePeriod = time.Hour
	// usesPage bounds the entries that are read or written at once.
	usesPage = 1000
	// useType is the entity type in the URNs of entries; the model knows none of that name.
	useType = "dataHubTokenUse"
	// useDigits is the width of a time, so that entries of a token are in its order.
	useDigits = 12
)

// useTerm is the one lookup term under which the last uses are listed.
var useTerm = store.Term{Index: "tokenUse", Value: "last"}

// UsesStore is what Uses needs of the store.
type UsesStore interface {
	store.Writer
	store.TermIndex
}

// Uses remembers when access tokens were used last.
//
// A request notes its token in memory, which costs an atomic write. Save writes
// what was used since, at most once in UsePeriod for each token, and SaveAll the
// rest when the process ends. What is stored of a token only moves forward, so
// that several processes save theirs side by side, and the latest use of any of
// them is found. A process that is killed loses less than UsePeriod.
//
// Entries are members of a lookup term, as those of the Denylist: they are no
// metadata, and a version, a log entry and an update of the search index for
// each hour that a program runs would be many. Uses is safe for concurrent use.
type Uses struct {
	rows UsesStore
	now  func() time.Time

	// seen holds a *tokenUse for each id. Those that rest are dropped by Save.
	seen sync.Map
}

// tokenUse is the last use of a token, in epoch seconds.
type tokenUse struct {
	last  atomic.Int64
	saved atomic.Int64 // what was stored last, 0 for nothing
}

// NewUses makes a Uses over a store.
func NewUses(rows UsesStore, now func() time.Time) *Uses { return &Uses{rows: rows, now: now} }

// Note remembers that a token is used now.
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

// Save stores the uses of tokens of which nothing was stored for UsePeriod. What
// fails is tried by the next call.
func (u *Uses) Save(ctx context.Context) error {
	return u.save(ctx, func(use *tokenUse) bool {
		last, saved := use.last.Load(), use.saved.Load()
		return last > saved && u.now().Unix()-saved >= int64(UsePeriod/time.Second)
	})
}

// SaveAll stores all uses that are not stored, before the process ends.
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

// moveForward replaces the entry of a token, unless another process stored a
// later one.
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

// dropResting forgets tokens that are stored and were not used for two periods, so
// that memory holds those in use.
func (u *Uses) dropResting() {
	rested := u.now().Add(-2 * UsePeriod).Unix()
	u.seen.Range(func(id, found any) bool {
		if use := found.(*tokenUse); use.last.Load() <= use.saved.Load() && use.last.Load() < rested {
			u.seen.Delete(id)
		}
		return true
	})
}

// Last is when a token was used last, in epoch milliseconds, 0 for never.
func (u *Uses) Last(ctx context.Context, id string) (int64, error) {
	entries, err := u.rows.Lookup(ctx, useTerm, beforeUses(id), 2) // those of a token are two while one takes the place of the other
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

// Forget drops what is stored of tokens that are gone.
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

// beforeUses sorts before all entries of a token and behind those of the tokens
// before it.
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
