package catalog

import (
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

// MaxAspectBytes is the limit for the text of one aspect, the one clients of
// the reference know (16,000,000 characters).
const MaxAspectBytes = 16_000_000

const maxProperties = 200

// prepareOne does all that needs the proposal alone: URN, names, conformity,
// conditions, and the rules without state.
func (s *Service) prepareOne(p *Proposal, by writer) (*item, error) {
	u, entity, err := s.address(p)
	if err != nil {
		return nil, err
	}
	it := &item{urn: u, entity: entity, change: p.Change, system: p.System}
	if it.change == "" || it.change == model.Update || it.change == model.Restate {
		it.change = model.Upsert
	}
	if !it.change.Valid() {
		return nil, fault.New(fault.Malformed, "changeType %q is not known", p.Change)
	}
	if it.spec, err = aspectOf(entity, p); err != nil {
		return nil, err
	}
	it.rules = s.Rules.For(entity, it.spec)
	if (it.spec.Managed || entity.Key.Managed) && !by.managed || it.spec.Managed && !slices.Contains(by.owns, it.spec.Name) {
		return nil, fault.New(fault.Forbidden, "%s is managed by the service: it is not written through this interface", it.spec.Name)
	}
	if it.conditions, err = parseConditions(p.Headers); err != nil {
		return nil, err
	}
	if p.Change == model.Restate {
		it.conditions = conditions{}
	}
	if err := checkSystem(&it.system); err != nil {
		return nil, err
	}
	if it.change == model.Delete {
		return it, nil
	}
	return it, s.prepareValue(it, p)
}

// address finds the URN of a proposal and its entity type.
func (s *Service) address(p *Proposal) (urn.URN, *model.EntitySpec, error) {
	text := p.URN
	if text == "" {
		fromKey, err := s.fromKey(p)
		if err != nil {
			return "", nil, err
		}
		text = string(fromKey)
	}
	u, entity, err := s.Registry.Resolve(text)
	if err != nil {
		return "", nil, err
	}
	if p.EntityType != "" && !strings.EqualFold(p.EntityType, entity.Name) {
		return "", nil, fault.New(fault.Malformed, "entityType %s is not the entity type of %s", p.EntityType, u)
	}
	return u, entity, model.CheckWritable(u, entity)
}

func (s *Service) fromKey(p *Proposal) (urn.URN, error) {
	if len(p.Key) == 0 {
		return "", fault.New(fault.Malformed, "entityUrn or entityKeyAspect is required")
	}
	entity, ok := s.Registry.Entity(p.EntityType)
	if !ok {
		return "", fault.New(fault.Malformed, "entityType %q is not known", p.EntityType)
	}
	_, key, _, err := s.Registry.ConformText(entity.Key, p.Key)
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

// checkSystem bounds what writers give besides the value.
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
	// What only the store decides is not taken from writers.
	m.LastRunID, m.Version, m.AspectCreated, m.AspectModified = "", "", nil, nil
	return nil
}

func (s *Service) prepareValue(it *item, p *Proposal) error {
	if len(p.Value) == 0 {
		return fault.New(fault.Malformed, "aspect.value is required")
	}
	if err := checkSize(it.spec.Name, p.Value); err != nil {
		return err
	}
	if it.spec.Timeseries && it.change != model.Upsert {
		return fault.New(fault.Invalid, "%s is a time series: its change type must be UPSERT, not %s", it.spec.Name, it.change)
	}
	if it.change == model.Patch {
		doc, err := patch.Parse(p.Value)
		it.patch, it.text = &doc, p.Value
		if err != nil {
			return err
		}
		return it.checkSent()
	}
	tree, err := jsontree.Decode(p.Value)
	if err != nil {
		return unreadableValue(it.spec.Name, err)
	}
	if it.spec.IsKey {
		// The key follows from the URN: what the writer sends is not looked at further.
		it.value = it.entity.KeyValue(it.urn)
		it.text = jsontree.Encode(it.value)
		return it.check(s.Registry, it.value)
	}
	if it.value, it.references, err = s.Registry.Conform(it.spec, tree); err != nil {
		return err
	}
	if err := it.checkSent(); err != nil {
		return err
	}
	if err := it.check(s.Registry, it.value); err != nil {
		return err
	}
	it.value = normalize(it.rules, it.value)
	it.text = jsontree.Encode(it.value)
	return nil
}

// checkSent asks the rules about what was sent.
func (it *item) checkSent() error {
	for _, r := range it.rules {
		if r.CheckSent == nil {
			continue
		}
		if err := r.CheckSent(rule.Sent{Aspect: it.spec.Name, Value: it.value, Patch: it.patch}); err != nil {
			return err
		}
	}
	return nil
}

// check asks the rules that need the proposed value alone.
func (it *item) check(registry *model.Registry, value model.Object) error {
	for _, r := range it.rules {
		if r.Check == nil {
			continue
		}
		if err := r.Check(rule.Proposed{Registry: registry, URN: it.urn, Entity: it.entity, Aspect: it.spec, Value: value}); err != nil {
			return err
		}
	}
	return nil
}

// normalize brings a value into the canonical form of the rules.
func normalize(rules []*rule.Rule, value model.Object) model.Object {
	for _, r := range rules {
		if r.Normalize != nil {
			value = r.Normalize(value)
		}
	}
	return value
}

// unreadableValue tells text that is not well-formed Unicode, which no decoder may
// take, from text that breaks the rules of the aspect.
func unreadableValue(aspect string, err error) error {
	kind := fault.Invalid
	if errors.Is(err, fault.Malformed) {
		kind = fault.Malformed
	}
	return fault.Wrap(err, kind, "%s: %s", aspect, err)
}

func checkSize(aspect string, text []byte) error {
	if len(text) > MaxAspectBytes {
		return fault.New(fault.Invalid, "%s has %d bytes, at most %d are taken", aspect, len(text), MaxAspectBytes)
	}
	return nil
}
