package endpoint

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Sizes of pages.
const (
	DefaultCount = 10
	MaxCount     = 1000
)

// Parameters of several operations.
var (
	CountParam       = spec.NewParam("count", spec.KindNumber, "", "Size of a page; at most 1000 are given.")
	StartParam       = spec.NewParam("start", spec.KindNumber, "0", "How many to skip.")
	AspectNamesParam = spec.NewParam("aspectNames", spec.KindList, "", "Names of aspects, repeated; all when absent.")
)

// EntityType finds an entity type from a path or a body, ignoring case.
func EntityType(registry *model.Registry, name string) (*model.EntitySpec, error) {
	found, ok := registry.Entity(name)
	if !ok {
		return nil, fault.New(fault.Malformed, "Failed to find entity with name %s in EntityRegistry", Truncate(name))
	}
	return found, nil
}

// Listable returns the entity types without those whose existence is secret.
func Listable(registry *model.Registry) []string {
	var names []string
	for _, e := range registry.Entities() {
		if !e.Key.Secret {
			names = append(names, e.Name)
		}
	}
	return names
}

// AspectNames holds the aspect names of the registry by their lower-case form.
type AspectNames map[string]string

// NewAspectNames returns the names of the aspects of a registry.
func NewAspectNames(registry *model.Registry) AspectNames {
	names := AspectNames{}
	for _, aspect := range registry.Aspects() {
		names[strings.ToLower(aspect.Name)] = aspect.Name
	}
	return names
}

// Of converts the name of an aspect to the spelling of the registry. An unknown name remains
// unchanged: reads ignore it, writes refuse it.
func (n AspectNames) Of(name string) string {
	if known, ok := n[strings.ToLower(name)]; ok {
		return known
	}
	return name
}

// All converts several names.
func (n AspectNames) All(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = n.Of(name)
	}
	return out
}
