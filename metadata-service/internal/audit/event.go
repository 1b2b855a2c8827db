package audit

import (
	"slices"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Type is the type of an event.
type Type string

// Types that clients of the search API know.
const (
	CreateUser    Type = "CreateUserEvent"
	UpdateUser    Type = "UpdateUserEvent"
	CreatePolicy  Type = "CreatePolicyEvent"
	UpdatePolicy  Type = "UpdatePolicyEvent"
	DeletePolicy  Type = "DeletePolicyEvent"
	CreateToken   Type = "CreateAccessTokenEvent"
	RevokeToken   Type = "RevokeAccessTokenEvent"
	CreateSource  Type = "CreateIngestionSourceEvent"
	UpdateSource  Type = "UpdateIngestionSourceEvent"
	LogIn         Type = "LogInEvent"
	FailedLogIn   Type = "FailedLogInEvent"
	UpdateAspect  Type = "UpdateAspectEvent"
	DeleteEntity  Type = "DeleteEntityEvent"
	RestateEntity Type = "EntityEvent"
)

// Additional types, which the search returns only to operators who request them.
const (
	LogOut            Type = "LogOutEvent"
	EndSessions       Type = "EndSessionsEvent" // all sessions of the user in Entity
	RotateKey         Type = "RotateTokenKeyEvent"
	TakeBackup        Type = "TakeBackupEvent"
	FailedSignUp      Type = "FailedSignUpEvent"
	FailedReset       Type = "FailedPasswordResetEvent"
	RefusedAction     Type = "AccessRefusedEvent"
	RefusedCredential Type = "CredentialRefusedEvent"
	Throttled         Type = "ThrottledEvent"
	// Lost represents changes that were trimmed from the change log before they were recorded.
	Lost Type = "EventsLostEvent"
)

// Class is a group of events with a share of the store of its own.
type Class byte

// Classes.
const (
	Administration Class = iota + 1 // changes of users, groups, policies, tokens, secrets and sources; sign-ins
	Refusals                        // actions that were refused
	Writes                          // all other changes
)

// Classes returns all classes.
func Classes() []Class { return []Class{Administration, Refusals, Writes} }

// String returns the name of the class in metrics.
func (c Class) String() string {
	switch c {
	case Administration:
		return "administration"
	case Refusals:
		return "refusals"
	}
	return "writes"
}

var refusalTypes = []Type{FailedLogIn, FailedSignUp, FailedReset, RefusedAction, RefusedCredential, Throttled}

var writeTypes = []Type{UpdateAspect, DeleteEntity, RestateEntity}

// IsWrite reports whether the type is that of changes without a type of their own.
func (t Type) IsWrite() bool { return slices.Contains(writeTypes, t) }

// Known reports whether the type exists.
func (t Type) Known() bool { return slices.Contains(Types(), t) }

// Ours reports whether the type is unknown to clients of the search API.
func (t Type) Ours() bool {
	return slices.Contains([]Type{LogOut, EndSessions, RotateKey, TakeBackup, FailedSignUp, FailedReset, RefusedAction, RefusedCredential, Throttled, Lost}, t)
}

// Types returns all types.
func Types() []Type {
	return slices.Concat(DefaultShown(), []Type{LogIn, LogOut, EndSessions, RotateKey, TakeBackup, Lost}, refusalTypes, writeTypes)
}

// DefaultShown returns the types of changes that the search returns by default. It always returns
// sign-ins as well.
func DefaultShown() []Type {
	return []Type{CreateUser, UpdateUser, CreatePolicy, UpdatePolicy, DeletePolicy, CreateToken, RevokeToken, CreateSource, UpdateSource}
}

// sensitiveTypes lists the entity types that decide about privileges, or hold secrets.
var sensitiveTypes = []string{
	"corpuser", "corpGroup", "dataHubPolicy", "dataHubRole", "dataHubAccessToken", "inviteToken", "dataHubSecret", "dataHubConnection",
	"dataHubIngestionSource", "globalSettings",
}

// ClassesOf returns the classes of the events of a type.
func ClassesOf(t Type) []Class {
	switch {
	case slices.Contains(refusalTypes, t):
		return []Class{Refusals}
	case t.IsWrite():
		return []Class{Administration, Writes}
	}
	return []Class{Administration}
}

// Event is one recorded action. Unknown texts are empty.
type Event struct {
	Type  Type
	Time  int64   // epoch ms
	Actor urn.URN // the actor of the action, or of the attempt
	// Number distinguishes events with equal time, type and actor. For changes it is the sequence
	// in the change log, so that a change that is read twice is one event.
	Number uint64

	Entity urn.URN
	Aspect string
	// Address is the network address of the client, Agent its user agent, and Source the interface:
	// RESTLI, OPENAPI, GRAPHQL, MCP.
	Address, Agent, Source string
	Request, Trace, Token  string // ids
	Run                    string // id of the ingestion run
	Origin                 string // the background projection that made the change

	LoginSource string // method of signing in, such as passwordLogin
	Denial      string // reason why the user may not sign in, such as SUSPENDED
	// Reason is the reason of a refusal as text. Operation is the attempted operation, as method
	// and path pattern. Privileges are those that would have allowed it, separated by commas.
	Reason, Operation, Privileges string
	// Count is the number of equal events that this one represents, 0 for one.
	Count int64
}

// EntityType returns the type of the entity, empty without one.
func (e *Event) EntityType() string {
	if e.Entity == "" {
		return ""
	}
	return e.Entity.Type()
}

// Class returns the class of the event.
func (e *Event) Class() Class {
	if e.Type.IsWrite() && !slices.Contains(sensitiveTypes, e.EntityType()) {
		return Writes
	}
	return ClassesOf(e.Type)[0]
}

// Place is the position of an event in the order of all events: newest first, then by type, actor
// and number.
type Place struct {
	Time   int64
	Type   Type
	Actor  urn.URN
	Number uint64
}

// Place returns the place of the event.
func (e *Event) Place() Place { return Place{e.Time, e.Type, e.Actor, e.Number} }

// Compare returns a negative number if p comes before o, and a positive one if it comes after.
func (p Place) Compare(o Place) int {
	switch {
	case p.Time != o.Time:
		return compare(o.Time, p.Time)
	case p.Type != o.Type:
		return compare(p.Type, o.Type)
	case p.Actor != o.Actor:
		return compare(p.Actor, o.Actor)
	}
	return compare(p.Number, o.Number)
}
