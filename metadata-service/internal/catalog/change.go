package catalog

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/proposal"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/set"
)

// change is a change of one aspect within a transaction.
type change struct {
	rule.Change
	rules  []*rule.Rule
	old    *model.Record   // latest row, nil if there is none
	text   json.RawMessage // canonical text of After
	system model.SystemMetadata
	depth  int // length of the chain of derived changes that led here
	// keepsRun is set when derived changes keep the run ID of the stored aspect.
	keepsRun bool
	// versions selects the versions to remove, all if nil. After is then the newest remaining
	// version.
	versions *store.Versions
	run      string // run ID that the log notes for a removal; changes derived from it do not carry this run
}

func (c *change) key() store.Key { return store.Key{URN: c.URN, Aspect: c.Aspect.Name} }

// newChange returns a change of an aspect to the value after; nil removes the aspect.
func (t *txn) newChange(entity *model.EntitySpec, key store.Key, after model.Object) (*change, error) {
	spec, _ := t.Service.Registry.Aspect(key.Aspect)
	old, err := t.rows.get(t.ctx, key)
	if err != nil {
		return nil, err
	}
	c := &change{Change: rule.Change{URN: key.URN, Entity: entity, Aspect: spec, After: after}, rules: t.Rules.For(entity, spec), old: old}
	return c, c.decode()
}

// decode fills Before if a rule or the encryption uses it.
func (c *change) decode() error {
	if c.old == nil || c.Before != nil || len(c.Aspect.Encrypted) == 0 && !slices.ContainsFunc(c.rules, usesStoredValue) {
		return nil
	}
	var err error
	c.Before, err = jsontree.DecodeObject(c.old.Value)
	return err
}

// before returns the stored value, nil if there is none. It decodes the value even if no rule uses
// it.
func (c *change) before() (model.Object, error) {
	if c.Before != nil || c.old == nil {
		return c.Before, nil
	}
	return jsontree.DecodeObject(c.old.Value)
}

// usesStoredValue reports whether a rule uses the value before the change. Rules that only
// constrain the form of values do not, so large values such as schemas are not decoded for them.
func usesStoredValue(r *rule.Rule) bool {
	return r.Adjust != nil || r.Validate != nil || r.AllowRemoval != nil || r.Terms != nil || r.CreatorTerms != nil || r.Derive != nil || r.Causes != nil || r.Demands != nil
}

// carry stores a change that the rules have allowed, with its history, its log entry, and the
// relationships and terms of its value. It then carries out the changes that rules derive from it.
// Every change of a versioned aspect passes through carry, except that the removal of a whole
// entity deletes all of its rows at once and calls settle for each of its changes (removeEntity).
func (t *txn) carry(c *change) (store.Stored, error) {
	stored, err := t.store(c)
	if err != nil || !stored.Changed {
		return stored, err
	}
	return stored, t.settle(c)
}

func (t *txn) store(c *change) (store.Stored, error) {
	var stored store.Stored
	var err error
	switch {
	case c.versions != nil:
		stored, err = store.DeleteVersions(t.ctx, t.tx, c.old, *c.versions, t.removal(c.run))
	case c.After == nil:
		stored, err = store.Delete(t.ctx, t.tx, c.old, t.removal(c.run))
	default:
		if c.text == nil {
			c.text = jsontree.Encode(c.After)
		}
		if err := proposal.CheckSize(c.Aspect.Name, c.text); err != nil {
			return stored, err
		}
		w := t.write(c)
		if err := t.countEdges(c, len(w.Edges)); err != nil {
			return stored, err
		}
		stored, err = store.Put(t.ctx, t.tx, c.old, w)
	}
	if err != nil {
		return stored, err
	}
	t.rows.put(c.key(), stored.New)
	if c.versions == nil || !stored.Changed {
		return stored, nil
	}
	// Only the store can determine which version has become the latest.
	c.After = nil
	if stored.New != nil {
		c.After, err = jsontree.DecodeObject(stored.New.Value)
	}
	return stored, err
}

// source is the interface that received the request, empty for changes that the service makes by
// itself.
func (t *txn) source() string { return sourceOf(t.ctx) }

func sourceOf(ctx context.Context) string {
	if caller := store.CallerOf(ctx); caller != nil {
		return caller.Door
	}
	return ""
}

// write returns the store write of a new value with the relationships that follow from it.
func (t *txn) write(c *change) store.Write {
	w := store.Write{
		Key: c.key(), Value: c.text, SchemaVersion: c.Aspect.SchemaVersion, System: c.system, Actor: t.actor.URN, Now: t.now,
		Retention: t.Retention.Of(c.Entity.Name, c.Aspect.Name), TraceID: t.options.TraceID, Source: t.source(),
	}
	for _, r := range c.rules {
		if r.Versions == nil {
			continue
		}
		if n := r.Versions(&c.Change); n > 0 && (w.Retention.MaxVersions == 0 || n < w.Retention.MaxVersions) {
			w.Retention.MaxVersions = n
		}
	}
	if w.MakesEdges = c.Aspect.MakesEdges(); w.MakesEdges {
		stamp := model.AuditStamp{Time: w.System.LastObserved, Actor: w.Actor}
		if stamp.Time == 0 {
			stamp.Time = w.Now
		}
		w.Edges = store.EdgesOf(c.Aspect, c.URN, c.After, stamp)
	}
	return w
}

