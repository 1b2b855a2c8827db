package memory

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Last implements store.Log.
func (s *Store) Last() (uint64, <-chan struct{}) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.last, s.committed
}

// First implements store.Log.
func (s *Store) First(ctx context.Context) (first uint64, err error) {
	err = s.view(ctx, func() {
		if len(s.entries) > 0 {
			first = s.entries[0].Sequence
		}
	})
	return first, err
}

// Entries implements store.Log.
func (s *Store) Entries(ctx context.Context, after uint64, limit int) (entries []store.Entry, err error) {
	if limit <= 0 {
		limit = storePage
	}
	err = s.view(ctx, func() {
		from := slices.IndexFunc(s.entries, func(e store.Entry) bool { return e.Sequence > after })
		if from < 0 {
			return
		}
		entries = slices.Clone(s.entries[from:min(len(s.entries), from+limit)])
		for i := range entries {
			entries[i].Value = storeBytes(entries[i].Value)
		}
	})
	return entries, err
}

// Position implements store.Log.
func (s *Store) Position(ctx context.Context, follower string) (sequence uint64, err error) {
	err = s.view(ctx, func() { sequence = s.positions[follower] })
	return sequence, err
}

// SetPosition implements store.Log.
func (s *Store) SetPosition(ctx context.Context, follower string, sequence uint64) error {
	if follower == "" || len(follower) > 200 {
		return fault.New(fault.Invalid, "the name of a follower has 1 to 200 bytes, not %d", len(follower))
	}
	return s.write(ctx, func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.positions[follower] = sequence
		return nil
	})
}

// Trimmed implements store.Log.
func (s *Store) Trimmed(ctx context.Context) (sequence uint64, err error) {
	err = s.view(ctx, func() { sequence = s.trimmed })
	return sequence, err
}

// Trim implements store.Log.
func (s *Store) Trim(ctx context.Context, upTo uint64) error {
	return s.write(ctx, func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.trimmed = max(s.trimmed, min(upTo, s.last))
		s.entries = slices.DeleteFunc(slices.Clone(s.entries), func(e store.Entry) bool { return e.Sequence <= upTo })
		return nil
	})
}
