package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/tracing"
	"github.com/cartulary/cartulary/pkg/urn"
)

// txn is one execution of a batch inside a transaction of the store. The store may repeat the
// transaction, so txn holds all state of the execution.
type txn struct {
	*Service
	ctx     context.Context // context of this execution: the functions of the store take none
	tx      store.Tx
	rows    *rowCache
	actor   auth.Actor
	options WriteOptions
	now     int64
	// batchKeys holds the aspects that the batch contains, so that they are not added as defaults.
	batchKeys map[store.Key]bool
	// created holds the URNs that the batch has touched; true for entities that were absent before
	// it.
	created map[urn.URN]bool
	// awaited holds the entities that derived changes wait for; nil until the first use.
	awaited map[urn.URN]bool
	// causes holds decoded values that name awaited entities, so that each is decoded once.
	causes map[*model.Record]model.Object
	// texts caches the results of rule.Tx.Texts by their latest rows.
	texts map[textsKey]texts
	// counts caches the results of rule.Tx.Count.
	counts map[store.Term]count
	done   []Written
	added  []Written
	// patched is the total size in bytes of the values that were patched inside the transaction.
	patched int
	// edges and ownEdges count the relationships that the batch has written, see countEdges.
	edges, ownEdges int
	// reported is the index of each item in done.
	reported map[*item]int
	// cleanups are the cleanups to carry out after the transaction.
	cleanups []cleanup
}

// transact runs fn in a transaction for the actor in ctx, cleans up after removals, and returns
// when all changes are durable and visible in the projections. It refuses writes in read-only mode,
// except for upgrades, and writes of programs while the throttle is on.
func (s *Service) transact(ctx context.Context, o WriteOptions, fn func(t *txn) error) error {
	return s.transactAlways(ctx, o, func(t *txn) error {
		if o.Upgrade && t.actor.System {
			return fn(t)
		}
		if err := t.checkWritable(); err != nil {
			return err
		}
		if err := t.checkThrottle(); err != nil {
			return err
		}
		return fn(t)
	})
}

// transactAlways is transact for changes that must not wait for the end of read-only mode.
func (s *Service) transactAlways(ctx context.Context, o WriteOptions, fn func(t *txn) error) (err error) {
	ctx, span := tracing.Start(ctx, "catalog change")
	defer func() { span.End(err) }()
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return fault.New(fault.Unauthenticated, "the request has no actor: sign in or send an access token")
	}
	// The authorizer applies the scope already. Services that authorize by themselves also write
	// through this function.
	if actor.Scope.ReadsOnly() {
		return fault.New(fault.Forbidden, "%s is unauthorized: its access token is read-only", actor.URN)
	}
	var pending []cleanup
	err = s.change(store.WithSize(ctx, o.totalBytes), func(tx store.Tx) error {
		t := &txn{
			// All other writers wait during the transaction, so it must not yield to other
			// requests.
			Service: s, ctx: idle.Hold(ctx), tx: tx, rows: newRowCache(tx), actor: actor, options: o, now: s.Now().UnixMilli(),
			reported: map[*item]int{}, batchKeys: map[store.Key]bool{}, created: map[urn.URN]bool{}, causes: map[*model.Record]model.Object{}, texts: map[textsKey]texts{}, counts: map[store.Term]count{},
		}
		err := fn(t)
		pending = t.cleanups
		return err
	})
	if err != nil {
		return err
	}
	return s.cleanUp(context.WithoutCancel(ctx), pending)
}

func keysOf(items []*item) map[store.Key]bool {
	carried := make(map[store.Key]bool, len(items))
	for _, it := range items {
		carried[it.Key()] = true
	}
	return carried
}

func (t *txn) run(items []*item) error {
	unmet := unmetConditions{}
	for _, it := range items {
		if err := t.ctx.Err(); err != nil {
			return err // no client waits for the batch any more, while all other writers do
		}
		if earlier := cmp.Or(it.duplicateOf, it.joinedTo); earlier != nil {
			if reason, same := unmet[earlier]; same {
				unmet[it] = reason
			} else {
				t.repeat(it, earlier)
			}
			continue
		}
		if err := t.applyItem(it); err != nil {
			if !isItemError(err) {
				return err
			}
			if t.failsLater(t.options) && fault.KindOf(err) == fault.Precondition {
				unmet[it] = err
				continue
			}
			it, err := it.failing(err)
			refused := t.itemError(it, it.Index, string(it.URN), it.Spec.Name, err)
			return &WriteError{Items: []ItemError{refused}, Async: t.options.Async}
		}
	}
	if len(unmet) > 0 {
		return unmet
	}
	return nil
}

