// Package proposal tells of a proposal what can be told without a look at the store:
// which aspect of which entity it is about, the value in the form of the model, and
// whether model and rules take it. The kernel carries out what is left.
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

// Proposal asks for one change of one aspect.
type Proposal struct {
	// EntityType may be empty; when given it must be the URN's, ignoring case.
	EntityType string
	// URN is the text as the caller sent it. It may be empty when Key is given.
	URN string
	// Key is a value of the key aspect, used to build the URN when that is empty.
	Key json.RawMessage
	// Change is what to do; empty means Upsert.
	Change model.ChangeType
	// Aspect is the aspect's name, ignoring case.
	Aspect string
	// Value is the aspect in any JSON form of the model, or a patch: a list of operations or
	// an object with patch, arrayPrimaryKeys and forceGenericPatch.
	Value json.RawMessage
	// System holds run id, pipeline and properties the writer gives; the rest is set here.
	System model.SystemMetadata
	// Headers carries conditions: If-Version-Match, If-Modified-Since, If-Unmodified-Since, If-None-Match.
	Headers map[string]string
	// Stamps names members in which the writer notes the time of the change. A proposal that would
	// change nothing else leaves the stored value as it is, so that no version is made.
	Stamps []string
	// Existing is set where the entity is there: a proposal for one that has gone meanwhile is dropped, and does not
	// create it again.
	Existing bool
}

// Item is a proposal that was read.
type Item struct {
	Index      int // of the proposal in its batch; -1 for what the service adds
	URN        urn.URN
	Entity     *model.EntitySpec
	Spec       *model.AspectSpec
	Change     model.ChangeType
	Value      model.Object    // conformed; nil for patches and deletions
	Text       json.RawMessage // of Value; of a patch the text as sent
	References []model.Reference
	Patch      *patch.Document // nil for other changes
	Conditions Conditions
	System     model.SystemMetadata
	Stamps     []string
	Existing   bool
	Rules      []*rule.Rule // that the aspect is held to
}

// Key is the place in the store.
func (it *Item) Key() store.Key { return store.Key{URN: it.URN, Aspect: it.Spec.Name} }

// Same reports whether two items for one aspect ask for exactly the same.
func (it *Item) Same(other *Item) bool {
	return it.Change == other.Change && bytes.Equal(it.Text, other.Text) && it.Conditions.same(other.Conditions) &&
		it.System.LastObserved == other.System.LastObserved && it.SameRun(other)
}

// SameRun reports whether two items come from the same run, with the same properties.
func (it *Item) SameRun(other *Item) bool {
	return it.System.RunID == other.System.RunID && it.System.PipelineName == other.System.PipelineName &&
		maps.Equal(it.System.Properties, other.System.Properties)
}
