package catalog

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/proposal"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/tracing"
	"github.com/cartulary/cartulary/pkg/urn"
)

// item is a proposal on its way through the catalog. Once checked it is not
// changed: the transaction may run more than once.
type item struct {
	proposal.Item
	proposal *Proposal // until the item is checked
	// duplicateOf is the last earlier item of the batch for the same aspect when that asks for
	// exactly the same: doing it twice would count as a change, or a no-op, that nobody made.
	duplicateOf *item
	// joinedTo is the earlier item that carries out the patch of this one, and joined are those that
	// this one carries out besides its own, in order.
	joinedTo *item
	joined   []*item
	// operations is how many of the operations of the patch are the item's own.
	operations int
	// prepared is what the patch makes of the value that was stored before the transaction; nil for others.
	prepared *patchResult
	// judged is set when the item was decided by the table of privileges.
	judged bool
	// by is the privilege by which the table permits the item, empty when it was not judged.
	by auth.Privilege
	// placing is where the batch puts the entity.
	placing placing
	// report is set when the actor may write the item only as a report of its own pipeline.
	report bool
	// own is set when the actor may write the item only since it is its own, see auth.Decision.AsOwn.
	own bool
	// restored are URNs of restricted entities that the value names.
	restored []urn.URN
	// depth is how many derived changes led here; a proposal has 0.
	depth int
}

// writing is the way in which the item came about, which says what rights the change takes.
func (it *item) writing() rule.Writing {
	if it.judged {
		return rule.ByTable
	}
	return rule.ByService
}

// Write carries out a batch, all or nothing, and returns when it is durable and
// the projections show it. Results come in the order of the proposals, followed
// by what the service added by itself.
//
// When proposals are refused the error is a *WriteError and nothing was
// written. With WriteOptions.Traced, proposals whose conditions fail are Failed, and all others are
// written. The actor in ctx must be set.
func (s *Service) Write(ctx context.Context, proposals []Proposal, o WriteOptions) ([]Written, error) {
	return s.write(ctx, proposals, o, proposal.Writer{})
}

func (s *Service) write(ctx context.Context, proposals []Proposal, o WriteOptions, by proposal.Writer) (done []Written, err error) {
	ctx, span := tracing.Start(ctx, "catalog write")
	defer func() { span.End(err) }()
	span.Count("cartulary.proposals", len(proposals))
	if _, ok := auth.ActorFrom(ctx); !ok {
		return nil, fault.New(fault.Unauthenticated, "who writes is not known")
	}
	if len(proposals) == 0 {
		return nil, nil
	}
	items, unreadable := s.read(proposals, by)
	on, err := s.authorizeWrite(ctx, items, o, by)
	if err != nil {
		return nil, err
	}
	refused, err := s.check(ctx, items)
	if err != nil {
		return nil, err
	}
	if refused = append(unreadable, refused...); len(refused) > 0 {
		slices.SortFunc(refused, func(a, b ItemError) int { return cmp.Compare(a.Index, b.Index) })
		return nil, &WriteError{Items: refused, Async: o.Async}
	}
	markDuplicates(items)
	joinPatches(items)
	return s.carryOut(ctx, items, on, o, by)
}

// carryOut commits items that were decided about, and decides again while others change
// what the decisions depend on.
func (s *Service) carryOut(ctx context.Context, items []*item, on basis, o WriteOptions, by proposal.Writer) ([]Written, error) {
	var failed []Written
	for attempt := 1; ; attempt++ {
		written, err := s.commit(ctx, items, on, o, attempt < decideAttempts)
		var unmet unmetConditions
		switch {
		case errors.As(err, &unmet):
			var left []Written
			if items, left, err = s.leaveOut(ctx, items, unmet, o); err != nil {
				return nil, err
			}
			if failed = append(failed, left...); len(items) == 0 {
				return failed, nil
			}
		case !errors.Is(err, errDecideAgain):
			if err == nil && failed != nil {
				written = withFailed(written, failed)
			}
			return written, err
		}
		if attempt == decideAttempts {
			return nil, fault.New(fault.Unavailable, "what decides about this write is changed by others all the time; try again")
		}
		if on, err = s.authorizeWrite(ctx, items, o, by); err != nil {
			return nil, err
		}
	}
}

