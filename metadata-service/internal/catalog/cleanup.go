package catalog

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// cleanup is the pending cleanup after the removal of an aspect that has too many effects for one
// transaction.
type cleanup struct {
	rule    *rule.Rule
	removed urn.URN
}

// cleanupBatch is the number of entities cleaned up in one transaction.
const cleanupBatch = 200

// cleanupTerm marks the entities whose cleanup by a rule is unfinished.
func cleanupTerm(r *rule.Rule) store.Term { return store.Term{Index: "$cleanup", Value: r.Name} }

// cleanUp carries out the pending effects of removals, and returns when they are durable and
// visible. The removals themselves are already durable, so cleanUp also runs in read-only mode, and
// writers call it with a context that does not end. Unfinished cleanups stay marked and are resumed
// at the next start.
func (s *Service) cleanUp(ctx context.Context, pending []cleanup) error {
	for _, c := range pending {
		for after := urn.URN(""); ; {
			next, err := s.cleanUpBatch(ctx, c, after)
			if err != nil {
				return err
			}
			if next == "" {
				break
			}
			after = next
		}
	}
	return nil
}

// cleanUpBatch cleans up one batch of entities and returns the last of them, empty at the end.
func (s *Service) cleanUpBatch(ctx context.Context, c cleanup, after urn.URN) (next urn.URN, err error) {
	err = s.transactAlways(ctx, WriteOptions{}, func(t *txn) error {
		next = ""
		affected, err := t.tx.Lookup(t.ctx, c.rule.CleanupTerm(c.removed), after, cleanupBatch)
		if err != nil {
			return err
		}
		back, err := t.isWrittenAgain(c)
		if err != nil {
			return err
		}
		if len(affected) == 0 || back {
			return t.tx.RemoveTerm(t.ctx, cleanupTerm(c.rule), c.removed)
		}
		cause := &change{Change: rule.Change{URN: c.removed}, keepsRun: true}
		for _, u := range affected {
			if err := c.rule.Cleanup(effects{ruleTx{t}, cause}, c.removed, u); err != nil {
				return err
			}
		}
		next = affected[len(affected)-1]
		return nil
	})
	return next, err
}

// isWrittenAgain reports whether the removed aspect has been written again. References to it are
// then correct again.
func (t *txn) isWrittenAgain(c cleanup) (bool, error) {
	for _, aspect := range c.rule.Aspects {
		rec, err := t.rows.get(t.ctx, store.Key{URN: c.removed, Aspect: aspect})
		if err != nil || rec != nil {
			return rec != nil, err
		}
	}
	return false, nil
}

// ResumeCleanups completes the cleanups that an earlier process left unfinished. The actor in ctx
// must be the service itself.
func (s *Service) ResumeCleanups(ctx context.Context) error {
	rules := s.Rules.All()
	for i := range rules {
		if rules[i].Cleanup == nil {
			continue
		}
		for {
			removed, err := s.Store.Lookup(ctx, cleanupTerm(&rules[i]), "", 1)
			if err != nil {
				return err
			}
			if len(removed) == 0 {
				break
			}
			if err := s.cleanUp(ctx, []cleanup{{&rules[i], removed[0]}}); err != nil {
				return err
			}
		}
	}
	return nil
}
