package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Refusal is an item that the server refused or that is invalid.
type Refusal struct {
	File   string
	Item   int    // position in the file, from 1
	URN    string // empty if the item has none
	Aspect string // likewise; a snapshot has several
	What   string // description of the write for people: aspect and URN
	Cause  error  // the message of the server, or the problem of the item
}

func (r *Refusal) Error() string {
	if r.What == "" {
		return fmt.Sprintf("%s: item %d: %v", r.File, r.Item, r.Cause)
	}
	return fmt.Sprintf("%s: item %d (%s): %v", r.File, r.Item, r.What, r.Cause)
}

func (r *Refusal) Unwrap() error { return r.Cause }

// sender distributes the items of a file over connections by the hash of their URN. The items of a
// URN keep their order, and each connection has at most one request in progress.
type sender struct {
	client      *client
	run         string
	progress    *lockedProgress
	seed        maphash.Seed
	connections []*connection
	dry         *dryRun // nil unless this is a dry run

	// If continueAfterRefusal is set, the load continues after a refused item and calls onRefused.
	continueAfterRefusal bool
	onRefused            func(*Refusal)
	mu                   sync.Mutex // guards onRefused and refused
	refused              int
}

func newSender(c *client, opts Options, progress *lockedProgress) *sender {
	s := &sender{client: c, run: opts.Run, progress: progress, seed: maphash.MakeSeed(), continueAfterRefusal: opts.Continue, onRefused: opts.Refused}
	if opts.DryRun {
		s.dry = &dryRun{registry: opts.Registry, client: c}
	}
	for range opts.Connections {
		s.connections = append(s.connections, &connection{sender: s, batch: opts.Batch, batchBytes: opts.BatchBytes, urns: newDistinct(maxDistinct / opts.Connections)})
	}
	return s
}

