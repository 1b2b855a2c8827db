package export

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Selection selects the data to export. The zero value selects everything that may be exported.
type Selection struct {
	Types   []string // entity types, in any case; empty for all
	Like    string   // pattern for URNs in which % stands for any text; empty for all
	Aspects []string // names of aspects, in any case; empty for all
	// WithoutRemoved excludes soft-deleted entities.
	WithoutRemoved bool
}

// Check refuses names that the model does not have, and types and aspects that are never exported.
// Write refuses the same selections.
func (s Selection) Check(registry *model.Registry) error {
	_, err := s.resolve(registry)
	return err
}

// installationTypes are entity types that describe one installation and would be wrong in another:
// the upgrades of its data, its identity for telemetry, and execution requests, which an executor
// there would carry out again.
var installationTypes = []string{"dataHubUpgrade", "telemetry", "dataHubExecutionRequest"}

// exclusionReason returns the reason why entities of a type are not exported, empty if they are.
func exclusionReason(e *model.EntitySpec) string {
	holdsSecrets := e.Key.Managed || e.Key.Secret || e.Category == "internal" && slices.ContainsFunc(e.Aspects, (*model.AspectSpec).Confidential)
	switch {
	case holdsSecrets:
		return "holds secrets"
	case slices.Contains(installationTypes, e.Name):
		return "is about this installation alone"
	}
	return ""
}

// serviceMembers are members that only the service may set, and which it sets again when needed.
var serviceMembers = map[string][]string{
	"versionProperties": {"/isLatest"},
	"corpUserInfo":      {"/isSupportUser"},
}

// scope is a Selection in terms of the model.
type scope struct {
	types   []*model.EntitySpec // in the order in which they are written
	aspects map[*model.AspectSpec]bool
	Selection
}

func (s Selection) resolve(registry *model.Registry) (*scope, error) {
	resolved := &scope{Selection: s}
	if len(s.Like) > store.MaxURNBytes {
		return nil, fault.New(fault.Malformed, "urn-like: longer than %d bytes", store.MaxURNBytes)
	}
	for _, name := range s.Types {
		e, ok := registry.Entity(strings.TrimSpace(name))
		if !ok {
			return nil, fault.New(fault.Malformed, "entity-type: %.60q is not known", name)
		}
		if why := exclusionReason(e); why != "" {
			return nil, fault.New(fault.Malformed, "entity-type: %s %s and is not exported; a backup has it", e.Name, why)
		}
		resolved.types = append(resolved.types, e)
	}
	for _, name := range s.Aspects {
		spec := aspectFold(registry, strings.TrimSpace(name))
		if spec == nil {
			return nil, fault.New(fault.Malformed, "aspect: %.60q is not known", name)
		}
		if spec.Confidential() {
			return nil, fault.New(fault.Malformed, "aspect: %s is a secret and is not exported; a backup has it", spec.Name)
		}
		if resolved.aspects == nil {
			resolved.aspects = map[*model.AspectSpec]bool{}
		}
		resolved.aspects[spec] = true
	}
	if len(s.Types) == 0 {
		resolved.types = slices.Clone(registry.Entities())
	}
	slices.SortStableFunc(resolved.types, func(a, b *model.EntitySpec) int { return rank(a) - rank(b) })
	resolved.types = slices.Compact(resolved.types)
	return resolved, nil
}

func aspectFold(registry *model.Registry, name string) *model.AspectSpec {
	for _, a := range registry.Aspects() {
		if strings.EqualFold(a.Name, name) {
			return a
		}
	}
	return nil
}

// wants reports whether an aspect is selected and may be exported.
func (s *scope) wants(spec *model.AspectSpec) bool {
	return !spec.Confidential() && (s.aspects == nil || s.aspects[spec])
}

// matches reports whether the URN of an entity is selected.
func (s *scope) matches(u urn.URN) bool { return s.Like == "" || store.Like(s.Like, string(u)) }

// definitions are the types that the values of other entities are checked against, each after those
// that it is checked against itself.
var definitions = []string{"entityType", "dataType", "dataPlatform", "lifecycleStageType", "structuredProperty", "dataHubRole"}

// rank puts definitions before all other types, which keep the order of the model.
func rank(e *model.EntitySpec) int {
	if i := slices.Index(definitions, e.Name); i >= 0 {
		return i
	}
	return len(definitions)
}

// derivedAspects are aspects that rules write when aspects of other entities are written. Their
// content depends on the order of these writes.
var derivedAspects = []string{"siblings", "dataProducts", "incidentsSummary", "assertionRunSummary"}

const (
	status        = "status"
	stageInfo     = "lifecycleStageTypeInfo"
	stagePolicy   = "transitionPolicy"
	propertyType  = "structuredProperty"
	policyInfo    = "dataHubPolicyInfo"
	userType      = "corpuser"
	userInfo      = "corpUserInfo"
	userSubTypes  = "subTypes"
	systemMember  = "system"
	editableState = "editable"
)

// isBuiltIn reports whether each installation creates the entity itself and permits no client to
// write it: its own users and built-in policies.
func isBuiltIn(values map[string]model.Object) bool {
	if jsontree.Bool(values[userInfo], systemMember) {
		return true
	}
	editable, stated := values[policyInfo][editableState].(bool)
	return stated && !editable
}

// withoutMembers returns a value without some members and, if one is required, without the record
// that contains it. It returns nil if nothing valid is left. It does not change value.
func withoutMembers(registry *model.Registry, spec *model.AspectSpec, value model.Object, paths []string) model.Object {
	for _, path := range paths {
		names := strings.Split(strings.TrimPrefix(path, "/"), "/")
		if !hasMember(value, names) {
			continue
		}
		valid := false
		for n := len(names); n > 0 && !valid; n-- {
			value = withoutMember(value, names[:n])
			_, _, err := registry.Conform(spec, jsontree.Clone(value))
			valid = err == nil
		}
		if !valid {
			return nil
		}
	}
	return value
}

func hasMember(value model.Object, names []string) bool {
	for _, name := range names[:len(names)-1] {
		value = jsontree.Child(value, name)
	}
	return value[names[len(names)-1]] != nil
}

func withoutMember(value model.Object, names []string) model.Object {
	if len(names) == 1 {
		return jsontree.With(value, model.Object{names[0]: nil})
	}
	return jsontree.With(value, model.Object{names[0]: withoutMember(jsontree.Child(value, names[0]), names[1:])})
}