// These limits bound the relationships of one batch, including those of values that it overwrites.
// All other writers wait for the transaction, which takes some microseconds per relationship.
const (
	maxBatchEdges = store.MaxEdges
	// maxOwnBatchEdges applies to values that an actor may write without a privilege because they
	// are its own.
	maxOwnBatchEdges = 20_000
)

// countEdges refuses a change that exceeds the number of relationships that the batch may write.
func (t *txn) countEdges(c *change, n int) error {
	if t.actor.System {
		return nil
	}
	counted, limit := &t.edges, maxBatchEdges
	if c.AsOwn {
		counted, limit = &t.ownEdges, maxOwnBatchEdges
	}
	if *counted += n; *counted > limit && *counted > n {
		return fault.New(fault.TooLarge, "the batch makes more than %d relationships; send it in smaller batches", limit)
	}
	return nil
}

// removal returns the actor, time, run and trace to note for removed rows.
func (t *txn) removal(run string) store.Removal {
	return store.Removal{
		Actor: t.actor.URN, Now: t.now, RunID: run, TraceID: t.options.TraceID, Edges: t.restoredEdges, Told: t.logsRemovedValue, ToldWithEntity: t.logsValueWithEntity,
	}
}

// logsRemovedValue reports whether the log entry of a removal may contain the removed value. Secret
// values are excluded, because they would outlive their removal in the log.
func (s *Service) logsRemovedValue(rec *model.Record) bool {
	spec, ok := s.Registry.Aspect(rec.Aspect)
	return ok && !spec.Secret && len(spec.Encrypted) == 0
}

// logsValueWithEntity reports whether the log entry of a removed entity contains the value of an
// aspect. It does so for aspects with relationships, for the readers of changes.
func (s *Service) logsValueWithEntity(rec *model.Record) bool {
	spec, ok := s.Registry.Aspect(rec.Aspect)
	return ok && spec.MakesEdges() && s.logsRemovedValue(rec)
}

// restoredEdges derives the relationships of a version that becomes the latest again.
func (s *Service) restoredEdges(rec *model.Record) []model.Edge {
	spec, ok := s.Registry.Aspect(rec.Aspect)
	if !ok || !spec.MakesEdges() {
		return nil
	}
	edges, err := store.RecordEdges(spec, rec)
	if err != nil {
		return nil // stored values decode; for a damaged one a read reports the error
	}
	return edges
}

// settle updates the secondary index for a stored change and carries out the derived changes.
func (t *txn) settle(c *change) error {
	if err := t.index(c); err != nil {
		return err
	}
	return t.derive(c)
}

// index replaces the terms of the value before with those of the value after.
func (t *txn) index(c *change) error {
	if c.Aspect.Timeseries {
		return nil
	}
	var before, after []store.Term
	for _, r := range c.rules {
		if r.Terms == nil {
			continue
		}
		if c.Before != nil {
			before = append(before, r.Terms(c.URN, c.Before)...)
		}
		if c.After != nil {
			after = append(after, r.Terms(c.URN, c.After)...)
		}
	}
	for _, r := range c.rules {
		if r.CreatorTerms == nil {
			continue
		}
		if c.old != nil {
			before = append(before, r.CreatorTerms(c.Before, c.old.CreatedBy)...)
		}
		if c.After == nil {
			continue
		}
		rec, err := t.rows.get(t.ctx, c.key())
		if err != nil {
			return err
		}
		after = append(after, r.CreatorTerms(c.After, rec.CreatedBy)...)
	}
	had, has := set.Of(before), set.Of(after)
	for _, term := range before {
		if !has.Has(term) {
			if err := t.tx.RemoveTerm(t.ctx, term, c.URN); err != nil {
				return err
			}
			delete(t.counts, term)
		}
	}
	for _, term := range after {
		if !had.Has(term) {
			if err := t.tx.AddTerm(t.ctx, term, c.URN); err != nil {
				return err
			}
			if counted, ok := t.counts[term]; ok {
				counted.n++
				t.counts[term] = counted
			}
		}
	}
	return nil
}

// count is the number of entities that have a term, counted up to a limit.
type count struct{ n, limit int }

// count returns the number of entities that have a term, at most limit. It looks them up once and
// again after an entity has lost the term.
func (t *txn) count(term store.Term, limit int) (int, error) {
	counted, ok := t.counts[term]
	if !ok || counted.limit < limit {
		found, err := t.tx.Lookup(t.ctx, term, "", limit)
		if err != nil {
			return 0, err
		}
		counted = count{len(found), limit}
		t.counts[term] = counted
	}
	return min(counted.n, limit), nil
}

// derive lets the rules write the changes that follow from a change. For a removal with too many
// effects for this transaction it stores a durable mark for cleanUp.
func (t *txn) derive(c *change) error {
	for _, r := range c.rules {
		if r.Cleanup != nil && c.After == nil {
			if err := t.tx.AddTerm(t.ctx, cleanupTerm(r), c.URN); err != nil {
				return err
			}
			t.cleanups = append(t.cleanups, cleanup{r, c.URN})
		}
		if r.Derive == nil {
			continue
		}
		if err := r.Derive(effects{ruleTx{t}, c}, &c.Change); err != nil {
			return err
		}
	}
	return nil
}
