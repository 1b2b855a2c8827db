package audit

import (
	"slices"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Type says what happened.
type Type string

// Types that clients of the search know.
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

// Types of our own, which that search gives to operators who name them.
const (
	LogOut            Type = "LogOutEvent"
	EndSessions       Type = "EndSessionsEvent" // all of the user that is the entity
	RotateKey         Type = "RotateTokenKeyEvent"
	TakeBackup        Type = "TakeBackupEvent"
	FailedSignUp      Type = "FailedSignUpEvent"
	FailedReset       Type = "FailedPasswordResetEvent"
	RefusedAction     Type = "AccessRefusedEvent"
	RefusedCredential Type = "CredentialRefusedEvent"
	Throttled         Type = "ThrottledEvent"
	// Lost stands for changes that the log does not hold: the change log was trimmed before
	// they were read.
	Lost Type = "EventsLostEvent"
)

// Class is a sort of events that has room of its own in the store.
type Class byte

// Classes.
const (
	Administration Class = iota + 1 // of users, groups, policies, tokens, secrets, sources; sign-ins
	Refusals                        // what did not happen
	Writes                          // all other changes
)

// Classes lists them all.
func Classes() []Class { return []Class{Administration, Refusals, Writes} }

// String names the class in metrics.
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

// IsWrite tells whether events of the type are of changes that have no type of their own.
func (t Type) IsWrite() bool { return slices.Contains(writeTypes, t) }

// Known tells whether there is such a type.
func (t Type) Known() bool { return slices.Contains(Types(), t) }

// Ours tells whether the type is none that clients of the search know.
func (t Type) Ours() bool {
	return slices.Contains([]Type{LogOut, EndSessions, RotateKey, TakeBackup, FailedSignUp, FailedReset, RefusedAction, RefusedCredential, Throttled, Lost}, t)
}

// Types lists them all.
func Types() []Type {
	return slices.Concat(DefaultShown(), []Type{LogIn, LogOut, EndSessions, RotateKey, TakeBackup, Lost}, refusalTypes, writeTypes)
}

// DefaultShown lists the types of changes that the search shows unless it is told
// otherwise. Sign-ins it always shows.
func DefaultShown() []Type {
	return []Type{CreateUser, UpdateUser, CreatePolicy, UpdatePolicy, DeletePolicy, CreateToken, RevokeToken, CreateSource, UpdateSource}
}

// administered are the types of entities that decide who may do what, or hold secrets.
var administered = []string{
	"corpuser", "corpGroup", "dataHubPolicy", "dataHubRole", "dataHubAccessToken", "inviteToken", "dataHubSecret", "dataHubConnection",
	"dataHubIngestionSource", "globalSettings",
}

// ClassesOf lists the classes in which events of a type are kept.
func ClassesOf(t Type) []Class {
	switch {
	case slices.Contains(refusalTypes, t):
		return []Class{Refusals}
	case t.IsWrite():
		return []Class{Administration, Writes}
	}
	return []Class{Administration}
}

// Event is one thing that happened. Texts that are not known are empty.
type Event struct {
	Type  Type
	Time  int64   // epoch ms
	Actor urn.URN // who did it, or tried to
	// Number tells events of one time, type and actor apart. For changes it is the sequence in
	// the change log, so that a change that is read twice is one event.
	Number uint64

	Entity urn.URN
	Aspect string
	// Address is where the request came from, Agent the program as it names itself, Source the
	// interface: RESTLI, OPENAPI, GRAPHQL, MCP.
	Address, Agent, Source string
	Request, Trace, Token  string // ids
	Run                    string // id of the ingestion run
	Origin                 string // the background projection that made the change

	LoginSource string // way of signing in, such as passwordLogin
	Denial      string // why somebody may not sign in, such as SUSPENDED
	// Reason says in words why something was refused, Operation what was tried, as method and
	// pattern of a path, Privileges which ones would have allowed it, separated by commas.
	Reason, Operation, Privileges string
	// Count is how many events alike it stands for, 0 for one.
	Count int64
}

// EntityType is the type of the entity, empty without one.
func (e *Event) EntityType() string {
	if e.Entity == "" {
		return ""
	}
	return e.Entity.Type()
}

// Class is where the event is kept.
func (e *Event) Class() Class {
	if e.Type.IsWrite() && !slices.Contains(administered, e.EntityType()) {
		return Writes
	}
	return ClassesOf(e.Type)[0]
}

// Place is where an event stands among all: newest first, then by type, by
// actor, by number.
type Place struct {
	Time   int64
	Type   Type
	Actor  urn.URN
	Number uint64
}

// Place is where the event stands.
func (e *Event) Place() Place { return Place{e.Time, e.Type, e.Actor, e.Number} }

// Compare is negative when p comes before o.
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
