package proposal

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/patch"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// MaxAspectBytes is the limit for the text of one aspect. It is the limit of the reference that
// clients expect (16,000,000 characters).
const MaxAspectBytes = 16_000_000

const maxProperties = 200

// Reader reads proposals by a model and its rules. It is safe for concurrent use.
type Reader struct {
	Registry *model.Registry
	Rules    *rule.Book
}

// Writer is the service on whose behalf a proposal is made.
type Writer struct {
	// Managed is set for a service that authorizes by itself; Owns lists the managed aspects it may
	// write.
	Managed bool
	Owns    []string
}

// Read fills an empty item with the facts that a decision about the proposal needs: URN, aspect,
// change and conditions. It does not read the value, so its cost does not depend on the size of the
// value. Errors are fault.Malformed, Invalid or Forbidden; the item is then undefined.
func (r Reader) Read(it *Item, p *Proposal, by Writer) (err error) {
	it.Change, it.System, it.Stamps, it.Existing = p.Change, p.System, p.Stamps, p.Existing
	if it.URN, it.Entity, err = r.address(p); err != nil {
		return err
	}
	if it.Change == "" || it.Change == model.Update || it.Change == model.Restate {
		it.Change = model.Upsert
	}
	if !it.Change.Valid() {
		return fault.New(fault.Malformed, "changeType %q is not known", p.Change)
	}
	if it.Spec, err = aspectOf(it.Entity, p); err != nil {
		return err
	}
	it.Rules = r.Rules.For(it.Entity, it.Spec)
	if (it.Spec.OwnerOnly(it.Change) || it.Entity.Key.Managed) && !by.Managed || by.Managed && it.Spec.Managed && !slices.Contains(by.Owns, it.Spec.Name) {
		return fault.New(fault.Forbidden, "%s is managed by the service: it is not written through this interface", it.Spec.Name)
	}
	if p.Change != model.Restate {
		it.Conditions = p.Conditions
	}
	return checkSystem(&it.System)
}

// address returns the URN of a proposal and its entity type.
func (r Reader) address(p *Proposal) (urn.URN, *model.EntitySpec, error) {
	text := p.URN
	if text == "" {
		fromKey, err := r.fromKey(p)
		if err != nil {
			return "", nil, err
		}
		text = string(fromKey)
	}
	u, entity, err := r.Registry.Resolve(text)
	if err != nil {
		return "", nil, err
	}
	if p.EntityType != "" && !strings.EqualFold(p.EntityType, entity.Name) {
		return "", nil, fault.New(fault.Malformed, "entityType %s is not the entity type of %s", p.EntityType, u)
	}
	return u, entity, model.CheckWritable(u, entity)
}

func (r Reader) fromKey(p *Proposal) (urn.URN, error) {
	if len(p.Key) == 0 {
		return "", fault.New(fault.Malformed, "entityUrn or entityKeyAspect is required")
	}
	entity, ok := r.Registry.Entity(p.EntityType)
	if !ok {
		return "", fault.New(fault.Malformed, "entityType %q is not known", p.EntityType)
	}
	_, key, _, err := r.Registry.ConformText(entity.Key, p.Key)
	if err != nil {
		return "", err
	}
	return entity.URNOf(key)
}

func aspectOf(entity *model.EntitySpec, p *Proposal) (*model.AspectSpec, error) {
	if p.Aspect == "" && p.Change == model.Delete {
		return entity.Key, nil
	}
	if p.Aspect == "" {
		return nil, fault.New(fault.Malformed, "aspectName is required")
	}
	spec, ok := entity.AspectFold(p.Aspect)
	if !ok {
		return nil, fault.New(fault.Invalid, "Unknown aspect %s for entity %s", p.Aspect, entity.Name)
	}
	return spec, nil
}

// checkSystem bounds the system metadata given by the writer.
func checkSystem(m *model.SystemMetadata) error {
	switch {
	case len(m.RunID) > store.MaxRunBytes:
		return fault.New(fault.Invalid, "systemMetadata.runId is longer than %d bytes", store.MaxRunBytes)
	case len(m.PipelineName) > store.MaxRunBytes, len(m.RegistryName) > store.MaxRunBytes, len(m.RegistryVersion) > store.MaxRunBytes:
		return fault.New(fault.Invalid, "systemMetadata: a name is longer than %d bytes", store.MaxRunBytes)
	case len(m.Properties) > maxProperties:
		return fault.New(fault.Invalid, "systemMetadata.properties has more than %d members", maxProperties)
	}
	for name, value := range m.Properties {
		if len(name)+len(value) > MaxAspectBytes>>8 {
			return fault.New(fault.Invalid, "systemMetadata.properties: a member is longer than %d bytes", MaxAspectBytes>>8)
		}
	}
	// Only the store determines these members, so values from writers are dropped.
	m.LastRunID, m.Version, m.AspectCreated, m.AspectModified = "", "", nil, nil
	return nil
}