// results lists the results of the proposals, then those of the added aspects.
func (t *txn) results() []Written { return append(t.done, t.added...) }

// repeat reports the result of an item whose change an earlier item has made, either because both
// are equal or because the earlier one carried out its patch.
func (t *txn) repeat(it, earlier *item) {
	w := t.done[t.reported[earlier]]
	w.Proposal = it.Index
	switch {
	case w.Outcome != Inserted && w.Outcome != Updated:
	case it.joinedTo != nil:
		w.Outcome = Updated
	default:
		w.Outcome = NoOp
	}
	t.reported[it] = len(t.done)
	t.done = append(t.done, w)
}

func (t *txn) report(it *item, outcome Outcome, rec *model.Record) {
	w := Written{Proposal: it.Index, URN: it.URN, Spec: it.Spec, Outcome: outcome, Record: rec}
	if it.Index < 0 {
		t.added = append(t.added, w)
		return
	}
	t.reported[it] = len(t.done)
	t.done = append(t.done, w)
}

// applyItem carries out one item and the changes that follow from it.
func (t *txn) applyItem(it *item) error {
	if it.Change == model.Delete {
		return t.deleteItem(it)
	}
	if err := t.checkNotRevoked(it.URN, it.Entity); err != nil {
		return err
	}
	if it.Existing {
		there, err := t.exists(it.URN)
		if err != nil {
			return err
		}
		if !there {
			t.report(it, Dropped, nil)
			return nil
		}
	}
	if err := t.ensure(it); err != nil {
		return err
	}
	if it.Spec.IsKey || it.Change == model.CreateEntity && !t.created[it.URN] {
		return t.keyItem(it)
	}
	if it.Spec.Timeseries {
		if err := it.checkRestored(nil, it.Value); err != nil {
			return err
		}
		return t.document(it)
	}
	old, err := t.rows.get(t.ctx, it.Key())
	if err != nil {
		return err
	}
	seen, err := t.visibleRow(it, old)
	if err != nil {
		return err
	}
	if it.Change == model.Create && seen != nil {
		return t.conflict(it, "Cannot perform CREATE since the aspect exists already")
	}
	if err := it.Conditions.Check(seen); err != nil {
		return err
	}
	if seen != old && !it.asReport {
		return t.refuseAsAbsent(it)
	}
	return t.aspect(it, old, seen)
}

// keyItem reports the result of items about the existence of the entity. The key itself was written
// when the batch first touched the entity.
func (t *txn) keyItem(it *item) error {
	rec, err := t.rows.get(t.ctx, store.Key{URN: it.URN, Aspect: it.Entity.Key.Name})
	if err != nil {
		return err
	}
	outcome, before := NoOp, rec
	if t.created[it.URN] {
		outcome, before = Inserted, nil
	}
	if before != nil && (it.Change == model.Create || it.Change == model.CreateEntity) {
		seen, err := t.visibleRow(it, before)
		if err != nil {
			return err
		}
		if seen == nil {
			return t.refuseAsAbsent(it)
		}
		return t.conflict(it, fmt.Sprintf("Cannot perform %s since the entity exists already", it.Change))
	}
	if err := it.Conditions.Check(before); err != nil {
		return err
	}
	t.report(it, outcome, rec)
	return nil
}

func (t *txn) conflict(it *item, reason string) error {
	if it.Conditions.NoneMatch {
		t.report(it, Dropped, nil)
		return nil
	}
	return fault.New(fault.Invalid, "%s", reason)
}

// aspect writes a versioned aspect: patch, rules, encryption, and then the change.
func (t *txn) aspect(it *item, old, seen *model.Record) error {
	c, err := t.prepare(it, old, seen)
	if errors.Is(err, rule.ErrUnchanged) {
		t.report(it, NoOp, old)
		return nil
	}
	if err != nil {
		return err
	}
	if err := t.encrypt(c); err != nil {
		return err
	}
	if err := keepStamps(c, it.Stamps); err != nil {
		return err
	}
	stored, err := t.carry(c)
	if err != nil {
		return err
	}
	t.report(it, outcomeOf(stored), stored.New)
	return nil
}