// decideAttempts is how often a batch is decided about while others change what
// the decision depends on.
const decideAttempts = 20

// errDecideAgain ends a transaction in which decisions do not hold any more.
var errDecideAgain = errors.New("what decisions depend on has changed")

// basis is what decisions about a batch depend on: the sequences of the last
// changes of those rows, 0 for rows that were absent.
type basis map[store.Key]uint64

// addBasis reads what the decisions about some entities depend on, where on does not have
// it. Decisions about an entity that does not exist depend on its absence.
func (s *Service) addBasis(ctx context.Context, on basis, items []*item, born map[urn.URN]uint64) error {
	// A decision about an entity that is deleted meanwhile would create it again.
	for _, it := range items {
		on[store.Key{URN: it.URN, Aspect: it.Entity.Key.Name}] = born[it.URN]
	}
	deciding := s.Authorizer.Deciding()
	if len(deciding) == 0 {
		return nil
	}
	var keys []store.Key
	add := func(u urn.URN, entity *model.EntitySpec) {
		for _, aspect := range deciding {
			if _, carries := entity.Aspect(aspect); !carries {
				continue
			}
			key := store.Key{URN: u, Aspect: aspect}
			if _, known := on[key]; !known {
				on[key] = 0
				keys = append(keys, key)
			}
		}
	}
	for _, it := range items {
		add(it.URN, it.Entity)
		if whole := wholeOf(it.URN); whole != it.URN {
			if entity, known := s.Registry.Entity(whole.Type()); known {
				add(whole, entity)
			}
		}
	}
	if len(keys) == 0 {
		return nil
	}
	records, err := s.Store.Get(ctx, keys...)
	if err != nil {
		return err
	}
	for i, rec := range records {
		if rec != nil {
			on[keys[i]] = rec.Sequence
		}
	}
	return nil
}

// checkBasis refuses to go on with decisions that were made about another state
// than that which the transaction finds.
func (t *txn) checkBasis(on basis) error {
	if err := t.rows.load(t.ctx, slices.Collect(maps.Keys(on))); err != nil {
		return err
	}
	for key, sequence := range on {
		rec, err := t.rows.get(t.ctx, key)
		if err != nil {
			return err
		}
		if rec == nil && sequence != 0 || rec != nil && rec.Sequence != sequence {
			return errDecideAgain
		}
	}
	return nil
}

// read makes items of proposals, with the facts that decisions about them need. These exclude
// values, except where these say which domains an entity comes into. Proposals that cannot be
// read are refused.
func (s *Service) read(proposals []Proposal, by proposal.Writer) (items []*item, refused []ItemError) {
	reader := s.reader()
	items = make([]*item, 0, len(proposals))
	for i := range proposals {
		it := &item{proposal: &proposals[i]}
		err := reader.Read(&it.Item, it.proposal, by)
		if err == nil && it.bringsDomains() {
			err = s.readValue(reader, it)
		}
		if err != nil {
			refused = append(refused, s.refused(it, i, proposals[i].URN, proposals[i].Aspect, err))
			continue
		}
		it.Index = i
		items = append(items, it)
	}
	return items, refused
}

// readValue decodes the value of an item, in which the URNs of restricted entities are turned
// back. A second call does nothing.
func (s *Service) readValue(reader proposal.Reader, it *item) error {
	if it.Change == model.Delete || it.Text != nil {
		return nil
	}
	p, restored, err := s.restore(it.proposal, WithinAspect(it.URN, it.Spec.Name))
	if err != nil {
		return err
	}
	it.restored = restored
	return reader.ReadValue(&it.Item, p)
}

func (s *Service) reader() proposal.Reader {
	return proposal.Reader{Registry: s.Registry, Rules: s.Rules}
}

// bringsDomains reports whether rules find domains in the value of an item.
func (it *item) bringsDomains() bool {
	return it.Change != model.Delete && slices.ContainsFunc(it.Rules, func(r *rule.Rule) bool { return r.Domains != nil })
}

