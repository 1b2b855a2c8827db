// Package auth holds the words for who asks and what they may do. It decides
// nothing: authn finds the actor, policy decides, catalog and the services ask.
package auth

import (
	"context"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Actor is who makes a request.
type Actor struct {
	URN urn.URN
	// System is set for the service itself and for the proxy's own calls. It passes every check.
	System bool
	// TokenID is the id of the access token the request came with, empty for sessions.
	TokenID string
	// Scope narrows what the request may do below what the actor may; nil narrows nothing. It is
	// that of the access token, and authorizers intersect it.
	Scope *Scope
}

type contextKey struct{}

// WithActor puts the actor into the context.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, contextKey{}, a)
}

// ActorFrom takes it out again; ok is false for an anonymous request.
func ActorFrom(ctx context.Context) (a Actor, ok bool) {
	a, ok = ctx.Value(contextKey{}).(Actor)
	return a, ok
}

type credentialKey struct{}

// WithCredential puts a check of the credential of a request into the context, for
// CheckCredential.
func WithCredential(ctx context.Context, check func(context.Context) error) context.Context {
	return context.WithValue(ctx, credentialKey{}, check)
}

// CheckCredential judges the credential of a request again, after the request has waited:
// the token may have been revoked, or its user removed, in the meantime. The error is
// fault.Unauthenticated then. Without a credential in the context it is nil.
func CheckCredential(ctx context.Context) error {
	check, ok := ctx.Value(credentialKey{}).(func(context.Context) error)
	if !ok {
		return nil
	}
	return check(ctx)
}

// Operation is what a caller does to facts.
type Operation string

const (
	OpCreate  Operation = "CREATE"
	OpRead    Operation = "READ"
	OpUpdate  Operation = "UPDATE"
	OpDelete  Operation = "DELETE" // hard; a soft delete is an update of status
	OpExecute Operation = "EXECUTE"
	OpExists  Operation = "EXISTS"
	// OpManage is asked of a type, and means one of the privileges to update it and one of those
	// to delete it.
	OpManage Operation = "MANAGE"
)

// Privilege is the name of a right that a policy grants.
type Privilege string

// Platform privileges that operations ask for.
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
