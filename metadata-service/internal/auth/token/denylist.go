package token

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// denylistTopic is the name of the lookup term and of the log messages of the session denylist.
const denylistTopic = "sessionDenylist"

// denyTerm is the lookup term of all denied sessions.
var denyTerm = store.Term{Index: denylistTopic, Value: "ended"}

const (
	denylistPage = 1000
	// compactPerEntry is the number of expired entries that each new entry removes. It is greater
	// than one so that the list shrinks, and small because the single writer of the store removes
	// them.
	compactPerEntry = 16
	// compactAbove is the number of entries in memory above which expired ones are removed.
	compactAbove = 10_000
)

// DenylistStore is the part of the store that a Denylist uses.
type DenylistStore interface {
	store.Writer
	store.TermIndex
}

// Denylist holds the sessions that ended before their tokens expire: single sessions by id, and all
// sessions of a user by a mark; see mark.
//
// The entries are in the store, as members of a lookup term, and in the memory of every process, so
// that the verification of a token reads nothing from the store. A new entry is durable when Add
// returns. Its transaction also appends a message to the change log, from which the other processes
// learn of it: a Denylist is a projection sink. Load reads the list once the sink follows the log.
//
// Entries are ordered by expiry, and each new entry removes some expired ones. They are not
// entities: the model has no type for them, and each is useful for a day only.
//
// It is safe for concurrent use.
type Denylist struct {
	rows DenylistStore
	now  func() time.Time

	mu        sync.RWMutex
	ids       map[string]int64 // id to expiry, epoch seconds
	compactAt int              // number of entries at which expired ones are removed
	marks     map[string]mark  // by the hash of the user's URN
}

// NewDenylist returns an empty list. Load fills it.
func NewDenylist(rows DenylistStore, now func() time.Time) *Denylist {
	return &Denylist{rows: rows, now: now, ids: map[string]int64{}, compactAt: compactAbove, marks: map[string]mark{}}
}

// Load reads the stored list. Sessions that ended after the sink began to follow the log are
// already in memory, so the list is complete.
func (d *Denylist) Load(ctx context.Context) error {
	if err := d.load(ctx, denyTerm, func(u urn.URN) error {
		e, err := parseDenied(u)
		if err == nil {
			d.note(e)
		}
		return err
	}); err != nil {
		return err
	}
	return d.load(ctx, marksTerm, func(u urn.URN) error {
		m, err := parseMark(u)
		if err == nil {
			d.noteMark(m)
		}
		return err
	})
}

func (d *Denylist) load(ctx context.Context, term store.Term, take func(urn.URN) error) error {
	for after := urn.URN(""); ; {
		page, err := d.rows.Lookup(ctx, term, after, denylistPage)
		if err != nil {
			return fmt.Errorf("load the session denylist: %w", err)
		}
		for _, u := range page {
			if err := take(u); err != nil {
				return err
			}
		}
		if len(page) < denylistPage {
			return nil
		}
		after = page[len(page)-1]
	}
}

// Add puts a session on the list until its expiry, durably. If it fails, the session is not on the
// list. Adding a session again is no error. Add also works in read-only mode, since a revocation
// must not wait.
func (d *Denylist) Add(ctx context.Context, id string, expires time.Time) error {
	if d.Has(id) {
		return nil
	}
	return d.add(ctx, denied{ID: id, Expires: expires.Unix()})
}

// Merge adds the entries of another list that this list lacks, durably, and returns their number. A
// user with all sessions ended counts as one. Expired entries are ignored.
func (d *Denylist) Merge(ctx context.Context, from *Denylist) (int, error) {
	from.mu.RLock()
	var missing []denied
	for id, expires := range from.ids {
		if !d.Has(id) {
			missing = append(missing, denied{ID: id, Expires: expires})
		}
	}
	from.mu.RUnlock()
	for part := range slices.Chunk(missing, denylistPage) {
		if err := d.add(ctx, part...); err != nil {
			return 0, err
		}
	}
	users, err := d.mergeMarks(ctx, from)
	return len(missing) + users, err
}

