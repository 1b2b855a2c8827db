package catalog

import (
	"encoding/json"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// change is a versioned aspect about to be stored.
type change struct {
	*item
	old        *model.Record
	value      model.Object // must not be modified, only replaced by set
	text       json.RawMessage
	references []model.Reference
	oldValue   model.Object
}

// set replaces the value.
func (n *change) set(value model.Object) { n.value, n.text = value, jsontree.Encode(value) }

// before is the stored value, an empty object when there is none. It must not be modified.
func (n *change) before() (model.Object, error) {
	if n.oldValue == nil {
		n.oldValue = model.Object{}
		if n.old != nil {
			o, err := jsontree.DecodeObject(n.old.Value)
			if err != nil {
				return nil, err
			}
			n.oldValue = o
		}
	}
	return n.oldValue, nil
}

func (t *txn) applyPatch(n *change) error {
	var current model.Object
	if n.old != nil {
		before, err := n.before()
		if err != nil {
			return err
		}
		current = before
	}
	stamp := model.Object{"time": jsontree.Number(t.now), "actor": string(model.SystemActor)}
	patched, err := n.patch.Apply(n.spec, current, stamp)
	if err != nil {
		return err
	}
	value, references, err := t.Registry.Conform(n.spec, patched)
	if err != nil {
		return err
	}
	n.references = references
	n.set(mutateAlone(n.spec.Name, value))
	return t.checkProposedValue(n.item, n.value)
}
