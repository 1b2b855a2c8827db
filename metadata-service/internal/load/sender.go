package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"

	"golang.org/x/sync/errgroup"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
)

// Refusal is the item at which a load stopped.
type Refusal struct {
	File  string
	Item  int    // position in the file, from 1
	What  string // the write, for people: aspect and URN
	Cause error  // what the server said
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("%s: item %d (%s): %v", r.File, r.Item, r.What, r.Cause)
}

func (r *Refusal) Unwrap() error { return r.Cause }

// sender spreads the items of a file over lanes. Each lane owns the URNs that
// hash to it, hence their order, and has one request under way at most.
type sender struct {
	client   *client
	run      string
	progress *serial
	seed     maphash.Seed
	lanes    []*lane
}

func newSender(c *client, opts Options, progress *serial) *sender {
	s := &sender{client: c, run: opts.Run, progress: progress, seed: maphash.MakeSeed()}
	for range opts.Connections {
		s.lanes = append(s.lanes, &lane{sender: s, batch: opts.Batch, batchBytes: opts.BatchBytes, urns: make(map[uint64]struct{})})
	}
	return s
}

// file sends one file and returns once the server took all of it.
func (s *sender) file(ctx context.Context, path string, shift int64) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, l := range s.lanes {
		l.queue = make(chan parcel)
		group.Go(func() error {
			return background.Protect(func() error { return l.drain(ctx, path) })
		})
	}
	group.Go(func() error {
		defer func() {
			for _, l := range s.lanes {
				close(l.queue)
			}
		}()
		err := background.Protect(func() error {
			return each(ctx, path, func(n int, raw json.RawMessage) error { return s.route(ctx, n, raw, shift) })
		})
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	})
	return group.Wait()
}

func (s *sender) route(ctx context.Context, n int, raw json.RawMessage, shift int64) error {
	it, err := parseItem(raw)
	if err != nil {
		return err
	}
	p := parcel{item: n, name: it.name(), hash: maphash.String(s.seed, it.urn), weight: it.weight(), snapshot: it.class != ""}
	if p.snapshot {
		p.body, err = it.ingest(shift, s.run)
	} else {
		p.body, err = it.proposal(shift, s.run)
	}
	if err != nil {
		return err
	}
	select {
	case s.lanes[p.hash%uint64(len(s.lanes))].queue <- p:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// totals adds up the lanes; no file may be under way.
func (s *sender) totals() (items, aspects, entities int) {
	for _, l := range s.lanes {
		items += l.items
		aspects += l.aspects
		entities += len(l.urns) // lanes share no URN
	}
	return items, aspects, entities
}

// parcel is an item ready to travel.
type parcel struct {
	item     int
	name     string
	hash     uint64 // of the URN
	weight   int    // aspects
	snapshot bool
	body     json.RawMessage
}

// lane is one connection's worth of work.
type lane struct {
	sender     *sender
	batch      int
	batchBytes int
	queue      chan parcel

	path    string
	waiting []parcel
	size    int

	items, aspects int
	urns           map[uint64]struct{}
}

// drain sends what arrives until the queue closes.
func (l *lane) drain(ctx context.Context, path string) error {
	l.path, l.waiting, l.size = path, nil, 0
	for p := range l.queue {
		if p.snapshot || l.size+len(p.body) > l.batchBytes {
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
		if len(l.waiting) >= l.batch {
			if err := l.flush(ctx); err != nil {
				return err
			}
		}
	}
	// The reader closes the queue when it stops early, too: then what waits is not sent.
	if err := ctx.Err(); err != nil {
		return err
	}
	return l.flush(ctx)
}

func (l *lane) sendSnapshot(ctx context.Context, p parcel) error {
	if err := l.sender.client.ingest(ctx, p.body); err != nil {
		return l.refusal(p, err)
	}
	l.accept([]parcel{p})
	return nil
}

// flush sends what waits in one request. The server answers for a batch as a
// whole, so after a refusal the items go one by one until the bad one is found.
func (l *lane) flush(ctx context.Context) error {
	batch := l.waiting
	l.waiting, l.size = nil, 0
	if len(batch) == 0 {
		return nil
	}
	err := l.send(ctx, batch)
	if err == nil {
		return nil
	}
	var refused *answer
	if len(batch) == 1 || !errors.As(err, &refused) || !refused.aboutItems() {
		return l.refusal(batch[0], err)
	}
	for i, p := range batch {
		if err := l.send(ctx, batch[i:i+1]); err != nil {
			return l.refusal(p, err)
		}
	}
	return nil
}

func (l *lane) send(ctx context.Context, batch []parcel) error {
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

func (l *lane) accept(batch []parcel) {
	for _, p := range batch {
		l.items++
		l.aspects += p.weight
		l.urns[p.hash] = struct{}{}
	}
	l.sender.progress.Sent(len(batch))
}

// refusal names the item, unless the load was given up for another reason.
func (l *lane) refusal(p parcel, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &Refusal{File: l.path, Item: p.item, What: p.name, Cause: err}
}
