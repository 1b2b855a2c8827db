package catalog

import (
	"bytes"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/redact"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

var restrictedStart = []byte(`"` + "urn:li:" + RestrictedType + ":")

// restore puts the URNs for which restricted entities stand back into a proposed value,
// so that a program which reads a value, changes it and writes it back keeps what it was
// not shown. It returns the proposal to read and the URNs that were put back. The
// transaction verifies that the stored value names them (checkRestored), so an actor
// cannot name a hidden entity elsewhere.
func (s *Service) restore(p *Proposal) (*Proposal, []urn.URN, error) {
	if !bytes.Contains(p.Value, restrictedStart) {
		return p, nil, nil
	}
	tree, err := jsontree.Decode(p.Value)
	if err != nil {
		return p, nil, nil //nolint:nilerr // the reader of proposals says what is wrong with the text
	}
	var restored []urn.URN
	forged := urn.URN("")
	tree = redact.Replace(nil, tree, func(u urn.URN) (urn.URN, bool) {
		if u.Type() != RestrictedType {
			return "", false
		}
		stands, ok := Unrestrict(s.Names, u)
		if !ok {
			forged = u
			return "", false
		}
		restored = append(restored, stands)
		return stands, true
	})
	if forged != "" {
		return nil, nil, fault.New(fault.Malformed, "%.60s... is not a restricted entity that this service gave", forged)
	}
	whole := *p
	whole.Value = jsontree.Encode(tree)
	return &whole, restored, nil
}

// checkRestored refuses URNs of restricted entities in places that did not name them.
func (it *item) checkRestored(old *model.Record) error {
	if len(it.restored) == 0 {
		return nil
	}
	named := map[urn.URN]bool{}
	if old != nil {
		before, err := jsontree.DecodeObject(old.Value)
		if err != nil {
			return err
		}
		redact.URNs(before, func(u urn.URN) { named[u] = true })
	}
	for _, u := range it.restored {
		if !named[u] {
			return fault.New(fault.Invalid, "%s: names a restricted entity that it does not name so far; restricted entities can be kept where they are and not put elsewhere", it.Spec.Name)
		}
	}
	return nil
}

// refused is what is wrong with an item of a batch. Its message names restricted entities as the
// proposal does: texts about a value quote it, and would tell the URNs that were put back.
func (s *Service) refused(it *item, index int, u, aspect string, err error) ItemError {
	text := fault.Message(err)
	shown := text
	for _, stands := range it.restored {
		shown = strings.ReplaceAll(shown, string(stands), string(Restrict(s.Names, stands)))
	}
	for _, stands := range it.restored {
		if strings.Contains(shown, stands.Key()) {
			shown = "the value is not valid with the restricted entities that it names"
		}
	}
	if shown != text {
		err = fault.New(fault.KindOf(err), "%s", shown)
	}
	return ItemError{Index: index, URN: u, Aspect: aspect, Err: err}
}