// check reads the values of items that the actor may write and asks the rules that need the
// proposals alone. Decisions come first, as a value can be made so that it takes long to read
// or to check. The error is that of ctx.
func (s *Service) check(ctx context.Context, items []*item) (refused []ItemError, err error) {
	reader := s.reader()
	for _, it := range items {
		err := s.readValue(reader, it)
		if err == nil {
			err = reader.Check(ctx, &it.Item)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			refused = append(refused, s.refused(it, it.Index, it.proposal.URN, it.proposal.Aspect, err))
		}
		it.proposal = nil
	}
	return refused, nil
}

// markDuplicates finds items that repeat an earlier one.
func markDuplicates(items []*item) {
	latest := make(map[store.Key]*item, len(items))
	deleted := map[urn.URN]int{} // place of the last deletion of the entity
	last := map[urn.URN]*item{}  // of the entity
	for i, it := range items {
		removesEntity := it.Change == model.Delete && it.Spec.IsKey
		before := latest[it.Key()]
		// What was written in between has made the entity anew: it is to be deleted again.
		if before != nil && before.Same(&it.Item) && before.Index >= deleted[it.URN] && (!removesEntity || last[it.URN] == before) {
			it.duplicateOf = before
		}
		latest[it.Key()], last[it.URN] = it, it
		if removesEntity {
			deleted[it.URN] = i
		}
	}
}

// authorizeWrite asks the authorizer for every item: to create what is absent,
// to update what is there or is patched, to delete. It gives what its decisions
// depend on.
func (s *Service) authorizeWrite(ctx context.Context, items []*item, o WriteOptions, by proposal.Writer) (basis, error) {
	if by.Managed {
		return nil, nil
	}
	if actor, _ := auth.ActorFrom(ctx); actor.System {
		return nil, nil
	}
	placings, err := s.placings(ctx, items)
	if err != nil {
		return nil, err
	}
	// What was decided earlier in the request may rest on another state than the one that the
	// transaction is held to.
	ctx, on := auth.WithDecisionCache(ctx), basis{}
	for done := 0; done < len(items); {
		part := items[done:min(done+authorizedAtOnce, len(items))]
		done += len(part)
		refused, err := s.authorizePart(ctx, part, placings, o.Decisions, on)
		if err != nil {
			return nil, err
		}
		if refused != nil {
			return nil, &WriteError{Items: refused, Undecided: len(items) - done, Async: o.Async}
		}
	}
	return on, nil
}

// authorizedAtOnce is of how many items the authorizer is asked in one call. A batch is decided
// up to the first call that refuses an item: the remaining decisions would take time and memory
// and change nothing.
const authorizedAtOnce = 500

