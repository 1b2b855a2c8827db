// Package policy decides what actors may do.
package policy

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Privileges that stand for operations on entities and have no use elsewhere.
const (
	deleteEntity  auth.Privilege = "DELETE_ENTITY"
	executeEntity auth.Privilege = "EXECUTE_ENTITY"
)

// Root is the plain rule that holds while nobody has written policies: the
// system actor and the administrator may do everything. Everybody else who is
// signed in may read, create and change metadata and make tokens for
// themselves, but not what decides about the rights of others, nor what cannot
// be undone. The zero value is ready.
type Root struct{}

// Authorize decides an operation on an aspect of an entity, on the entity as a
// whole when aspect is empty. Refusals are fault.Forbidden and name the
// missing privilege; a context without an actor is fault.Unauthenticated.
func (Root) Authorize(ctx context.Context, op auth.Operation, on urn.URN, aspect string) error {
	actor, err := known(ctx)
	if err != nil || mayAll(actor) {
		return err
	}
	needed := privilegeFor(op, on.Type(), aspect)
	if needed == "" {
		return nil
	}
	what := string(on)
	if aspect != "" {
		what = aspect + " of " + what
	}
	return fault.New(fault.Forbidden, "%s is unauthorized to %s %s: needs the privilege %s", actor.URN, op, what, needed)
}

// Require decides a platform privilege. Errors are those of Authorize.
func (Root) Require(ctx context.Context, p auth.Privilege) error {
	actor, err := known(ctx)
	if err != nil || mayAll(actor) || everybody(p) {
		return err
	}
	return fault.New(fault.Forbidden, "%s is unauthorized: needs the privilege %s", actor.URN, p)
}

// everybody tells the privileges that all who are signed in have: those to see,
// and to create what describes metadata.
func everybody(p auth.Privilege) bool {
	switch p {
	case auth.GenerateTokens, auth.CreateTags, auth.CreateDomains, auth.ManageGlossaries, auth.CreateBusinessAttribute,
		auth.ViewManageTags, auth.ViewProperties, auth.ViewTests, auth.ViewAnalytics:
		return true
	}
	return false
}

func known(ctx context.Context) (auth.Actor, error) {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return auth.Actor{}, fault.New(fault.Unauthenticated, "this needs an access token: send Authorization: Bearer <token>")
	}
	return actor, nil
}

func mayAll(a auth.Actor) bool { return a.System || a.URN == model.RootUser }

// privilegeFor is what an ordinary user lacks for an operation, empty when nothing.
func privilegeFor(op auth.Operation, entityType, aspect string) auth.Privilege {
	if entityType == "dataHubAccessToken" {
		return auth.ManageTokens
	}
	if op == auth.OpRead && recipes(entityType) {
		return auth.ManageIngestion
	}
	if op == auth.OpRead || op == auth.OpExists {
		return ""
	}
	if p := guarding(entityType, aspect); p != "" {
		return p
	}
	switch op {
	case auth.OpCreate, auth.OpUpdate:
		return ""
	case auth.OpExecute:
		return executeEntity
	}
	return deleteEntity
}

// recipes tells the entity types that hold recipes. People write passwords into
// them.
func recipes(entityType string) bool {
	return entityType == "dataHubIngestionSource" || entityType == "dataHubExecutionRequest"
}

// guarding is the privilege for writes that decide about the rights of others.
func guarding(entityType, aspect string) auth.Privilege {
	switch aspect {
	case "roleMembership":
		return auth.ManagePolicies
	case "corpUserCredentials":
		return auth.ManageCredentials
	case account.StateAspect:
		return auth.ManageUsers
	case account.StatusAspect:
		// Removing a user, if only softly, locks it out like a suspension.
		if entityType == account.EntityType {
			return auth.ManageUsers
		}
	}
	switch entityType {
	case "dataHubPolicy", "dataHubRole":
		return auth.ManagePolicies
	case "inviteToken":
		return auth.ManageUsers
	case "globalSettings":
		return auth.ManageSettings // how people sign in is among them
	}
	return ""
}

// Allow decides whether the actor holds one of some privileges over an entity.
// Errors are those of Authorize.
func (Root) Allow(ctx context.Context, on urn.URN, oneOf ...auth.Privilege) error {
	actor, err := known(ctx)
	if err != nil || mayAll(actor) {
		return err
	}
	for _, p := range oneOf {
		switch {
		case p == deleteEntity:
		case guarding(on.Type(), "") != "", managed(on.Type()):
		default:
			return nil
		}
	}
	return fault.New(fault.Forbidden, "%s is unauthorized: needs one of the privileges %v over %s", actor.URN, oneOf, on)
}

// managed are entity types whose changes ask for a privilege of the platform.
func managed(entityType string) bool {
	switch entityType {
	case account.EntityType, "corpGroup", "domain", "glossaryNode", "structuredProperty", "form", "ownershipType",
		"dataHubIngestionSource", "dataHubExecutionRequest", "post", "dataHubView", "dataHubPageTemplate", "dataHubPageModule",
		"dataHubUpgrade", "dataHubPersona", "telemetry":
		return true
	}
	return false
}
