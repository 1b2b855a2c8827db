// Package policy decides what actors may do.
package policy

import (
	"context"
	"strings"

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
// themselves, but not what decides about the rights of others or what all of
// them see, nor what cannot be undone. The zero value is ready.
type Root struct{}

// Authorize decides an operation on an aspect of an entity, on the entity as a
// whole when aspect is empty. Refusals are fault.Forbidden and name the
// missing privilege; a context without an actor is fault.Unauthenticated.
func (Root) Authorize(ctx context.Context, op auth.Operation, on urn.URN, aspect string) error {
	actor, err := known(ctx)
	if err != nil || mayAll(actor) {
		return err
	}
	needed := privilegeFor(op, on, aspect)
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
func privilegeFor(op auth.Operation, on urn.URN, aspect string) auth.Privilege {
	if on.Type() == "dataHubAccessToken" {
		return auth.ManageTokens
	}
	switch op {
	case auth.OpRead:
		if recipes(on.Type()) {
			return auth.ManageIngestion
		}
		return ""
	case auth.OpExists:
		return ""
	case auth.OpExecute:
		return executeEntity
	}
	writes := op == auth.OpCreate || op == auth.OpUpdate
	if writes && reports(on, aspect) {
		return ""
	}
	if p := guarding(on.Type(), aspect); p != "" {
		return p
	}
	if writes {
		return ""
	}
	return deleteEntity
}

// pipelineSource begins the ids of the sources under which ingestion pipelines
// that nobody scheduled report themselves.
const pipelineSource = "cli-"

// reports tells what every pipeline writes about itself: the source that stands
// for it, and its runs with their outcome.
func reports(on urn.URN, aspect string) bool {
	switch aspect {
	case "dataHubIngestionSourceKey", "dataHubIngestionSourceInfo":
		return strings.HasPrefix(on.Key(), pipelineSource)
	case "dataHubExecutionRequestKey", "dataHubExecutionRequestInput", "dataHubExecutionRequestResult":
		return true
	}
	return false
}

// recipes tells the entity types that hold recipes. People write passwords into
// them.
func recipes(entityType string) bool {
	return entityType == "dataHubIngestionSource" || entityType == "dataHubExecutionRequest"
}

// guarding is the privilege for writes that decide about the rights of others
// or what all of them see, and about what is run.
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
	case "dataHubIngestionSource", "dataHubExecutionRequest":
		return auth.ManageIngestion
	case "post":
		return auth.ManageAnnouncements
	case "dataHubView":
		return auth.ManageGlobalViews
	case "dataHubPageTemplate", "dataHubPageModule":
		return auth.ManageHomePage
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
		"dataHubUpgrade", "dataHubPersona", "telemetry":
		return true
	}
	return false
}