// ReadValue decodes the value or the patch of an item, and conforms a value to the model. Its cost
// is linear in the size of the text. A second call does nothing. Errors are fault.Malformed or
// Invalid.
func (r Reader) ReadValue(it *Item, p *Proposal) error {
	if it.Change == model.Delete || it.Text != nil {
		return nil
	}
	if len(p.Value) == 0 {
		return fault.New(fault.Malformed, "aspect.value is required")
	}
	if err := CheckSize(it.Spec.Name, p.Value); err != nil {
		return err
	}
	if it.Spec.Timeseries && it.Change != model.Upsert {
		return fault.New(fault.Invalid, "%s is a time series: its change type must be UPSERT, not %s", it.Spec.Name, it.Change)
	}
	if it.Change == model.Patch {
		doc, err := patch.Parse(p.Value)
		it.Patch, it.Text = &doc, p.Value
		if err != nil {
			return err
		}
		return checkSecrets(it.Spec, &doc)
	}
	tree, err := jsontree.Decode(p.Value)
	if err != nil {
		return unreadableValue(it.Spec.Name, err)
	}
	it.Text = p.Value
	if it.Spec.IsKey {
		// The URN determines the key, so the content sent by the writer is ignored.
		it.Value = it.Entity.KeyValue(it.URN)
		return nil
	}
	it.Value, it.References, err = r.Registry.Conform(it.Spec, tree)
	return err
}

// checkSecrets refuses a patch that copies or moves an encrypted member, or a part that contains
// one. A patch is applied to the masked value, so the copy would contain the mask. The operation
// test compares with the mask, as readers see it.
func checkSecrets(spec *model.AspectSpec, doc *patch.Document) error {
	for i, op := range doc.Operations {
		if op.Op != "copy" && op.Op != "move" {
			continue
		}
		for _, path := range spec.Encrypted {
			member := strings.Split(strings.TrimPrefix(path, "/"), "/")
			if shorter := min(len(member), len(op.From)); slices.Equal(member[:shorter], op.From[:shorter]) {
				return fault.New(fault.Invalid, "patch of %s: operation %d: %s: %s is encrypted, and is neither copied nor moved", spec.Name, i, op.Op, path)
			}
		}
	}
	return nil
}

// Check applies the rules that need only the proposal, and converts the value to the canonical
// form. Rules may be expensive, so callers must decide first whether the actor may write the item.
// Errors are those of the rules and of ctx.
func (r Reader) Check(ctx context.Context, it *Item) error {
	if it.Change == model.Delete {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if !it.Spec.IsKey {
		if err := it.checkSent(); err != nil {
			return err
		}
	}
	if it.Patch != nil {
		return nil
	}
	if err := it.Check(ctx, r.Registry, it.Value); err != nil {
		return err
	}
	if !it.Spec.IsKey {
		it.Value = Normalize(it.Rules, it.Value)
	}
	it.Text = jsontree.Encode(it.Value)
	return nil
}

// checkSent applies the rules about the content as sent.
func (it *Item) checkSent() error {
	for _, r := range it.Rules {
		if r.CheckSent == nil {
			continue
		}
		if err := r.CheckSent(rule.Sent{Aspect: it.Spec.Name, Value: it.Value, Patch: it.Patch}); err != nil {
			return err
		}
	}
	return nil
}

// Check applies the rules that need only the proposed value, also to the result of a patch. Errors
// are those of the rules and of ctx.
func (it *Item) Check(ctx context.Context, registry *model.Registry, value model.Object) error {
	for _, r := range it.Rules {
		if r.Check == nil {
			continue
		}
		if err := r.Check(ctx, rule.Proposed{Registry: registry, URN: it.URN, Entity: it.Entity, Aspect: it.Spec, Value: value}); err != nil {
			return err
		}
	}
	return nil
}

// Normalize converts a value to the canonical form of the rules.
func Normalize(rules []*rule.Rule, value model.Object) model.Object {
	for _, r := range rules {
		if r.Normalize != nil {
			value = r.Normalize(value)
		}
	}
	return value
}

// unreadableValue returns the error for an undecodable value: fault.Malformed for text that is not
// well-formed Unicode, fault.Invalid otherwise.
func unreadableValue(aspect string, err error) error {
	kind := fault.Invalid
	if errors.Is(err, fault.Malformed) {
		kind = fault.Malformed
	}
	return fault.Wrap(err, kind, "%s: %s", aspect, err)
}

// CheckSize returns fault.Invalid if the text of an aspect exceeds MaxAspectBytes.
func CheckSize(aspect string, text []byte) error {
	if len(text) > MaxAspectBytes {
		return fault.New(fault.Invalid, "%s has %d bytes, at most %d are taken", aspect, len(text), MaxAspectBytes)
	}
	return nil
}
