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

// denylistTopic names the lookup term and the messages of the session denylist.
const denylistTopic = "sessionDenylist"

// denyTerm is the one lookup term under which the denied sessions are listed.
var denyTerm = store.Term{Index: denylistTopic, Value: "ended"}

const (
	denylistPage = 1000
	// compactPerEntry is how many expired entries go with each new one. More than one, so
	// that the list shrinks; few, as it happens in the single writer.
	compactPerEntry = 16
	// compactAbove is how many entries memory may hold before expired ones are dropped.
	compactAbove = 10_000
)

// DenylistStore is what a Denylist needs of the store.
type DenylistStore interface {
	store.Writer
	store.TermIndex
}

// Denylist holds the sessions that ended before their token expires: single ones by
// their id, and all of a user by a mark; see mark.
//
// It lies in the store, as members of a lookup term, and in the memory of every
// process, so that verifying a token reads nothing. A new entry is durable when
// Add returns and goes with a message of the change log, by which the other
// processes learn of it: a Denylist is a sink of the projections. Load reads the
// list once the sink follows the log.
//
// Entries are ordered by their expiry, and expired ones go with new ones. They
// make no entity: the model knows none for it, and each is of use for a day.
//
// It is safe for concurrent use.
type Denylist struct {
	rows DenylistStore
	now  func() time.Time

	mu        sync.RWMutex
	ids       map[string]int64 // id to expiry, epoch seconds
	compactAt int              // entries from which expired ones are dropped
	marks     map[string]mark  // of users, by the hash of their URN
}

// NewDenylist makes an empty list; Load fills it.
func NewDenylist(rows DenylistStore, now func() time.Time) *Denylist {
	return &Denylist{rows: rows, now: now, ids: map[string]int64{}, compactAt: compactAbove, marks: map[string]mark{}}
}

// Load reads the stored list. What ended since the sink began to follow is there
// already, so nothing falls between the two.
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

// Add puts a session on the list until its expiry, durably. When it fails the
// session is not on it, and adding it again is fine. It works while the catalog is
// read-only: what is revoked cannot wait.
func (d *Denylist) Add(ctx context.Context, id string, expires time.Time) error {
	if d.Has(id) {
		return nil
	}
	return d.add(ctx, denied{ID: id, Expires: expires.Unix()})
}

// Merge adds what another list knows and this one does not, durably, and tells how many
// there were; a user all of whose sessions ended counts once. Expired entries are left out.
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

// Has tells whether a session is on the list. It reads memory alone.
func (d *Denylist) Has(id string) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	_, there := d.ids[id]
	return there
}

// Name implements projection.Sink.
func (d *Denylist) Name() string { return "session-denylist" }

// Durable implements projection.Sink: memory holds a copy.
func (d *Denylist) Durable() bool { return false }

// Apply implements projection.Sink: it takes in what other processes added.
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

// note keeps an entry in memory, and drops expired ones when there are many.
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

// denied is one entry: the id of a session, and when its token expires.
type denied struct {
	ID      string `json:"id"`
	Expires int64  `json:"expires"` // epoch seconds
}

// expiryDigits is the width of an expiry, so that entries are in its order.
const expiryDigits = 12

// urn is the entry as a member of the lookup term.
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
