// Package policy decides what actors may do.
package policy

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
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
// signed in may read, create and change metadata, change what they say of
// themselves, make tokens for themselves and report their pipelines, but not
// change what decides about the rights of others or what all of them see, nor
// what cannot be undone. The tables say which entity types and aspects that is.
// The zero value is ready.
type Root struct{}

// Authorize decides an operation on an aspect of an entity, on the entity as a
// whole when aspect is empty. Refusals are fault.Forbidden and name the
// missing privilege; a context without an actor is fault.Unauthenticated.
func (Root) Authorize(ctx context.Context, op auth.Operation, on urn.URN, aspect string) error {
	actor, err := known(ctx)
	if err != nil || mayAll(actor) {
		return err
	}
	needed := privilegeFor(actor.URN, op, on, aspect)
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
func privilegeFor(actor urn.URN, op auth.Operation, on urn.URN, aspect string) auth.Privilege {
	switch op {
	case auth.OpRead:
		// A question about no entity in particular is one about all that may be read.
		if on == "" {
			return anyone
		}
		return toRead(on.Type())
	case auth.OpExists:
		if on.Type() == "dataHubAccessToken" {
			return auth.ManageTokens
		}
		return anyone
	case auth.OpExecute:
		return executeEntity
	case auth.OpCreate, auth.OpUpdate:
		if isOwn(actor, on, aspect) || auth.Reports(on, aspect) {
			return anyone
		}
		return toWrite(on.Type(), aspect)
	}
	if p := toWrite(on.Type(), aspect); p != anyone {
		return p
	}
	return deleteEntity
}

// isOwn tells whether an aspect is one that the actor writes of itself.
func isOwn(actor, on urn.URN, aspect string) bool {
	return actor == on && slices.Contains(guarded[on.Type()].own, aspect)
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
		case toWrite(on.Type(), "") != anyone, structural(on.Type()):
		default:
			return nil
		}
	}
	return fault.New(fault.Forbidden, "%s is unauthorized: needs one of the privileges %v over %s", actor.URN, oneOf, on)
}

// structural are entity types of which the single operations that people use ask
// for a privilege of the platform. Ingestion writes them as it writes what it
// describes: glossaries and domains come from files.
func structural(entityType string) bool {
	return entityType == "domain" || entityType == "glossaryNode"
}
