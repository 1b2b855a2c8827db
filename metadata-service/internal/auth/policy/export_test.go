package policy

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Refusal returns the refusal of one check, nil if it is allowed.
func (e *Engine) Refusal(ctx context.Context, c auth.Check) error {
	_, err := auth.Require(ctx, e, c)
	return err
}

// ConfiguredTypes returns the entity types that configure an installation.
func ConfiguredTypes() (types []string) {
	for _, name := range privilege.Types() {
		if privilege.Managing(name) != "" && slices.Contains(privilege.Needed(auth.OpUpdate, urn.Make(name, "some"), ""), auth.EditEntity) {
			types = append(types, name)
		}
	}
	return types
}

// HasOwner reports whether there is a function for the owner of entities of a type.
func HasOwner(entityType string) bool { return owners[entityType] != nil }
