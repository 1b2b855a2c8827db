package event

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of one page of changes of owned assets.
const (
	DefaultOwned = 50
	MaxOwned     = 200
	// maxScanned limits the number of log entries read for a page, maxScanTime the time.
	maxScanned  = 20_000
	maxScanTime = 2 * time.Second
	// maxDetails is the maximum number of detailed changes of one entry, maxTextBytes the maximum
	// length in bytes of a text in them.
	maxDetails         = 20
	maxTextBytes       = 400
	maxConcurrentScans = 4 // concurrent scans; others wait
)

// OwnedQuery requests changes that other actors made to assets of the actor.
type OwnedQuery struct {
	Since  time.Time // oldest change; the zero time for no limit
	Before string    // OwnedPage.Next of the previous page; empty for the newest changes
	Limit  int       // 0 means DefaultOwned, and MaxOwned is the upper limit
}

// OwnedPage is a list of changes, newest first.
type OwnedPage struct {
	Changes []OwnedChange
	// Next is the Before of the next older page. It is empty at the end: the log holds nothing
	// older, or Since is reached. A page with few or no changes may have a Next, since each page
	// reads only a part of the log.
	Next string
	// Until is the time of the oldest entry that was read, of any actor, in epoch ms; 0 when there
	// was none.
	Until int64
}

// OwnedChange is the change of one aspect by one write.
type OwnedChange struct {
	Entity  urn.URN
	Actor   urn.URN
	Time    int64 // epoch ms
	Details []Detail
	More    int // number of further changes in the same write
}

// Detail is one change, with the terms of entity change events.
type Detail struct {
	Category  string
	Operation string
	Modifier  string // the added, changed or removed item; empty for none
	// Parameters give details by name. Long texts are truncated.
	Parameters map[string]any
}

// Owned returns changes that other actors made to entities that the actor in ctx currently owns,
// directly or by a group, and may see. Changes name no entity that view authorization hides from
// the actor: they compare the values that the actor may read. Owned omits changes without an entity
// change event, and entities that were deleted together with their owners. An invalid Before is
// fault.Malformed.
func (s *Service) Owned(ctx context.Context, q OwnedQuery) (OwnedPage, error) {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return OwnedPage{}, fault.New(fault.Unauthenticated, "sign in to see the changes of your assets")
	}
	last, _ := s.cfg.Log.Last()
	if q.Before != "" {
		before, err := strconv.ParseUint(q.Before, 10, 64)
		if err != nil || before == 0 || before > last+1 {
			return OwnedPage{}, fault.New(fault.Malformed, "before: %.30q is not the place of a page of this list", q.Before)
		}
		last = before - 1
	}
	ctx, end, err := idle.Take(ctx, s.scans)
	if err != nil {
		return OwnedPage{}, err
	}
	defer end()
	by, err := s.ownerURNs(ctx, actor.URN)
	if err != nil {
		return OwnedPage{}, err
	}
	trimmed, err := s.cfg.Log.Trimmed(ctx)
	if err != nil {
		return OwnedPage{}, err
	}
	shown, err := s.cfg.Shown(ctx)
	if err != nil {
		return OwnedPage{}, err
	}
	scan := &ownedScan{Service: s, actor: actor.URN, by: by, since: q.Since.UnixMilli(), limit: limitOfOwned(q.Limit), high: last, low: trimmed, shown: shown}
	if q.Since.IsZero() {
		scan.since = 0
	}
	return scan.page(ctx)
}

func limitOfOwned(n int) int {
	if n <= 0 {
		return DefaultOwned
	}
	return min(n, MaxOwned)
}

// ownedScan reads the log backwards.
type ownedScan struct {
	*Service
	actor     urn.URN
	by        []urn.URN
	since     int64
	limit     int
	high, low uint64 // entries above low, up to high, are still unread
	shown     *catalog.Shown
	out       OwnedPage
}

func (s *ownedScan) page(ctx context.Context) (OwnedPage, error) {
	end := time.Now().Add(maxScanTime)
	for scanned := 0; s.high > s.low && len(s.out.Changes) < s.limit && scanned < maxScanned && time.Now().Before(end); scanned += pageSize {
		from := s.low
		if s.high-s.low > pageSize {
			from = s.high - pageSize
		}
		entries, err := s.window(ctx, from)
		if err == nil {
			err = s.take(ctx, entries, from)
		}
		if err != nil {
			return OwnedPage{}, err
		}
	}
	if s.high > s.low {
		s.out.Next = strconv.FormatUint(s.high+1, 10)
	}
	return s.out, nil
}

