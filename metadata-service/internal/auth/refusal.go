package auth

import (
	"context"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// RestrictedType is the type of the entities that replace entities which the actor may not view.
const RestrictedType = "restricted"

// HiddenEntity replaces, in the text of a refusal, the URN of an entity that view authorization
// hides from the actor.
const HiddenEntity = "an entity that you may not view"

// HiddenResource is the resource of a refusal about an entity that view authorization hides from
// the actor. It is the prefix of the URNs of restricted entities.
const HiddenResource urn.URN = "urn:li:" + RestrictedType + ":"

// NameOf returns the name of a resource for the text of a refusal.
func NameOf(on urn.URN) string {
	if on == HiddenResource {
		return HiddenEntity
	}
	return string(on)
}

// Lacking returns a refusal of kind fault.Forbidden whose structured part states for programs the
// content of its message: the actor lacks privileges, of which one would suffice, over a resource.
// The resource is an entity, the prefix of the URNs of a type, or empty for the platform. The
// operation is empty if the check listed its privileges.
func Lacking(actor urn.URN, op Operation, oneOf []Privilege, on urn.URN, format string, args ...any) *fault.Error {
	m := fault.Missing{Privileges: make([]string, 0, len(oneOf)), Resource: string(on)}
	for _, p := range oneOf {
		// No policy can grant the privilege Own.
		if p != Own {
			m.Privileges = append(m.Privileges, string(p))
		}
	}
	r := fault.Refusal{Actor: string(actor), Operation: string(op)}
	if len(m.Privileges) > 0 {
		r.Missing = []fault.Missing{m}
	}
	return fault.Refuse(r, format, args...)
}

// RefusalOf returns the structured part of a refusal for an answer: the refused actor and the
// missing privileges. The actor is the one of the context unless the failure names one. It returns
// nil for failures that are not of kind fault.Forbidden.
func RefusalOf(ctx context.Context, err error) *fault.Refusal {
	if err == nil || fault.KindOf(err) != fault.Forbidden {
		return nil
	}
	r := fault.RefusalOf(err)
	if actor, ok := ActorFrom(ctx); ok && r.Actor == "" {
		r.Actor = string(actor.URN)
	}
	return &r
}

// CodeForbidden is the code in answers that refuse, with any HTTP status. It distinguishes a
// refusal that is sent as 401 from a bad credential.
const CodeForbidden = "FORBIDDEN"
