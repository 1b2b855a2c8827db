// Package auth defines the vocabulary of authentication and authorization: actors, checks,
// decisions, privileges and scopes. It decides nothing. Package authn finds the actor of a request,
// package policy decides, and the catalog and the services send the checks.
package auth

import (
	"context"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Actor is the authenticated identity of a request.
type Actor struct {
	URN urn.URN
	// System is true for the service itself and for the proxy's own calls. A system actor passes
	// every check.
	System bool
	// TokenID is the id of the access token of the request. It is empty for sessions.
	TokenID string
	// Scope restricts the request to a part of the actor's privileges. It is the scope of the
	// access token, and authorizers intersect it with the privileges of the actor. A nil Scope
	// restricts nothing.
	Scope *Scope
}

type contextKey struct{}

// WithActor returns a context that carries the actor.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, contextKey{}, a)
}

// ActorFrom returns the actor of the context. ok is false for an anonymous request.
func ActorFrom(ctx context.Context) (a Actor, ok bool) {
	a, ok = ctx.Value(contextKey{}).(Actor)
	return a, ok
}

type credentialKey struct{}

// WithCredential returns a context that carries a check of the request's credential, for
// CheckCredential.
func WithCredential(ctx context.Context, check func(context.Context) error) context.Context {
	return context.WithValue(ctx, credentialKey{}, check)
}

// CheckCredential checks the credential of a request again after the request has waited, since its
// token may have been revoked or its user removed in the meantime. It then returns
// fault.Unauthenticated. It returns nil if the context carries no credential.
func CheckCredential(ctx context.Context) error {
	check, ok := ctx.Value(credentialKey{}).(func(context.Context) error)
	if !ok {
		return nil
	}
	return check(ctx)
}

// Operation is the kind of access to entities and aspects that a check is about.
type Operation string

const (
	OpCreate  Operation = "CREATE"
	OpRead    Operation = "READ"
	OpUpdate  Operation = "UPDATE"
	OpDelete  Operation = "DELETE" // a hard delete; a soft delete is an update of the aspect status
	OpExecute Operation = "EXECUTE"
	OpExists  Operation = "EXISTS"
	// OpManage applies to entity types. It requires one of the privileges to update the type and
	// one of those to delete it.
	OpManage Operation = "MANAGE"
)

// Privilege is the name of a privilege that a policy grants.
type Privilege string

// Platform privileges that operations require.
const (
	GenerateTokens    Privilege = "GENERATE_PERSONAL_ACCESS_TOKENS"
	ManageTokens      Privilege = "MANAGE_ACCESS_TOKENS"
	ManageServiceAcct Privilege = "MANAGE_SERVICE_ACCOUNTS"
	ManagePolicies    Privilege = "MANAGE_POLICIES"
	ManageUsers       Privilege = "MANAGE_USERS_AND_GROUPS"
	ManageCredentials Privilege = "MANAGE_USER_CREDENTIALS"
	ManageIngestion   Privilege = "MANAGE_INGESTION"
	ManageSystem      Privilege = "MANAGE_SYSTEM_OPERATIONS"
	ApplyRetention    Privilege = "APPLY_RETENTION_PRIVILEGE"
	SetWriteable      Privilege = "SET_WRITEABLE_PRIVILEGE"
	RestoreIndices    Privilege = "RESTORE_INDICES_PRIVILEGE"
)