// window returns the entries above from, up to high, without values.
func (s *ownedScan) window(ctx context.Context, from uint64) ([]store.Entry, error) {
	var out []store.Entry
	for from < s.high {
		entries, err := s.cfg.Log.Entries(ctx, from, pageSize)
		if err != nil {
			return nil, err
		}
		for i := range entries {
			if entries[i].Sequence > s.high {
				return out, nil
			}
			e := entries[i]
			e.Value = nil // values may be large; add reads a selected entry again
			out = append(out, e)
		}
		if len(entries) == 0 {
			break
		}
		from = entries[len(entries)-1].Sequence
	}
	return out, nil
}

// take adds the changes of a window, newest first, and moves high to the start of the window, or to
// the entry at which the page is full.
func (s *ownedScan) take(ctx context.Context, entries []store.Entry, from uint64) error {
	wanted, err := s.selectEntries(ctx, entries)
	if err != nil {
		return err
	}
	for i, e := range slices.Backward(entries) {
		if e.Time < s.since {
			s.high = s.low // older than requested
			return nil
		}
		s.out.Until = e.Time
		if wanted[i] {
			if err := s.add(ctx, &entries[i]); err != nil {
				return err
			}
			if len(s.out.Changes) == s.limit {
				s.high = e.Sequence - 1
				return nil
			}
		}
	}
	s.high = from
	return nil
}

// selectEntries reports for each entry whether it is a change by another actor of an entity that
// the actor owns and sees.
func (s *ownedScan) selectEntries(ctx context.Context, entries []store.Entry) ([]bool, error) {
	out := make([]bool, len(entries))
	var urns []urn.URN
	for i := range entries {
		e := &entries[i]
		if out[i] = e.Actor != s.actor && s.givesNotices(e) && (comparers[e.Aspect] != nil || isKey(s.cfg.Registry, e)); out[i] {
			urns = append(urns, e.URN)
		}
	}
	owners, err := s.owners(ctx, urns)
	if err != nil {
		return nil, err
	}
	urns = slices.Compact(slices.Sorted(slices.Values(urns)))
	urns = slices.DeleteFunc(urns, func(u urn.URN) bool { return !ownsAny(owners[u], s.by) })
	if len(urns) == 0 {
		return make([]bool, len(entries)), nil
	}
	seen, err := s.visible(ctx, urns)
	if err != nil {
		return nil, err
	}
	for i := range entries {
		at, owned := slices.BinarySearch(urns, entries[i].URN)
		out[i] = out[i] && owned && seen[at]
	}
	return out, nil
}

func (s *ownedScan) add(ctx context.Context, e *store.Entry) error {
	whole, err := s.cfg.Log.Entries(ctx, e.Sequence-1, 1)
	if err != nil || len(whole) == 0 || whole[0].Sequence != e.Sequence {
		return err // trimmed meanwhile
	}
	e = &whole[0]
	changes, err := s.changesShown(ctx, e)
	if err != nil || len(changes) == 0 {
		return err
	}
	by, err := s.shown.Actor(ctx, e.Actor)
	if err != nil {
		return err
	}
	told := OwnedChange{Entity: e.URN, Actor: by, Time: e.Time, More: max(0, len(changes)-maxDetails)}
	size := 0
	for _, c := range changes[:min(len(changes), maxDetails)] {
		d := Detail{Category: c.category, Operation: c.operation, Modifier: c.modifier, Parameters: truncateTexts(c.parameters)}
		for _, v := range d.Parameters {
			size += len(fmt.Sprint(v))
		}
		told.Details = append(told.Details, d)
	}
	if s.cfg.Reserve != nil {
		if err := s.cfg.Reserve(ctx, int64(eventFactor*size)); err != nil {
			return err
		}
	}
	s.out.Changes = append(s.out.Changes, told)
	return nil
}

// changesShown returns the changes that the entity change events of an entry report. Like
// timelines, it compares the values without members that are hidden from the actor.
func (s *ownedScan) changesShown(ctx context.Context, e *store.Entry) ([]change, error) {
	r := &reading{Service: s.Service, withoutEdges: true}
	v, err := r.values(ctx, e)
	if err != nil {
		return nil, err
	}
	if v.before, err = s.shown.Value(ctx, v.spec, v.before); err != nil {
		return nil, err
	}
	if v.after, err = s.shown.Value(ctx, v.spec, v.after); err != nil {
		return nil, err
	}
	return r.changes(ctx, e, v)
}

// truncateTexts truncates long texts among parameters.
func truncateTexts(parameters jsontree.Object) map[string]any {
	if len(parameters) == 0 {
		return nil
	}
	out := make(map[string]any, len(parameters))
	for name, v := range parameters {
		if text, ok := v.(string); ok && len(text) > maxTextBytes {
			n := maxTextBytes
			for n > 0 && !utf8.RuneStart(text[n]) {
				n--
			}
			v = strings.Clone(text[:n]) + "…"
		}
		out[name] = v
	}
	return out
}
