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

// item is a proposal within the catalog. It does not change after its check, because the
// transaction may run more than once.
type item struct {
	proposal.Item
	proposal *Proposal // nil after the check
	// duplicateOf is the last earlier item of the batch for the same aspect, if both request
	// exactly the same change. Executing it twice would report a change, or a no-op, that no client
	// requested.
	duplicateOf *item
	// joinedTo is the earlier item that carries out the patch of this item. joined are the items
	// whose patches this item carries out after its own, in order.
	joinedTo *item
	joined   []*item
	// operations is the number of operations of the patch that are the item's own.
	operations int
	// prepared is the result of the patch, applied before the transaction to the value stored then;
	// nil for other items.
	prepared *patchResult
	// decidedByTable is set if the privilege table decided about the item.
	decidedByTable bool
	// privilege is the privilege by which the table permits the item, empty if the table did not
	// decide.
	privilege auth.Privilege
	// placing is where the batch places the entity.
	placing placing
	// asReport is set if the actor may write the item only as a report of its own pipeline.
	asReport bool
	// asOwn is set if the actor may write the item only because it owns it, see auth.Decision.AsOwn.
	asOwn bool
	// restored are the hidden URNs that restricted URNs in the value stood for.
	restored []urn.URN
	// depth is the length of the chain of derived changes that led here; 0 for a proposal.
	depth int
}

// writing is the kind of writing, which determines the rights that the change requires.
func (it *item) writing() rule.Writing {
	if it.decidedByTable {
		return rule.ByTable
	}
	return rule.ByService
}

// Write carries out a batch, all or nothing, and returns when it is durable and the projections
// show it. Results come in the order of the proposals, followed by the aspects that the service
// added. Encrypted members in them are masked.
//
// If proposals are refused, the error is a *WriteError and nothing was written. In an asynchronous
// batch with WriteOptions.Traced and a TraceID, proposals whose conditions fail are Failed, and all
// others are written, provided that the Service has Failures. The actor in ctx must be set;
// otherwise the error is fault.Unauthenticated.
func (s *Service) Write(ctx context.Context, proposals []Proposal, o WriteOptions) ([]Written, error) {
	return s.write(ctx, proposals, o, proposal.Writer{})
}

func (s *Service) write(ctx context.Context, proposals []Proposal, o WriteOptions, by proposal.Writer) (done []Written, err error) {
	ctx, span := tracing.Start(ctx, "catalog write")
	defer func() { span.End(err) }()
	span.Count("cartulary.proposals", len(proposals))
	if _, ok := auth.ActorFrom(ctx); !ok {
		return nil, fault.New(fault.Unauthenticated, "the request has no actor: sign in or send an access token")
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

// carryOut commits authorized items, and repeats the authorization when other writers change the
// data that the decisions depend on.
func (s *Service) carryOut(ctx context.Context, items []*item, on basis, o WriteOptions, by proposal.Writer) ([]Written, error) {
	var failed []Written
	for attempt := 1; ; attempt++ {
		written, err := s.commit(ctx, items, on, o, attempt < decideAttempts)
		var unmet unmetConditions
		switch {
		case errors.As(err, &unmet):
			var left []Written
			if items, left, err = s.excludeUnmet(ctx, items, unmet, o); err != nil {
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
			return nil, fault.New(fault.Unavailable, "other writers repeatedly changed data that decides about this write; try again")
		}
		if on, err = s.authorizeWrite(ctx, items, o, by); err != nil {
			return nil, err
		}
	}
}

// decideAttempts is the maximum number of attempts of a batch while other writers change the data
// that its decisions depend on.
const decideAttempts = 20

// errDecideAgain ends a transaction in which decisions no longer hold.
var errDecideAgain = errors.New("the data that decisions depend on has changed")

// basis holds the rows that decisions about a batch depend on, with the sequences of their last
// changes, 0 for absent rows.
type basis map[store.Key]uint64

// addBasis adds to on the rows that decisions about some entities depend on. Decisions about an
// absent entity depend on its absence.
func (s *Service) addBasis(ctx context.Context, on basis, items []*item, sequences map[urn.URN]uint64) error {
	// If an entity is deleted after the decision, the write would create it again.
	for _, it := range items {
		on[store.Key{URN: it.URN, Aspect: it.Entity.Key.Name}] = sequences[it.URN]
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

// checkBasis returns errDecideAgain if the state in the transaction differs from the one that the
// decisions were made about.
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

// read converts proposals to items with the facts that decisions about them need. It reads values
// only if they determine the domains of an entity. It refuses proposals that cannot be read.
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
			refused = append(refused, s.itemError(it, i, proposals[i].URN, proposals[i].Aspect, err))
			continue
		}
		it.Index = i
		items = append(items, it)
	}
	return items, refused
}

// readValue decodes the value of an item and restores the hidden URNs in it. A second call does
// nothing.
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

// check reads the values of items that the actor may write and applies the rules that need only the
// proposal. It runs after the decisions, because a value can be crafted so that reading or checking
// it takes long. The error is that of ctx.
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
			refused = append(refused, s.itemError(it, it.Index, it.proposal.URN, it.proposal.Aspect, err))
		}
		it.proposal = nil
	}
	return refused, nil
}

