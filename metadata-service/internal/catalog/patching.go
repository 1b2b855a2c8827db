package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/proposal"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/patch"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// A patch is a few bytes that have a stored value of megabytes read, changed and written again. While a
// transaction does that, all other writers wait, so:
//
//   - patches of an aspect that follow each other in a batch are one change (joinPatches);
//   - those of large values are applied before the transaction, to the value that is stored then
//     (preparePatches); the transaction takes the result if the value is still that one;
//   - the values that the patches of a batch change are bounded together (checkPatched).

const (
	// preparedBytes is the size of a stored value from which patches of it are applied before the transaction.
	preparedBytes = 16 << 10
	// maxPatched is how large the values that a batch patches may be together, besides
	// patchedPerByte times its own size. A single value may always be patched.
	maxPatched     = 16 << 20
	patchedPerByte = 4
	// maxPatchedAgain is how large those values may be together, each as often, that the batch patches
	// after it has changed them, or that others change all the time.
	maxPatchedAgain = 4 << 20
)

// joinPatches makes one change of the patches of an aspect that follow each other in a batch, where nothing
// but their operations tells them apart. The first one carries them out.
func joinPatches(items []*item) {
	var head *item
	var joined []*item
	operations := 0
	finish := func() {
		if len(joined) > 0 {
			head.join(joined)
		}
		head, joined = nil, nil
	}
	for _, it := range items {
		if it.duplicateOf != nil {
			continue
		}
		if head != nil && head.joins(it) && operations+len(it.Patch.Operations) <= patch.MaxOperations {
			joined = append(joined, it)
			operations += len(it.Patch.Operations)
			continue
		}
		if finish(); it.Patch != nil {
			head, operations = it, len(it.Patch.Operations)
		}
	}
	finish()
}

// joins reports whether the patch of another item can be made together with that of this one.
func (it *item) joins(next *item) bool {
	return next.Patch != nil && it.Key() == next.Key() && it.Patch.Joins(next.Patch) &&
		it.Conditions == proposal.Conditions{} && next.Conditions == proposal.Conditions{} &&
		it.SameRun(&next.Item)
}

// join has an item carry out the patches of others besides its own.
func (it *item) join(others []*item) {
	docs := []*patch.Document{it.Patch}
	for _, next := range others {
		next.joinedTo = it
		docs = append(docs, next.Patch)
	}
	it.operations, it.joined = len(it.Patch.Operations), others
	it.Patch, it.System.LastObserved = patch.Join(docs), others[len(others)-1].System.LastObserved
}

// failing gives the item whose operation failed, among an item and those that are joined to it, and the failure
// as the document of that one has it.
func (it *item) failing(err error) (*item, error) {
	var failed *patch.OperationError
	if len(it.joined) == 0 || !errors.As(err, &failed) || failed.Index < it.operations {
		return it, err
	}
	index := failed.Index - it.operations
	for _, next := range it.joined {
		if index < len(next.Patch.Operations) {
			return next, failed.At(index)
		}
		index -= len(next.Patch.Operations)
	}
	return it, err
}

// patchResult is what the patch of an item makes of a stored value.
type patchResult struct {
	base       json.RawMessage // the stored value
	before     model.Object    // base
	after      model.Object
	text       json.RawMessage // of after
	references []model.Reference
	err        error // the patch is refused
}

// of reports whether the result is that of a row.
func (p *patchResult) of(rec *model.Record) bool { return bytes.Equal(p.base, rec.Value) }

// preparePatches applies the patches of large values, and gives how many bytes their results have.
// Others may change the values until the transaction begins, which tells. It refuses a batch
// that patches too much.
func (s *Service) preparePatches(ctx context.Context, items []*item) (prepared int, err error) {
	var large []*item
	for _, it := range items {
		if it.prepared = nil; it.Patch != nil && it.joinedTo == nil && it.duplicateOf == nil && len(it.Spec.Encrypted) == 0 {
			large = append(large, it)
		}
	}
	sizes, err := s.patchedSizes(ctx, large)
	if err != nil {
		return 0, err
	}
	room, err := checkPatched(large, sizes, bytesOf(items))
	if err != nil {
		return 0, err
	}
	if s.Reserve != nil && room >= preparedBytes {
		if err := s.Reserve(ctx, 2*room); err != nil { // before and after
			return 0, err
		}
	}
	changed := changedOtherwise(items)
	latest := map[store.Key]*patchResult{}
	for _, it := range large {
		key := it.Key()
		if sizes[key] < preparedBytes || changed[key] || changed[store.Key{URN: it.URN}] {
			continue
		}
		if idle.Yield(ctx); ctx.Err() != nil {
			return 0, ctx.Err()
		}
		base := latest[key]
		if base == nil {
			if base, err = s.storedValue(ctx, key); err != nil {
				return 0, err
			}
			if base == nil {
				continue // it went meanwhile
			}
		}
		result := s.patchOf(ctx, it, base)
		it.prepared, latest[key] = result, result
		prepared += len(result.text)
		if result.err != nil {
			break
		}
	}
	return prepared, ctx.Err()
}