func (d *Denylist) add(ctx context.Context, entries ...denied) error {
	now := d.now()
	_, err := d.rows.Update(ctx, func(tx store.Tx) error {
		if err := compact(ctx, tx, now.Unix()); err != nil {
			return err
		}
		for _, e := range entries {
			if err := tx.AddTerm(ctx, denyTerm, e.urn()); err != nil {
				return err
			}
			message, err := json.Marshal(e)
			if err != nil {
				return err
			}
			_, err = tx.Append(ctx, store.Entry{
				Kind: store.Message, Aspect: denylistTopic, Actor: model.SystemActor, Time: now.UnixMilli(), Value: message,
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("session denylist: %w", err)
	}
	for _, e := range entries {
		d.note(e)
	}
	return nil
}

// compact removes some of the entries that expired first.
func compact(ctx context.Context, tx store.Tx, now int64) error {
	oldest, err := tx.Lookup(ctx, denyTerm, "", compactPerEntry)
	if err != nil {
		return err
	}
	for _, u := range oldest {
		e, err := parseDenied(u)
		if err != nil {
			return err
		}
		if e.Expires > now {
			return nil
		}
		if err := tx.RemoveTerm(ctx, denyTerm, u); err != nil {
			return err
		}
	}
	return nil
}

// Has reports whether a session is on the list. It reads memory only.
func (d *Denylist) Has(id string) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	_, there := d.ids[id]
	return there
}

// Name implements projection.Sink.
func (d *Denylist) Name() string { return "session-denylist" }

// Durable implements projection.Sink. It is false, since memory holds a copy of stored entries.
func (d *Denylist) Durable() bool { return false }

// Apply implements projection.Sink: it adds the entries of other processes to memory.
func (d *Denylist) Apply(_ context.Context, entries []store.Entry) error {
	for i := range entries {
		if entries[i].Kind != store.Message {
			continue
		}
		if err := d.take(entries[i]); err != nil {
			return fmt.Errorf("entry %d of the session denylist: %w", entries[i].Sequence, err)
		}
	}
	return nil
}

func (d *Denylist) take(message store.Entry) error {
	switch message.Aspect {
	case denylistTopic:
		var e denied
		if err := json.Unmarshal(message.Value, &e); err != nil {
			return err
		}
		d.note(e)
	case marksTopic:
		var m mark
		if err := json.Unmarshal(message.Value, &m); err != nil {
			return err
		}
		d.noteMark(m)
	}
	return nil
}

// note puts an entry into memory, and removes expired entries if there are many.
func (d *Denylist) note(e denied) {
	now := d.now().Unix()
	d.mu.Lock()
	defer d.mu.Unlock()
	if e.Expires > now {
		d.ids[e.ID] = e.Expires
	}
	if len(d.ids) < d.compactAt {
		return
	}
	for id, expires := range d.ids {
		if expires <= now {
			delete(d.ids, id)
		}
	}
	d.compactAt = max(compactAbove, 2*len(d.ids))
}

// denied is one entry: the id of a session and the expiry of its token.
type denied struct {
	ID      string `json:"id"`
	Expires int64  `json:"expires"` // epoch seconds
}

// expiryDigits is the width of an expiry in a URN, so that the entries are ordered by expiry.
const expiryDigits = 12

// urn returns the entry as a member of the lookup term.
func (e denied) urn() urn.URN {
	return urn.Make("dataHubSession", fmt.Sprintf("%0*d", expiryDigits, e.Expires), e.ID)
}

func parseDenied(u urn.URN) (denied, error) {
	parts := u.Parts()
	if len(parts) != 2 {
		return denied{}, fmt.Errorf("session denylist: %q is no entry", u)
	}
	expires, err := strconv.ParseInt(parts[0], 10, 64)
	if err != nil {
		return denied{}, fmt.Errorf("session denylist: %q is no entry: %w", u, err)
	}
	return denied{ID: parts[1], Expires: expires}, nil
}
