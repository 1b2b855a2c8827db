// Package policy decides what actors may do.
package policy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Root is the plain rule that holds while nobody has written policies: the
// system actor and the administrator may do everything. Everybody else who is
// signed in may read, create and change metadata, change what they say of
// themselves, make tokens for themselves and report their pipelines, but not
// change what decides about the rights of others or what all of them see, nor
// what cannot be undone. The tables say which entity types and aspects that is.
// The zero value is ready. It is safe for concurrent use.
type Root struct {
	// Rows are the stored aspects that decisions depend on. Without them no personal view is
	// told from those of others, and whoever does not manage views reads none.
	Rows Rows
}

// Rows reads the latest rows of a store; what is absent is nil.
type Rows interface {
	Get(ctx context.Context, keys ...model.Key) ([]*model.Record, error)
}

// Decide answers checks, one decision for each in the order asked. Refusals are
// fault.Forbidden and name the missing privilege; a context without an actor is
// fault.Unauthenticated.
func (r Root) Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error) {
	actor, err := known(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]auth.Decision, len(checks))
	for i, c := range checks {
		out[i] = decide(actor, c)
	}
	if mayAll(actor) {
		return out, nil
	}
	return out, r.refusePersonalViews(ctx, actor.URN, checks, out)
}

// Deciding lists the aspects of an entity that decisions about writing it depend
// on: none, since the rule looks at names and types alone.
func (Root) Deciding() []string { return nil }

func known(ctx context.Context) (auth.Actor, error) {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return auth.Actor{}, fault.New(fault.Unauthenticated, "this needs an access token: send Authorization: Bearer <token>")
	}
	return actor, nil
}

func mayAll(a auth.Actor) bool { return a.System || a.URN == model.RootUser }

// decide answers a check as far as names and types do.
func decide(actor auth.Actor, c auth.Check) auth.Decision {
	resources := c.Entities
	if len(resources) == 0 {
		resources = []urn.URN{resourceOf(c.Type)}
	}
	var by auth.Privilege
	var refused error
	met := 0
	for _, on := range resources {
		p, err := allows(actor, c, on)
		switch {
		case err == nil:
			by = p
			met++
		case refused == nil:
			refused = err
		}
	}
	if met == len(resources) || c.AnyEntity && met > 0 {
		return auth.Allow(actor.URN, c, by, Reaches)
	}
	return auth.Refuse(actor.URN, c, refused)
}

// resourceOf stands for the entities of a type, and for no resource.
func resourceOf(entityType string) urn.URN {
	if entityType == "" {
		return ""
	}
	return urn.URN(urn.TypePrefix(entityType))
}

// allows finds the privilege that allows a check for one resource: one that the
// actor holds and the scope of its token permits. The error says what is missing.
func allows(actor auth.Actor, c auth.Check, on urn.URN) (auth.Privilege, error) {
	needed, holds := c.AnyOf, held
	if len(needed) == 0 {
		needed, holds = Privileges(c.Operation, on, c.Aspect), heldOverMetadata
	}
	var beyond auth.Privilege // of the actor, but not of its token
	for _, p := range needed {
		switch {
		case !mayAll(actor) && !holds(p, on) && (p != auth.Own || !owns(actor.URN, c, on)) && (p != auth.AcceptRole || on != actor.URN):
		case actor.Scope.Permits(p, c.Operation, factsOf(on)):
			return p, nil
		case beyond == "":
			beyond = p
		}
	}
	if beyond != "" {
		return "", auth.BeyondScope(actor, c.Operation, beyond, on)
	}
	return "", refusal(actor.URN, c, on)
}

// factsOf are the facts of a resource that its URN tells. What is stored about it
// is not known here, so scopes that ask for more permit nothing.
func factsOf(on urn.URN) auth.ResourceFacts {
	if on == "" {
		return nil
	}
	return func(field auth.ResourceField) ([]string, bool) {
		switch {
		case field == auth.FieldType:
			return []string{on.Type()}, true
		case field == auth.FieldURN && on.Key() != "":
			return []string{string(on)}, true
		}
		return nil, false
	}
}

// heldOverMetadata tells whether everybody has a privilege of the table over a
// resource: to read, create and change what describes data.
func heldOverMetadata(p auth.Privilege, on urn.URN) bool {
	switch p {
	case auth.ViewPage, auth.ExistsEntity:
		return true
	case auth.CreateEntity, auth.EditEntity:
		return toWrite(on.Type(), "") == anyone
	}
	return false
}

// held tells whether everybody has a privilege that an operation of people asks
// for.
func held(p auth.Privilege, on urn.URN) bool {
	switch {
	case on == "":
		return everybody(p)
	case p == auth.DeleteEntity, p == auth.Own, p == auth.AcceptRole:
		return false
	}
	return toWrite(on.Type(), "") == anyone && !curated[on.Type()]
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

// owns tells whether a resource is the actor's. An operation of people has made
// sure of it before it asks; by the table the aspects of oneself are, and reports
// of pipelines, which the catalog holds to what a report may say.
func owns(actor urn.URN, c auth.Check, on urn.URN) bool {
	return len(c.AnyOf) > 0 || isOwn(actor, on, c.Aspect) || auth.Reports(on, c.Aspect)
}

// isOwn tells whether an aspect is one that the actor writes of itself.
func isOwn(actor, on urn.URN, aspect string) bool {
	return actor == on && slices.Contains(guarded[on.Type()].own, aspect)
}

// refusal says what an actor lacks.
func refusal(actor urn.URN, c auth.Check, on urn.URN) error {
	switch {
	case len(c.AnyOf) == 0:
		what := string(on)
		if c.Aspect != "" {
			what = c.Aspect + " of " + what
		}
		needed := Privileges(c.Operation, on, c.Aspect)
		return auth.Lacking(actor, c.Operation, needed, on, "%s is unauthorized to %s %s: needs the privilege %s", actor, c.Operation, what, named(needed))
	case on != "":
		return auth.Lacking(actor, "", c.AnyOf, on, "%s is unauthorized: needs one of the privileges %v over %s", actor, c.AnyOf, on)
	}
	names := make([]string, len(c.AnyOf))
	for i, p := range c.AnyOf {
		names[i] = string(p)
	}
	return auth.Lacking(actor, "", c.AnyOf, "", "%s is unauthorized: needs the privilege %s", actor, strings.Join(names, " or "))
}

// named is the privilege that a refusal names.
func named(needed []auth.Privilege) string {
	for _, p := range needed {
		if p != auth.Own {
			return string(p)
		}
	}
	return fmt.Sprint(needed)
}
