package policy

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Privileges is the table of what allows an operation on an aspect of an entity,
// on the entity as a whole when the aspect is empty: one of them suffices, and
// the first is the one that refusals name. An entity with an empty key stands for
// its type, an empty URN for no entity in particular. It is never empty.
func Privileges(op auth.Operation, on urn.URN, aspect string) []auth.Privilege {
	switch op {
	case auth.OpRead:
		// A question about no entity in particular is one about all that may be read.
		if on == "" {
			return []auth.Privilege{auth.ViewPage}
		}
		return orElse(toRead(on.Type()), auth.ViewPage)
	case auth.OpExists:
		if on.Type() == "dataHubAccessToken" {
			return []auth.Privilege{auth.ManageTokens}
		}
		return []auth.Privilege{auth.ExistsEntity, auth.ViewPage}
	case auth.OpExecute:
		return []auth.Privilege{auth.ExecuteEntity}
	case auth.OpDelete:
		return orElse(toWrite(on.Type(), aspect), auth.DeleteEntity)
	}
	needed := orElse(toWrite(on.Type(), aspect), auth.EditEntity)
	switch {
	case slices.Contains(guarded[on.Type()].own, aspect), auth.Reports(on, aspect):
		return append(needed, auth.Own)
	case op == auth.OpCreate && needed[0] == auth.EditEntity:
		return append(needed, auth.CreateEntity)
	}
	return needed
}

// orElse is the privilege of a rule, or another where anyone may.
func orElse(p, otherwise auth.Privilege) []auth.Privilege {
	if p == anyone {
		return []auth.Privilege{otherwise}
	}
	return []auth.Privilege{p}
}
