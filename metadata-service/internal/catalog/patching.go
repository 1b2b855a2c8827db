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

// A patch of a few bytes can cause a stored value of megabytes to be read, changed and written
// again. While a transaction does this, all other writers wait. Therefore:
//
//   - consecutive patches of an aspect in a batch are merged into one change (joinPatches);
//   - patches of large values are applied before the transaction, to the value that is stored then
//     (preparePatches); the transaction uses the result if the stored value is still the same;
//   - the total size of the values that the patches of a batch change is bounded (checkPatched).

const (
	// preparedBytes is the size of a stored value from which its patches are applied before the
	// transaction.
	preparedBytes = 16 << 10
	// maxPatched bounds the total size of the values that a batch patches, plus patchedPerByte
	// times the size of the batch. A single value may always be patched.
	maxPatched     = 16 << 20
	patchedPerByte = 4
	// maxPatchedAgain bounds the total size of the values that a batch patches after it has already
	// changed them, each counted as often, and of those patched inside the transaction because
	// others keep changing them.
	maxPatchedAgain = 4 << 20
)

// joinPatches merges consecutive patches of an aspect in a batch into one change if they differ
// only in their operations. The first item carries out all of them.
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

// joins reports whether the patch of the next item can be merged with the patch of this one.
func (it *item) joins(next *item) bool {
	return next.Patch != nil && it.Key() == next.Key() && it.Patch.Joins(next.Patch) &&
		it.Conditions == proposal.Conditions{} && next.Conditions == proposal.Conditions{} &&
		it.SameRun(&next.Item)
}

// join merges the patches of other items into this item.
func (it *item) join(others []*item) {
	docs := []*patch.Document{it.Patch}
	for _, next := range others {
		next.joinedTo = it
		docs = append(docs, next.Patch)
	}
	it.operations, it.joined = len(it.Patch.Operations), others
	it.Patch, it.System.LastObserved = patch.Join(docs), others[len(others)-1].System.LastObserved
}

// failing returns the item, among this one and those joined to it, whose operation failed, and the
// error with the index of the operation in the patch of that item.
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

// patchResult is the result of applying the patch of an item to a stored value.
type patchResult struct {
	base       json.RawMessage // the stored value
	before     model.Object    // decoded base
	after      model.Object
	text       json.RawMessage // encoded after
	references []model.Reference
	err        error // refusal of the patch
}

// isFor reports whether the result was computed from the value of a row.
func (p *patchResult) isFor(rec *model.Record) bool { return bytes.Equal(p.base, rec.Value) }

// preparePatches applies the patches of large values and returns the total size of their results.
// Other writers may change the values until the transaction begins, which detects that. It refuses
// a batch whose patches exceed the bounds.
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
		if err := s.Reserve(ctx, 2*room); err != nil { // value before and value after
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
				continue // deleted in the meantime
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

// patch sets the value of a change to the result of the patch of its item.
func (t *txn) patch(it *item, c *change, current model.Object, prepared *patchResult) (references []model.Reference, err error) {
	if err := t.checkPatchReads(it, current); err != nil {
		return nil, err
	}
	if prepared != nil {
		c.After, c.text = prepared.after, prepared.text
		return prepared.references, prepared.err
	}
	if limit := maxPatchedAgain + patchedPerByte*t.options.sentBytes; t.patched > limit {
		return nil, fault.New(fault.TooLarge, "the batch patches values that it changes before: they have %d MiB together, at most %d MiB are taken; "+
			"send the patches of an aspect one after another", t.patched>>20, limit>>20)
	}
	if c.old != nil {
		t.patched += len(c.old.Value)
	}
	c.text = nil
	c.After, references, err = t.Service.applyPatch(t.ctx, it, current, t.now)
	return references, err
}

// forgetPrepared makes the transaction apply all patches to the values stored at that time.
func forgetPrepared(items []*item) {
	for _, it := range items {
		it.prepared = nil
	}
}

// changedOtherwise lists the aspects that items other than patches change, and, with an empty
// aspect, the entities that they delete.
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

// patchedSizes returns the sizes of the stored values that the items patch.
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

// checkPatched refuses patches of values with a total size above the bounds. A value that is
// patched again counts each time. It returns the total size of the values.
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

// storedValue returns the latest value of an aspect, nil if it is absent.
func (s *Service) storedValue(ctx context.Context, key store.Key) (*patchResult, error) {
	records, err := s.Store.Get(ctx, key)
	if err != nil || records[0] == nil {
		return nil, err
	}
	value, err := jsontree.DecodeObject(records[0].Value)
	return &patchResult{text: records[0].Value, after: value}, err
}

// patchOf applies the patch of an item to base, which is the stored value or the result of an
// earlier patch.
func (s *Service) patchOf(ctx context.Context, it *item, base *patchResult) *patchResult {
	result := &patchResult{base: base.text, before: base.after}
	if result.after, result.references, result.err = s.applyPatch(ctx, it, base.after, s.Now().UnixMilli()); result.err == nil {
		result.text = jsontree.Encode(result.after)
	}
	return result
}

// applyPatch applies the patch of an item to a value, conforms and normalizes the result, and
// checks it.
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