// refuse records a refused item. It returns the refusal if it ends the load, otherwise nil.
func (s *sender) refuse(r *Refusal) error {
	if !s.continueAfterRefusal {
		return r
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused++
	s.onRefused(r)
	s.progress.Sent(1)
	return nil
}

// file sends one file and returns when the server has accepted all of it.
func (s *sender) file(ctx context.Context, f file, shift int64) error {
	path := f.path
	group, ctx := errgroup.WithContext(ctx)
	for _, l := range s.connections {
		l.queue = make(chan outgoing)
		group.Go(func() error {
			return background.Protect(func() error { return l.drain(ctx, path) })
		})
	}
	group.Go(func() error {
		defer func() {
			for _, l := range s.connections {
				close(l.queue)
			}
		}()
		err := background.Protect(func() error {
			return eachItem(ctx, f.from, func(n int, raw json.RawMessage) error { return s.route(ctx, path, n, raw, shift) })
		})
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	})
	return group.Wait()
}

func (s *sender) route(ctx context.Context, path string, n int, raw json.RawMessage, shift int64) error {
	it, err := parseItem(raw)
	if err != nil && s.continueAfterRefusal {
		return s.refuse(&Refusal{File: path, Item: n, Cause: err})
	}
	if err != nil {
		return err
	}
	p := outgoing{item: n, urn: it.urn, aspect: it.aspectName, name: it.name(), hash: maphash.String(s.seed, it.urn), size: it.size(), snapshot: it.class != ""}
	if s.dry != nil {
		p.snapshot, p.source = false, &it
		p.body = raw
	} else if p.snapshot {
		p.body, err = it.ingest(shift, s.run)
	} else {
		p.body, err = it.proposal(shift, s.run)
	}
	if err != nil {
		return err
	}
	select {
	case s.connections[p.hash%uint64(len(s.connections))].queue <- p:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// totals adds up the connections; call it only between files.
func (s *sender) totals() (items, aspects, entities int, estimated bool) {
	for _, l := range s.connections {
		items += l.items
		aspects += l.aspects
		n, exact := l.urns.count()
		entities += n // connections share no URN
		estimated = estimated || !exact
	}
	return items, aspects, entities, estimated
}

// outgoing is an encoded item, ready to be sent.
type outgoing struct {
	item     int
	urn      string
	aspect   string
	source   *item // for a dry run
	name     string
	hash     uint64 // of the URN
	size     int    // aspects
	snapshot bool
	body     json.RawMessage
}

// connection sends the items of its URNs in batches, one request at a time.
type connection struct {
	sender     *sender
	batch      int
	batchBytes int
	queue      chan outgoing

	path    string
	waiting []outgoing
	size    int

	items, aspects int
	urns           *distinct
}

// drain sends the items of the queue until it is closed.
func (l *connection) drain(ctx context.Context, path string) error {
	l.path, l.waiting, l.size = path, nil, 0
	for p := range l.queue {
		if p.snapshot || l.size+len(p.body) > l.batchBytes || len(l.waiting) >= l.batch && !l.continuesUser(p) {
			if err := l.flush(ctx); err != nil {
				return err
			}
		}
		if p.snapshot {
			if err := l.sendSnapshot(ctx, p); err != nil {
				return err
			}
			continue
		}
		l.waiting = append(l.waiting, p)
		l.size += len(p.body)
		if len(l.waiting) >= l.batch && !isUser(p) {
			if err := l.flush(ctx); err != nil {
				return err
			}
		}
	}
	// The reader also closes the queue when it stops early; then the waiting items are not sent.
	if err := ctx.Err(); err != nil {
		return err
	}
	return l.flush(ctx)
}

// continuesUser reports whether an item concerns the same user as the last item of the batch. All
// aspects of a user are sent in one batch, even beyond the regular size, because a user can become
// a service account only at its creation.
func (l *connection) continuesUser(p outgoing) bool {
	return isUser(p) && len(l.waiting) < MaxBatch && l.waiting[len(l.waiting)-1].urn == p.urn
}

func isUser(p outgoing) bool { return strings.HasPrefix(p.urn, urn.TypePrefix("corpuser")) }

func (l *connection) sendSnapshot(ctx context.Context, p outgoing) error {
	if err := l.sender.client.ingest(ctx, p.body); err != nil {
		return l.fail(p, err)
	}
	l.accept([]outgoing{p})
	return nil
}

// flush sends the waiting items in one request. The server answers for a batch as a whole, so after
// a refusal the items are sent one by one.
func (l *connection) flush(ctx context.Context) error {
	batch := l.waiting
	l.waiting, l.size = nil, 0
	if len(batch) == 0 {
		return nil
	}
	if l.sender.dry != nil {
		return l.rehearse(ctx, batch)
	}
	err := l.send(ctx, batch)
	if err == nil {
		return nil
	}
	var refused *answer
	if len(batch) == 1 || !errors.As(err, &refused) || !refused.aboutItems() {
		return l.fail(batch[0], err)
	}
	for i, p := range batch {
		if err := l.send(ctx, batch[i:i+1]); err != nil {
			if err = l.fail(p, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// fail ends the load with the error, or continues after the item if the response is about that
// item.
func (l *connection) fail(p outgoing, err error) error {
	refusal := l.refusal(p, err)
	var about *answer
	var named *Refusal
	if errors.As(err, &about) && about.aboutItems() && errors.As(refusal, &named) {
		return l.sender.refuse(named)
	}
	return refusal
}

func (l *connection) send(ctx context.Context, batch []outgoing) error {
	bodies := make([][]byte, 0, len(batch))
	for _, p := range batch {
		bodies = append(bodies, p.body)
	}
	if err := l.sender.client.propose(ctx, bodies); err != nil {
		return err
	}
	l.accept(batch)
	return nil
}

func (l *connection) accept(batch []outgoing) {
	for _, p := range batch {
		l.items++
		l.aspects += p.size
		l.urns.add(p.hash)
	}
	l.sender.progress.Sent(len(batch))
}

// refusal adds the item to an error, unless the load was cancelled.
func (l *connection) refusal(p outgoing, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &Refusal{File: l.path, Item: p.item, URN: p.urn, Aspect: p.aspect, What: p.name, Cause: err}
}
