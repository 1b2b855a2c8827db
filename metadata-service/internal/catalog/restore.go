package catalog

import (
	"bytes"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/redact"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

var restrictedPrefix = []byte(`"` + "urn:li:" + RestrictedType + ":")

// restore replaces the URNs of restricted entities in a proposed value with the hidden URNs that
// they stand for, so that a program which reads a value, changes it and writes it back keeps the
// parts it was not shown. It returns the proposal to read and the URNs that it restored. The
// transaction verifies that the stored value names them in the same place (checkRestored), so an
// actor cannot name a hidden entity elsewhere.
func (s *Service) restore(p *Proposal, within string) (*Proposal, []urn.URN, error) {
	if !bytes.Contains(p.Value, restrictedPrefix) {
		return p, nil, nil
	}
	tree, err := jsontree.Decode(p.Value)
	if err != nil {
		return p, nil, nil //nolint:nilerr // the reader of proposals says what is wrong with the text
	}
	var restored []urn.URN
	forged, elsewhere := urn.URN(""), false
	tree = redact.Replace(nil, tree, func(u urn.URN) (urn.URN, bool) {
		if u.Type() != RestrictedType {
			return "", false
		}
		hidden, ok := Unrestrict(s.Names, within, u)
		if !ok {
			forged, elsewhere = u, elsewhere || IsRestricted(s.Names, u)
			return "", false
		}
		restored = append(restored, hidden)
		return hidden, true
	})
	if elsewhere {
		return nil, nil, movedRestricted(p.Aspect)
	}
	if forged != "" {
		return nil, nil, fault.New(fault.Malformed, "%.60s... is not a restricted entity that this service gave", forged)
	}
	whole := *p
	whole.Value = jsontree.Encode(tree)
	return &whole, restored, nil
}

// checkRestored refuses restored URNs in places that did not contain them before. Reads conceal
// URNs, but not the text around them or the words that the search index extracts, so a restored URN
// must not move from one member of the value to another.
func (it *item) checkRestored(before, after model.Object) error {
	if len(it.restored) == 0 {
		return nil
	}
	places := placesIn(before)
	restored := make(map[urn.URN]bool, len(it.restored))
	moved := false
	for _, u := range it.restored {
		moved, restored[u] = moved || !places.anywhere[u], true
	}
	redact.Places(after, func(place string, u urn.URN) { moved = moved || restored[u] && !places.atPlace[placedURN{place, u}] })
	if moved {
		return movedRestricted(it.Spec.Name)
	}
	return nil
}

// checkPatchMoves refuses a patch that gives a hidden URN another place or meaning without naming
// it, for example by turning the values of one property into those of another.
func (t *txn) checkPatchMoves(it *item, before, after model.Object) error {
	if t.actor.System || it.depth > 0 || it.Patch == nil {
		return nil
	}
	places := placesIn(before)
	var moved []urn.URN
	redact.Places(after, func(place string, u urn.URN) {
		if places.anywhere[u] && !places.atPlace[placedURN{place, u}] {
			moved = append(moved, u)
		}
	})
	if len(moved) == 0 {
		return nil
	}
	namedByPatch := map[urn.URN]bool{} // URNs in the patch itself, which the actor therefore has
	for i := range it.Patch.Operations {
		redact.URNs(it.Patch.Operations[i].Value, func(u urn.URN) { namedByPatch[u] = true })
		for _, segment := range it.Patch.Operations[i].Path {
			namedByPatch[urn.URN(segment)] = true
		}
	}
	moved = slices.DeleteFunc(moved, func(u urn.URN) bool { return namedByPatch[u] })
	hidden, err := t.Hidden(auth.WithDecisionCache(t.ctx), moved)
	if err == nil && slices.Contains(hidden, true) {
		err = movedRestricted(it.Spec.Name)
	}
	return err
}

// placedURN is a URN at a place of a value.
type placedURN struct {
	place string
	urn   urn.URN
}

// places are the URNs that a value names, with their places.
type places struct {
	atPlace  map[placedURN]bool
	anywhere map[urn.URN]bool
}

func placesIn(value model.Object) places {
	p := places{map[placedURN]bool{}, map[urn.URN]bool{}}
	redact.Places(value, func(place string, u urn.URN) {
		p.atPlace[placedURN{place, u}], p.anywhere[u] = true, true
		for _, label := range redact.LabelPlaces(place) {
			p.atPlace[placedURN{label, u}] = true
		}
	})
	return p
}

func movedRestricted(aspect string) error {
	return fault.New(fault.Invalid, "%s: names a restricted entity where it does not name it so far; restricted entities can be kept where they are and not put elsewhere", aspect)
}

// checkPatchReads refuses a patch that reads the stored value, by copying, moving or testing a part
// of it, if the actor may not see all of the value.
func (t *txn) checkPatchReads(it *item, current model.Object) error {
	if t.actor.System || it.depth > 0 || !it.Patch.Reads() {
		return nil
	}
	var named []urn.URN
	redact.URNs(current, func(u urn.URN) { named = append(named, u) })
	hidden, err := t.Hidden(auth.WithDecisionCache(t.ctx), named)
	if err == nil && slices.Contains(hidden, true) {
		err = fault.New(fault.Forbidden, "%s is unauthorized to copy, move or test parts of %s, which names entities that it may not view: use add, replace and remove", t.actor.URN, it.Spec.Name)
	}
	return err
}

// itemError returns the error of an item of a batch. Its message names restricted entities as the
// proposal does, because messages quote values and would otherwise reveal the restored URNs.
func (s *Service) itemError(it *item, index int, u, aspect string, err error) ItemError {
	text := fault.Message(err)
	shown := text
	for _, hidden := range it.restored {
		shown = strings.ReplaceAll(shown, string(hidden), string(Restrict(s.Names, WithinAspect(it.URN, it.Spec.Name), hidden)))
	}
	for _, hidden := range it.restored {
		if strings.Contains(shown, hidden.Key()) {
			shown = "the value is not valid with the restricted entities that it names"
		}
	}
	if shown != text {
		err = fault.New(fault.KindOf(err), "%s", shown)
	}
	return ItemError{Index: index, URN: u, Aspect: aspect, Err: err}
}