// authorizePart asks the authorizer for some items of a batch, unless decisions cover them, and
// adds to on what its decisions depend on.
func (s *Service) authorizePart(ctx context.Context, items []*item, placings map[*item]placing, covering auth.Decisions, on basis) (refused []ItemError, err error) {
	born, err := s.born(ctx, items)
	if err != nil {
		return nil, err
	}
	actor, _ := auth.ActorFrom(ctx)
	asked, checks := make([]*item, 0, len(items)), make([]auth.Check, 0, len(items))
	for _, it := range items {
		it.placing = placings[it]
		op := operationOf(it, born[it.URN] != 0 && !it.placing.anew)
		if it.own = covering.CoverAsOwn(actor.URN, op, it.URN, it.Spec.Name); !it.own && !covering.Cover(actor.URN, op, it.URN, it.Spec.Name) {
			check := auth.On(op, it.URN, it.Spec.Name)
			check.Domains, check.Anew, check.WholeAnew = it.placing.domains, it.placing.anew, it.placing.wholeAnew
			check.Named = len(covering) == 0 // a service may write what the caller has not named
			asked, checks = append(asked, it), append(checks, check)
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	if err := s.addBasis(ctx, on, asked, born); err != nil {
		return nil, err
	}
	decisions, err := s.Authorizer.Decide(ctx, checks)
	if err != nil {
		return nil, err
	}
	for i, it := range asked {
		it.judged, it.own = true, decisions[i].AsOwn(it.URN)
		it.by = decisions[i].Privilege()
		if err := decisions[i].Err(); err != nil {
			refused = append(refused, s.refused(it, it.Index, string(it.URN), it.Spec.Name, err))
		}
		// Whoever does not manage ingestion writes about it as reports of its own pipelines alone.
		it.report = decisions[i].Privilege() == auth.Own && auth.Reports(it.URN, it.Spec.Name)
	}
	return refused, nil
}

// wholeOf returns the entity by whose domains the right over another one is judged: the
// dataset of a column, or the entity itself.
func wholeOf(u urn.URN) urn.URN {
	if u.Type() == model.ColumnType {
		return model.ParentOfColumn(u)
	}
	return u
}

// placing is where a batch puts an entity that it creates.
type placing struct {
	// domains are those that it proposes for the entity, or for the dataset of a column.
	domains []urn.URN
	// anew is set after the batch has deleted the entity, wholeAnew after it has deleted the dataset of a column.
	anew, wholeAnew bool
}

// deletions count how often a batch has deleted the entity of an item before the item, and the dataset of a column.
// For other entities both are the same.
type deletions struct{ entity, whole int }

// life is an entity after it was deleted so many times in a batch.
type life struct {
	urn     urn.URN
	deleted int
}

// placings returns where a batch puts each item that concerns an entity which it creates.
// Policies over the domains that it proposes count for the creation. For an entity that exists they do
// not: an actor could otherwise take over any entity without a domain, or delete it, by
// proposing a domain of its own in the same batch. Those of a column never count:
// a column of any dataset may be new in the catalog. An entity that the batch deletes is created by
// what follows: what was stored of it does not count then.
func (s *Service) placings(ctx context.Context, items []*item) (map[*item]placing, error) {
	lives := livesIn(items)
	domains, err := s.proposedDomains(ctx, items, lives)
	if err != nil || len(domains) == 0 && lives == nil {
		return nil, err
	}
	placings := map[*item]placing{}
	for _, it := range items {
		deleted, whole := lives[it], wholeOf(it.URN)
		p := placing{domains: domains[life{whole, deleted.whole}], anew: deleted.entity > 0, wholeAnew: whole != it.URN && deleted.whole > 0}
		if p.anew || p.wholeAnew || len(p.domains) > 0 {
			placings[it] = p
		}
	}
	return placings, nil
}

// livesIn tells of each item how often the batch has deleted before what it concerns, nil where it deletes no
// entity.
func livesIn(items []*item) map[*item]deletions {
	var lives map[*item]deletions
	deleted := map[urn.URN]int{}
	for _, it := range items {
		if n := (deletions{deleted[it.URN], deleted[wholeOf(it.URN)]}); n != (deletions{}) {
			if lives == nil {
				lives = map[*item]deletions{}
			}
			lives[it] = n
		}
		if it.Change == model.Delete && it.Spec.IsKey {
			deleted[it.URN]++
		}
	}
	return lives
}

// proposedDomains returns the domains that a batch gives to each entity it creates.
func (s *Service) proposedDomains(ctx context.Context, items []*item, lives map[*item]deletions) (map[life][]urn.URN, error) {
	bringing := slices.DeleteFunc(slices.Clone(items), func(it *item) bool { return !it.bringsDomains() })
	if len(bringing) == 0 {
		return nil, nil
	}
	born, err := s.born(ctx, bringing)
	if err != nil {
		return nil, err
	}
	var domains map[life][]urn.URN
	for _, it := range bringing {
		in := life{it.URN, lives[it].entity}
		if born[it.URN] != 0 && in.deleted == 0 {
			continue
		}
		for _, r := range it.Rules {
			if r.Domains == nil {
				continue
			}
			value := it.Value
			if it.Patch != nil {
				var err error
				if value, err = s.patched(ctx, it, in.deleted > 0); err != nil {
					return nil, err
				}
			}
			if domains == nil {
				domains = map[life][]urn.URN{}
			}
			domains[in] = append(domains[in], r.Domains(value)...)
		}
	}
	return domains, nil
}

// patched is what a patch makes of what is stored now, or of nothing for an entity that is created anew; nil where
// it does not fit, which the transaction tells.
func (s *Service) patched(ctx context.Context, it *item, anew bool) (model.Object, error) {
	records, err := s.Store.Get(ctx, it.Key())
	if err != nil {
		return nil, err
	}
	var current model.Object
	if records[0] != nil && !anew {
		if current, err = jsontree.DecodeObject(records[0].Value); err != nil {
			return nil, err
		}
	}
	value, err := it.Patch.Apply(it.Spec, masked(it.Spec, current), model.Object{"time": jsontree.Number(0), "actor": string(model.SystemActor)})
	if err != nil {
		return nil, nil //nolint:nilerr // the transaction refuses it
	}
	return value, nil
}

func operationOf(it *item, exists bool) auth.Operation {
	switch {
	case it.Change == model.Delete:
		return auth.OpDelete
	case exists, it.Change == model.Patch, it.Change == model.Create:
		return auth.OpUpdate
	}
	return auth.OpCreate
}

// born gives of each entity the position in the log at which its key was written, 0 for one that is absent.
func (s *Service) born(ctx context.Context, items []*item) (map[urn.URN]uint64, error) {
	born := make(map[urn.URN]uint64, len(items))
	keys := make([]store.Key, 0, len(items))
	for _, it := range items {
		if _, seen := born[it.URN]; !seen {
			born[it.URN] = 0
			keys = append(keys, store.Key{URN: it.URN, Aspect: it.Entity.Key.Name})
		}
	}
	records, err := s.Store.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	for _, rec := range records {
		if rec != nil {
			born[rec.URN] = rec.Sequence
		}
	}
	return born, nil
}

// commit runs the items in one transaction and waits for the projections. The error may be
// errDecideAgain. Patches of large values are applied before, if prepare is set.
func (s *Service) commit(ctx context.Context, items []*item, on basis, o WriteOptions, prepare bool) ([]Written, error) {
	var written []Written
	carried := carriedBy(items)
	patched, err := s.preparePatches(ctx, items)
	if err != nil {
		return nil, err
	}
	if !prepare {
		forgetPrepared(items)
	}
	o.sent = bytesOf(items)
	o.bytes = o.sent + patched + bytesOfPairs(items)
	err = s.transact(ctx, o, func(t *txn) error {
		t.carried = carried
		if err := t.checkBasis(on); err != nil {
			return err
		}
		if err := t.prefetch(items); err != nil {
			return err
		}
		if err := t.run(items); err != nil {
			return err
		}
		written = t.results()
		return maskWritten(written)
	})
	return written, err
}

// bytesOf is how much text the values and patches of some items hold.
func bytesOf(items []*item) (bytes int) {
	for _, it := range items {
		bytes += len(it.Text)
	}
	return bytes
}

// bytesOfPair is about how many bytes the store writes for a pair of columns of fine-grained lineage.
const bytesOfPair = 32

// bytesOfPairs is how much the pairs of columns take that some items connect: most of what a short text may write.
func bytesOfPairs(items []*item) (bytes int) {
	for _, it := range items {
		if it.Spec.MakesEdges() {
			bytes += bytesOfPair * model.LineagePairs(it.Value)
		}
	}
	return bytes
}

// change runs fn in the store and waits for the projections that what it logs concerns.
func (s *Service) change(ctx context.Context, fn func(store.Tx) error) error {
	var logged map[store.EntryKind]bool
	done, err := s.Store.Update(ctx, func(tx store.Tx) error {
		logged = map[store.EntryKind]bool{} // it may run again
		return fn(loggedKinds{tx, logged})
	})
	if err != nil || done.Last == 0 {
		return err
	}
	defer auth.ForgetDecisions(ctx) // what was written may decide otherwise
	_, span := tracing.Start(ctx, "wait for projections")
	err = s.Follower.Wait(ctx, done.Last, slices.Collect(maps.Keys(logged))...)
	span.End(err)
	if err != nil {
		// The change is durable. That it is not yet visible everywhere is a matter of the
		// projections, which report it on /health; the writer must not repeat it for that.
		s.Log.WarnContext(ctx, "answered before the projections caught up", "sequence", done.Last, "error", err)
	}
	return nil
}

// loggedKinds notes which kinds of entries a transaction logs.
type loggedKinds struct {
	store.Tx
	kinds map[store.EntryKind]bool
}

func (t loggedKinds) Append(ctx context.Context, entry store.Entry) (uint64, error) {
	t.kinds[entry.Kind] = true
	return t.Tx.Append(ctx, entry)
}