// keepStamps keeps the stored value if a proposal changes nothing except its stamps.
func keepStamps(c *change, stamps []string) error {
	if len(stamps) == 0 || c.old == nil {
		return nil
	}
	before, err := c.before()
	if err != nil {
		return err
	}
	if equalExcept(stamps, before, c.After) {
		c.After, c.text = before, c.old.Value
	}
	return nil
}

// equalExcept reports whether two values are equal except for some members.
func equalExcept(members []string, a, b model.Object) bool {
	return maps.EqualFunc(without(a, members), without(b, members), jsontree.Equal)
}

// without returns a copy of a value without some members.
func without(value model.Object, members []string) model.Object {
	rest := maps.Clone(value)
	for _, name := range members {
		delete(rest, name)
	}
	return rest
}

// prepare returns the change of an item, completed and allowed by the rules. Patches apply to seen,
// the visible part of the old value. The error may be rule.ErrUnchanged.
func (t *txn) prepare(it *item, old, seen *model.Record) (*change, error) {
	c := &change{
		Change: rule.Change{URN: it.URN, Entity: it.Entity, Aspect: it.Spec, After: it.Value, Patch: it.Patch, Derived: it.depth > 0, AsReport: it.asReport, AsOwn: it.asOwn, By: it.privilege,
			UniqueName: t.options.UniqueNames && it.depth == 0},
		rules: it.Rules, old: old, text: it.Text, system: it.System, depth: it.depth,
	}
	prepared := it.prepared
	switch {
	case seen == nil || seen != old:
		prepared = nil // the patch applies to the visible value instead
	case prepared == nil:
	case !prepared.isFor(old):
		return nil, errDecideAgain
	default:
		c.Before = prepared.before
	}
	if err := c.decode(); err != nil {
		return nil, err
	}
	references := it.References
	if it.Patch != nil || len(it.restored) > 0 {
		current, err := c.before()
		if err != nil {
			return nil, err
		}
		if seen == nil {
			current = nil
		}
		switch {
		case it.Patch == nil:
		case old != nil && seen == nil:
			c.After, c.text = c.Before, nil // the rules decide about the report, regardless of the patch
		default:
			if references, err = t.patch(it, c, current, prepared); err != nil {
				return nil, err
			}
		}
		if err := it.checkRestored(current, c.After); err != nil {
			return nil, err
		}
		if err := t.checkPatchMoves(it, current, c.After); err != nil {
			return nil, err
		}
	}
	if err := t.checkReferences(it.Spec, references); err != nil {
		return nil, err
	}
	if err := t.applyRules(c); err != nil {
		return nil, err
	}
	if c.Derived {
		return c, nil
	}
	return c, t.meetDemands(c, it.placing, it.writing())
}

// visibleRow returns the row that conditions and patches of an item see. This is the stored row, or
// nil in two cases: the actor may write only by a right over an entity that the item names, and
// view authorization hides the written entity from it; or the item is a report and another actor
// created the entity. In these cases a failed condition would reveal the stored value.
func (t *txn) visibleRow(it *item, old *model.Record) (*model.Record, error) {
	if old == nil || t.actor.System || it.depth > 0 || !it.decidedByTable {
		return old, nil
	}
	if it.asReport {
		creator, err := (ruleTx{t}).Creator(it.URN)
		if err == nil && creator != "" && creator != t.actor.URN {
			old = nil
		}
		return old, err
	}
	if !auth.IsOverNamed(it.privilege) {
		return old, nil
	}
	hidden, err := t.Hidden(auth.WithDecisionCache(t.ctx), []urn.URN{it.URN})
	if err == nil && hidden[0] {
		old = nil
	}
	return old, err
}

// refuseAsAbsent refuses to change a value of a hidden entity with the same error as if it were
// absent.
func (t *txn) refuseAsAbsent(it *item) error {
	if _, err := t.prepare(it, nil, nil); err != nil && !errors.Is(err, rule.ErrUnchanged) {
		return err
	}
	return fault.New(fault.Forbidden, "%s is unauthorized to change %s of %s", t.actor.URN, it.Spec.Name, it.URN)
}