// markDuplicates marks items that repeat an earlier one.
func markDuplicates(items []*item) {
	latest := make(map[store.Key]*item, len(items))
	deleted := map[urn.URN]int{} // index of the last deletion of the entity
	last := map[urn.URN]*item{}  // last item of the entity
	for i, it := range items {
		removesEntity := it.Change == model.Delete && it.Spec.IsKey
		before := latest[it.Key()]
		// An item in between has created the entity again, so it must be deleted again.
		if before != nil && before.Same(&it.Item) && before.Index >= deleted[it.URN] && (!removesEntity || last[it.URN] == before) {
			it.duplicateOf = before
		}
		latest[it.Key()], last[it.URN] = it, it
		if removesEntity {
			deleted[it.URN] = i
		}
	}
}

// authorizeWrite asks the authorizer about every item: to create an absent aspect, to update a
// stored or patched one, to delete. It returns the rows that its decisions depend on.
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
	// Earlier decisions of the request may rest on a state other than the one that the transaction
	// checks.
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

// authorizedAtOnce is the number of items in one call of the authorizer. A batch is decided up to
// the first call that refuses an item: the remaining decisions would take time and memory without
// changing the result.
const authorizedAtOnce = 500

// authorizePart asks the authorizer about some items of a batch, unless decisions cover them, and
// adds to on the rows that the new decisions depend on.
func (s *Service) authorizePart(ctx context.Context, items []*item, placings map[*item]placing, covering auth.Decisions, on basis) (refused []ItemError, err error) {
	sequences, err := s.keySequences(ctx, items)
	if err != nil {
		return nil, err
	}
	actor, _ := auth.ActorFrom(ctx)
	asked, checks := make([]*item, 0, len(items)), make([]auth.Check, 0, len(items))
	for _, it := range items {
		it.placing = placings[it]
		op := operationOf(it, sequences[it.URN] != 0 && !it.placing.anew)
		if it.asOwn = covering.CoverAsOwn(actor.URN, op, it.URN, it.Spec.Name); !it.asOwn && !covering.Cover(actor.URN, op, it.URN, it.Spec.Name) {
			check := auth.On(op, it.URN, it.Spec.Name)
			check.Domains, check.Anew, check.WholeAnew = it.placing.domains, it.placing.anew, it.placing.wholeAnew
			check.Named = len(covering) == 0 // a service may write aspects that the client has not named
			asked, checks = append(asked, it), append(checks, check)
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	if err := s.addBasis(ctx, on, asked, sequences); err != nil {
		return nil, err
	}
	decisions, err := s.Authorizer.Decide(ctx, checks)
	if err != nil {
		return nil, err
	}
	for i, it := range asked {
		it.decidedByTable, it.asOwn = true, decisions[i].AsOwn(it.URN)
		it.privilege = decisions[i].Privilege()
		if err := decisions[i].Err(); err != nil {
			refused = append(refused, s.itemError(it, it.Index, string(it.URN), it.Spec.Name, err))
		}
		// An actor without the right to manage ingestion may write about it only reports of its own
		// pipelines.
		it.asReport = decisions[i].Privilege() == auth.Own && auth.Reports(it.URN, it.Spec.Name)
	}
	return refused, nil
}

// wholeOf returns the entity whose domains determine the rights over another one: the dataset of a
// column, or the entity itself.
func wholeOf(u urn.URN) urn.URN {
	if u.Type() == model.ColumnType {
		return model.ParentOfColumn(u)
	}
	return u
}

// placing is where a batch places an entity that it creates.
type placing struct {
	// domains are the proposed domains of the entity, or of the dataset of a column.
	domains []urn.URN
	// anew is set after the batch has deleted the entity, wholeAnew after it has deleted the
	// dataset of a column.
	anew, wholeAnew bool
}

// deletions count how often a batch has deleted the entity of an item before the item, and the
// dataset of a column. For other entities both counts are equal.
type deletions struct{ entity, whole int }

// incarnation identifies an entity after a number of deletions in a batch.
type incarnation struct {
	urn     urn.URN
	deleted int
}

// placings returns the placing of each item whose entity the batch creates. Policies over the
// proposed domains apply to the creation. They do not apply to an existing entity: otherwise an
// actor could take over or delete any entity without a domain by proposing a domain of its own in
// the same batch. The proposed domains of a column never apply, because a column of any dataset may
// be new in the catalog. If the batch deletes an entity, later items create it; its stored data no
// longer counts then.
func (s *Service) placings(ctx context.Context, items []*item) (map[*item]placing, error) {
	deletionsBefore := deletionsByItem(items)
	domains, err := s.proposedDomains(ctx, items, deletionsBefore)
	if err != nil || len(domains) == 0 && deletionsBefore == nil {
		return nil, err
	}
	placings := map[*item]placing{}
	for _, it := range items {
		deleted, whole := deletionsBefore[it], wholeOf(it.URN)
		p := placing{domains: domains[incarnation{whole, deleted.whole}], anew: deleted.entity > 0, wholeAnew: whole != it.URN && deleted.whole > 0}
		if p.anew || p.wholeAnew || len(p.domains) > 0 {
			placings[it] = p
		}
	}
	return placings, nil
}

// deletionsByItem returns for each item how often the batch has deleted its entity before, nil if it
// deletes no entity.
func deletionsByItem(items []*item) map[*item]deletions {
	var before map[*item]deletions
	deleted := map[urn.URN]int{}
	for _, it := range items {
		if n := (deletions{deleted[it.URN], deleted[wholeOf(it.URN)]}); n != (deletions{}) {
			if before == nil {
				before = map[*item]deletions{}
			}
			before[it] = n
		}
		if it.Change == model.Delete && it.Spec.IsKey {
			deleted[it.URN]++
		}
	}
	return before
}

// proposedDomains returns the domains that a batch gives to each entity it creates.
func (s *Service) proposedDomains(ctx context.Context, items []*item, deletionsBefore map[*item]deletions) (map[incarnation][]urn.URN, error) {
	bringing := slices.DeleteFunc(slices.Clone(items), func(it *item) bool { return !it.bringsDomains() })
	if len(bringing) == 0 {
		return nil, nil
	}
	sequences, err := s.keySequences(ctx, bringing)
	if err != nil {
		return nil, err
	}
	var domains map[incarnation][]urn.URN
	for _, it := range bringing {
		in := incarnation{it.URN, deletionsBefore[it].entity}
		if sequences[it.URN] != 0 && in.deleted == 0 {
			continue
		}
		for _, r := range it.Rules {
			if r.Domains == nil {
				continue
			}
			value := it.Value
			if it.Patch != nil {
				var err error
				if value, err = s.patchedValue(ctx, it, in.deleted > 0); err != nil {
					return nil, err
				}
			}
			if domains == nil {
				domains = map[incarnation][]urn.URN{}
			}
			domains[in] = append(domains[in], r.Domains(value)...)
		}
	}
	return domains, nil
}

// patchedValue returns the result of a patch on the value stored now, or on an absent value for an
// entity that is created anew. It returns nil if the patch does not fit, which the transaction
// reports.
func (s *Service) patchedValue(ctx context.Context, it *item, anew bool) (model.Object, error) {
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

// keySequences returns for each entity the sequence of the log entry that wrote its key, 0 for an
// absent one.
func (s *Service) keySequences(ctx context.Context, items []*item) (map[urn.URN]uint64, error) {
	sequences := make(map[urn.URN]uint64, len(items))
	keys := make([]store.Key, 0, len(items))
	for _, it := range items {
		if _, seen := sequences[it.URN]; !seen {
			sequences[it.URN] = 0
			keys = append(keys, store.Key{URN: it.URN, Aspect: it.Entity.Key.Name})
		}
	}
	records, err := s.Store.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	for _, rec := range records {
		if rec != nil {
			sequences[rec.URN] = rec.Sequence
		}
	}
	return sequences, nil
}

// commit runs the items in one transaction and waits for the projections. The error may be
// errDecideAgain. If prepare is set, it applies patches of large values before the transaction.
func (s *Service) commit(ctx context.Context, items []*item, on basis, o WriteOptions, prepare bool) ([]Written, error) {
	var written []Written
	keys := keysOf(items)
	patched, err := s.preparePatches(ctx, items)
	if err != nil {
		return nil, err
	}
	if !prepare {
		forgetPrepared(items)
	}
	o.sentBytes = bytesOf(items)
	o.totalBytes = o.sentBytes + patched + bytesOfPairs(items)
	err = s.transact(ctx, o, func(t *txn) error {
		t.batchKeys = keys
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

// bytesOf returns the total size of the values and patches of some items.
func bytesOf(items []*item) (bytes int) {
	for _, it := range items {
		bytes += len(it.Text)
	}
	return bytes
}

// bytesOfPair is the approximate number of bytes that the store writes for a pair of columns of
// fine-grained lineage.
const bytesOfPair = 32

// bytesOfPairs returns the size of the pairs of columns that some items connect. A short text can
// cause many of them.
func bytesOfPairs(items []*item) (bytes int) {
	for _, it := range items {
		if it.Spec.MakesEdges() {
			bytes += bytesOfPair * model.LineagePairs(it.Value)
		}
	}
	return bytes
}

// change runs fn in the store and waits for the projections that the logged entries concern.
func (s *Service) change(ctx context.Context, fn func(store.Tx) error) error {
	var logged *logging
	done, err := s.Store.Update(ctx, func(tx store.Tx) error {
		logged = &logging{Tx: tx, kinds: map[store.EntryKind]bool{}} // the store may run the function again
		return fn(logged)
	})
	if err != nil || done.Last == 0 {
		return err
	}
	defer auth.ForgetDecisions(ctx) // the written data may change decisions
	_, span := tracing.Start(ctx, "wait for projections")
	err = s.Follower.WaitFor(ctx, done.Last, logged.few(), slices.Collect(maps.Keys(logged.kinds))...)
	span.End(err)
	if err != nil {
		// The change is durable. Its visibility depends on the projections, which report delays on
		// /health; the writer must not repeat the write because of them.
		s.Log.WarnContext(ctx, "answered before the projections caught up", "sequence", done.Last, "error", err)
	}
	return nil
}

// logging records the kinds of the entries that a transaction logs, and the entries if they are few.
type logging struct {
	store.Tx
	kinds   map[store.EntryKind]bool
	entries []store.Entry // without values; the first maxOwn+1
	bytes   int           // of the written values
}

// Limits of the entries that a writer may apply ahead of others: their number, and the size of their
// values. A large value would be built twice.
const (
	maxOwn      = 50
	maxOwnBytes = 64 << 10
)

func (t *logging) Put(ctx context.Context, rec model.Record) error {
	t.bytes += len(rec.Value)
	return t.Tx.Put(ctx, rec)
}

func (t *logging) Append(ctx context.Context, entry store.Entry) (uint64, error) {
	t.kinds[entry.Kind] = true
	if len(t.entries) <= maxOwn {
		t.entries = append(t.entries, store.Entry{Kind: entry.Kind, URN: entry.URN, Aspect: entry.Aspect})
	}
	return t.Tx.Append(ctx, entry)
}

// few returns the logged entries, nil if they are many.
func (t *logging) few() []store.Entry {
	if len(t.entries) > maxOwn || t.bytes > maxOwnBytes {
		return nil
	}
	return t.entries
}
