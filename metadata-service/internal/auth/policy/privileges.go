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
			return toSee
		}
		if p := toRead(on.Type()); p != anyone {
			return []auth.Privilege{p}
		}
		return toSee
	case auth.OpExists:
		if on.Type() == "dataHubAccessToken" {
			return tokensExist
		}
		return toExist
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

// Rows that reading asks for often, so that a decision about reading allocates nothing for them.
var (
	toSee       = []auth.Privilege{auth.ViewPage}
	toExist     = []auth.Privilege{auth.ExistsEntity, auth.ViewPage}
	tokensExist = []auth.Privilege{auth.ManageTokens}
)

// orElse is the privilege of a rule, or another where anyone may.
func orElse(p, otherwise auth.Privilege) []auth.Privilege {
	if p == anyone {
		return []auth.Privilege{otherwise}
	}
	return []auth.Privilege{p}
}