// applyRules lets the rules complete the value and, unless a rule derived it, refuse it.
func (t *txn) applyRules(c *change) error {
	proposed := c.After
	for _, r := range c.rules {
		if r.Adjust == nil {
			continue
		}
		if err := r.Adjust(ruleTx{t}, &c.Change); err != nil {
			return err
		}
	}
	if !sameObject(proposed, c.After) {
		c.text = nil
	}
	if c.Derived {
		return nil
	}
	for _, r := range c.rules {
		if r.Validate == nil {
			continue
		}
		if err := r.Validate(ruleTx{t}, &c.Change); err != nil {
			return err
		}
	}
	return nil
}

// sameObject reports whether two objects are identical, not whether they are equal.
func sameObject(a, b model.Object) bool {
	return reflect.ValueOf(a).UnsafePointer() == reflect.ValueOf(b).UnsafePointer()
}

func outcomeOf(s store.Stored) Outcome {
	switch {
	case !s.Changed:
		return NoOp
	case s.Old == nil:
		return Inserted
	}
	return Updated
}

// checkReferences refuses references to absent entities where the model requires existing ones.
// Entities created by earlier items of the batch count as existing.
func (t *txn) checkReferences(spec *model.AspectSpec, references []model.Reference) error {
	for _, ref := range references {
		there, err := t.exists(ref.URN)
		if err != nil {
			return err
		}
		if !there {
			return fault.New(fault.Invalid, "%s: %s :: must be the URN of an entity that exists, found %q", spec.Name, ref.Path, ref.URN)
		}
	}
	return nil
}

// exists reports whether the key aspect is stored; soft-deleted entities count.
func (t *txn) exists(u urn.URN) (bool, error) {
	key, err := t.keyOf(u)
	return key != nil, err
}

// keyOf returns the row of the key aspect of an entity, nil if the entity is absent.
func (t *txn) keyOf(u urn.URN) (*model.Record, error) {
	entity, ok := t.Service.Registry.Entity(u.Type())
	if !ok {
		return nil, nil
	}
	return t.rows.get(t.ctx, store.Key{URN: u, Aspect: entity.Key.Name})
}

// removed reports whether an entity is soft-deleted.
func (t *txn) removed(u urn.URN) (bool, error) {
	mark := t.Service.Registry.SoftDelete()
	value, err := t.read(u, mark.Name)
	return jsontree.Bool(value, mark.SoftDelete), err
}

// read returns the stored value of an aspect, nil if it is absent. The caller owns it.
func (t *txn) read(u urn.URN, aspect string) (model.Object, error) {
	rec, err := t.rows.get(t.ctx, store.Key{URN: u, Aspect: aspect})
	if err != nil || rec == nil {
		return nil, err
	}
	return jsontree.DecodeObject(rec.Value)
}

// textsKey identifies a member of the objects in a list of an aspect.
type textsKey struct {
	store.Key
	list, member string
}

// texts are the texts found in one row.
type texts struct {
	rec *model.Record
	set map[string]bool
}

// textsOf returns the texts in the latest row. A new row replaces the cached texts.
func (t *txn) textsOf(key textsKey) (map[string]bool, error) {
	rec, err := t.rows.get(t.ctx, key.Key)
	if err != nil || rec == nil {
		return nil, err
	}
	if known := t.texts[key]; known.rec == rec {
		return known.set, nil
	}
	value, err := jsontree.DecodeObject(rec.Value)
	if err != nil {
		return nil, err
	}
	found := texts{rec, map[string]bool{}}
	for _, o := range jsontree.Children(value, key.list) {
		found.set[jsontree.Text(o, key.member)] = true
	}
	t.texts[key] = found
	return found.set, nil
}

// isItemError reports whether err is about a proposal rather than about the service.
func isItemError(err error) bool {
	switch fault.KindOf(err) {
	case fault.Malformed, fault.Invalid, fault.Forbidden, fault.Precondition, fault.Conflict, fault.TooLarge, fault.Unsupported:
		return !errors.Is(err, context.Canceled)
	}
	return false
}