// patch gives a change the value that the patch of its item makes of the stored one.
func (t *txn) patch(it *item, c *change, current model.Object, prepared *patchResult) (references []model.Reference, err error) {
	if err := t.checkPatchReads(it, current); err != nil {
		return nil, err
	}
	if prepared != nil {
		c.After, c.text = prepared.after, prepared.text
		return prepared.references, prepared.err
	}
	if most := maxPatchedAgain + patchedPerByte*t.options.sent; t.patched > most {
		return nil, fault.New(fault.TooLarge, "the batch patches values that it changes before: they have %d MiB together, at most %d MiB are taken; "+
			"send the patches of an aspect one after another", t.patched>>20, most>>20)
	}
	if c.old != nil {
		t.patched += len(c.old.Value)
	}
	c.text = nil
	c.After, references, err = t.Service.applyPatch(t.ctx, it, current, t.now)
	return references, err
}

// forgetPrepared has the transaction apply all patches, whatever is stored then.
func forgetPrepared(items []*item) {
	for _, it := range items {
		it.prepared = nil
	}
}

// changedOtherwise lists the aspects that items other than patches change, and entities, without an aspect, that
// they delete.
func changedOtherwise(items []*item) map[store.Key]bool {
	changed := map[store.Key]bool{}
	for _, it := range items {
		switch {
		case it.Patch != nil:
		case it.Change == model.Delete && it.Spec.IsKey:
			changed[store.Key{URN: it.URN}] = true
		default:
			changed[it.Key()] = true
		}
	}
	return changed
}

// patchedSizes gives the sizes of the values that some items patch.
func (s *Service) patchedSizes(ctx context.Context, patches []*item) (map[store.Key]int64, error) {
	sizes := map[store.Key]int64{}
	byAspect := map[string][]urn.URN{}
	for _, it := range patches {
		if _, known := sizes[it.Key()]; !known {
			sizes[it.Key()] = 0
			byAspect[it.Spec.Name] = append(byAspect[it.Spec.Name], it.URN)
		}
	}
	for aspect, urns := range byAspect {
		found, err := s.Store.AspectSizes(ctx, urns, aspect)
		if err != nil {
			return nil, err
		}
		for i, u := range urns {
			sizes[store.Key{URN: u, Aspect: aspect}] = found[i]
		}
	}
	return sizes, nil
}

// checkPatched refuses patches that change values which are too large together. A value that is patched again
// counts each time. It gives the size of the values.
func checkPatched(patches []*item, sizes map[store.Key]int64, sent int) (total int64, err error) {
	again, seen := int64(0), make(map[store.Key]bool, len(sizes))
	for _, it := range patches {
		key := it.Key()
		if seen[key] {
			again += sizes[key]
		} else {
			total += sizes[key]
		}
		seen[key] = true
	}
	most, mostAgain := int64(maxPatched+patchedPerByte*sent), int64(maxPatchedAgain+patchedPerByte*sent)
	switch {
	case len(seen) > 1 && total > most:
		return 0, fault.New(fault.TooLarge, "the batch patches values of %d MiB together, at most %d MiB are taken; send fewer patches at once", total>>20, most>>20)
	case again > mostAgain:
		return 0, fault.New(fault.TooLarge, "the batch patches values again that have %d MiB together, at most %d MiB are taken; send the patches of an aspect one after another",
			again>>20, mostAgain>>20)
	}
	return total + again, nil
}

// storedValue gives the latest value of an aspect, nil when there is none any more.
func (s *Service) storedValue(ctx context.Context, key store.Key) (*patchResult, error) {
	records, err := s.Store.Get(ctx, key)
	if err != nil || records[0] == nil {
		return nil, err
	}
	value, err := jsontree.DecodeObject(records[0].Value)
	return &patchResult{text: records[0].Value, after: value}, err
}

// patchOf applies the patch of an item to what another result, or what is stored, has.
func (s *Service) patchOf(ctx context.Context, it *item, base *patchResult) *patchResult {
	result := &patchResult{base: base.text, before: base.after}
	if result.after, result.references, result.err = s.applyPatch(ctx, it, base.after, s.Now().UnixMilli()); result.err == nil {
		result.text = jsontree.Encode(result.after)
	}
	return result
}

// applyPatch makes the value that the patch of an item gives of a stored one, as the rules write it.
func (s *Service) applyPatch(ctx context.Context, it *item, current model.Object, now int64) (model.Object, []model.Reference, error) {
	stamp := model.Object{"time": jsontree.Number(now), "actor": string(model.SystemActor)}
	patched, err := it.Patch.Apply(it.Spec, masked(it.Spec, current), stamp)
	if err != nil {
		return nil, nil, err
	}
	value, references, err := s.Registry.Conform(it.Spec, patched)
	if err != nil {
		return nil, nil, err
	}
	value = proposal.Normalize(it.Rules, value)
	return value, references, it.Check(ctx, s.Registry, value)
}
