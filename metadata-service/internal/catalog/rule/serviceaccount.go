package rule

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// A service account is a user with the sub-type serviceAccount. Managers of service accounts issue
// tokens for such users and delete them, so the sub-type must never apply to a person. Ids of
// service accounts begin with serviceAccountPrefix, which no person can sign up with, unless their
// creator may create any user.
const (
	userSubTypes         = "subTypes"
	serviceAccount       = "SERVICE_ACCOUNT"
	serviceAccountPrefix = "service_"
)

// serviceAccountRules determine at the creation of a user whether it is a service account: no
// write, patch or rollback turns an existing or built-in user into one, and a service account
// remains one, unless an actor that manages policies changes that.
func serviceAccountRules() []Rule {
	return []Rule{{
		Name: "service accounts", Aspects: []string{userSubTypes}, Types: []string{"corpuser"},
		Validate: checkServiceAccount, ValidateRestored: true, AllowRemoval: keepServiceAccount,
		Demands: demandUserRights, DemandedOf: ByRollback,
	}, {
		Name: "passwords of service accounts", Aspects: []string{"corpUserCredentials"}, Validate: checkNoPassword,
	}}
}

// checkNoPassword refuses a password of a service account: it has access tokens and does not sign
// in.
func checkNoPassword(tx Tx, c *Change) error {
	types, err := tx.Value(c.URN, userSubTypes)
	if err == nil && isServiceAccount(types) {
		err = fault.New(fault.Invalid, "%s is a service account and has no password", c.URN)
	}
	return err
}

func isServiceAccount(subTypes model.Object) bool {
	return slices.Contains(jsontree.Texts(subTypes, "typeNames"), serviceAccount)
}

// checkServiceAccount refuses the sub-type for built-in users and for users that the batch does not
// create, for all actors.
func checkServiceAccount(tx Tx, c *Change) error {
	switch {
	case !isServiceAccount(c.After) || isServiceAccount(c.Before):
		return nil
	case isBuiltIn(c.URN):
		return violation(userSubTypes, "/typeNames/*", "%s is a built-in user and cannot be a service account", c.URN)
	case !tx.Created(c.URN):
		return violation(userSubTypes, "/typeNames/*",
			"%s is not created in this batch, and an existing user cannot become a service account; create another user with the sub-type %s", c.URN, serviceAccount)
	}
	return nil
}

// keepServiceAccount refuses to remove the aspect alone, for all actors.
func keepServiceAccount(_ Tx, c *Change) error {
	if c.WithEntity || !isServiceAccount(c.Before) {
		return nil
	}
	return fault.New(fault.Invalid, "%s stays a service account: delete the user, or write %s without %s, which needs the privilege MANAGE_POLICIES",
		c.URN, userSubTypes, serviceAccount)
}

// demandUserRights restricts the privilege over service accounts to service accounts. Ids without
// the reserved prefix, and the sub-types of persons, require a right over users. If a service
// account becomes a person, a person with that name could sign in as it, so that change requires
// the right to grant any privilege.
func demandUserRights(tx Tx, c *Change) ([]Demand, error) {
	was, is := isServiceAccount(c.Before), isServiceAccount(c.After)
	over := auth.Check{Operation: auth.OpUpdate, Entities: []urn.URN{c.URN}}
	if tx.Created(c.URN) {
		over.Operation = "CREATE"
	}
	switch {
	case was && is, is && strings.HasPrefix(c.URN.Key(), serviceAccountPrefix):
		return nil, nil
	case is:
		return []Demand{{
			OneOf:   []auth.Check{over},
			Refusal: Refusal{"Unauthorized to create the service account ", c.URN, ": its id does not begin with " + serviceAccountPrefix + ", so this also needs MANAGE_USERS_AND_GROUPS"},
		}}, nil
	case was:
		return []Demand{{
			OneOf:   []auth.Check{{AnyOf: []auth.Privilege{auth.ManagePolicies}}},
			Refusal: Refusal{"Unauthorized to take the sub-type " + serviceAccount + " from ", c.URN, ": this also needs MANAGE_POLICIES"},
		}}, nil
	case slices.Equal(jsontree.Texts(c.Before, "typeNames"), jsontree.Texts(c.After, "typeNames")):
		return nil, nil
	}
	return []Demand{{
		OneOf:   []auth.Check{over},
		Refusal: Refusal{"Unauthorized to write " + userSubTypes + " of ", c.URN, ", which is not a service account: this also needs MANAGE_USERS_AND_GROUPS"},
	}}, nil
}

// builtInUsers exist in every catalog or represent parts of the service.
var builtInUsers = []urn.URN{model.RootUser, model.SystemActor, model.UnknownActor}

func isBuiltIn(user urn.URN) bool {
	return strings.HasPrefix(user.Key(), "__") || slices.ContainsFunc(builtInUsers, func(u urn.URN) bool { return strings.EqualFold(u.Key(), user.Key()) })
}
