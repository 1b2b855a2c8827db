package privilege

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Ownership is the rule about owners of an entity type whose entities can belong to single users.
type Ownership struct {
	// aspects are the aspects that the owner writes with the privilege auth.Own. everyAspect
	// includes the entity as a whole.
	aspects []string
	// ByTable permits the owner to write these aspects through interfaces that write any aspect.
	// This requires that no written value can change the owner.
	ByTable bool
	// Manage is the privilege needed for a write to an entity of another user, in place of the
	// privileges over entities of all types. If it is empty, the table decides by the type alone.
	Manage auth.Privilege
}

// ownerships holds the rules by entity type. Entities of other types have no owner.
var ownerships = map[string]Ownership{
	account.EntityType:    {aspects: []string{account.ProfileAspect, "corpUserSettings"}, ByTable: true},
	"dataHubStepState":    {aspects: []string{everyAspect}, ByTable: true, Manage: auth.ManageSettings},
	"dataHubView":         {aspects: []string{everyAspect}, Manage: auth.ManageGlobalViews},
	"dataHubPageTemplate": {aspects: []string{everyAspect}, Manage: auth.ManageHomePage},
	"dataHubPageModule":   {aspects: []string{everyAspect}, Manage: auth.ManageHomePage},
}

// OwnershipOf returns the rule of an entity type; ok is false for types whose entities have no
// owner.
func OwnershipOf(entityType string) (o Ownership, ok bool) {
	o, ok = ownerships[entityType]
	return o, ok
}

// formAspects are the aspects that an actor writes to entities without an owner because a form
// assigns them to the actor. The service that checks auth.Own has read the form.
var formAspects = []string{"forms", "structuredProperties"}

// IsOwn reports whether the privilege auth.Own permits writing an aspect.
func IsOwn(on urn.URN, aspect string) bool {
	o, ok := ownerships[on.Type()]
	if !ok {
		return slices.Contains(formAspects, aspect)
	}
	return slices.Contains(o.aspects, aspect) || slices.Contains(o.aspects, everyAspect)
}
