// Package proposal implements the part of a write that needs no access to the store: it determines
// the aspect and the entity of a proposal, conforms the value to the model, and checks it against
// the model and the rules. The kernel does the rest.
package proposal

import (
	"bytes"
	"encoding/json"
	"maps"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/patch"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Proposal requests one change of one aspect.
type Proposal struct {
	// EntityType may be empty; otherwise it must be the type of the URN, ignoring case.
	EntityType string
	// URN is the text as the client sent it. It may be empty if Key is given.
	URN string
	// Key is a value of the key aspect, from which the URN is built if URN is empty.
	Key json.RawMessage
	// Change is the kind of change; empty means Upsert.
	Change model.ChangeType
	// Aspect is the aspect's name, ignoring case.
	Aspect string
	// Value is the aspect in any JSON form of the model, or a patch: a list of operations or an
	// object with patch, arrayPrimaryKeys and forceGenericPatch.
	Value json.RawMessage
	// System holds the run ID, pipeline and properties given by the writer; the catalog sets the
	// other members.
	System model.SystemMetadata
	// Conditions are the preconditions of the change. A RESTATE ignores them.
	Conditions Conditions
	// Stamps names members in which the writer records the time of the change. A proposal that
	// changes nothing else keeps the stored value, so it creates no version.
	Stamps []string
	// Existing is set if the writer requires an existing entity: if the entity has been deleted in
	// the meantime, the proposal is dropped and does not create it again.
	Existing bool
}

// Item is a proposal after it has been read.
type Item struct {
	Index      int // index in the batch; -1 for aspects that the service adds
	URN        urn.URN
	Entity     *model.EntitySpec
	Spec       *model.AspectSpec
	Change     model.ChangeType
	Value      model.Object    // conformed; nil for patches and deletions
	Text       json.RawMessage // text of Value; for a patch the text as sent
	References []model.Reference
	Patch      *patch.Document // nil for other changes
	Conditions Conditions
	System     model.SystemMetadata
	Stamps     []string
	Existing   bool
	Rules      []*rule.Rule // rules that apply to the aspect
}

// Key is the key of the aspect in the store.
func (it *Item) Key() store.Key { return store.Key{URN: it.URN, Aspect: it.Spec.Name} }

// Same reports whether two items for one aspect request exactly the same change.
func (it *Item) Same(other *Item) bool {
	return it.Change == other.Change && bytes.Equal(it.Text, other.Text) && it.Conditions.equal(other.Conditions) &&
		it.System.LastObserved == other.System.LastObserved && it.SameRun(other)
}

// SameRun reports whether two items come from the same run, with the same properties.
func (it *Item) SameRun(other *Item) bool {
	return it.System.RunID == other.System.RunID && it.System.PipelineName == other.System.PipelineName &&
		maps.Equal(it.System.Properties, other.System.Properties)
}
