package auth

import (
	"context"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// RestrictedType is the entity type of what stands for an entity that the actor may not view.
const RestrictedType = "restricted"

// HiddenEntity is what the text of a refusal calls an entity that view authorization hides from
// the actor.
const HiddenEntity = "an entity that you may not view"

// HiddenResource is the resource of a refusal about an entity that view authorization hides from
// the actor: the prefix of the URNs of restricted entities.
const HiddenResource urn.URN = "urn:li:" + RestrictedType + ":"

// NameOf is what the text of a refusal calls a resource.
func NameOf(on urn.URN) string {
	if on == HiddenResource {
		return HiddenEntity
	}
	return string(on)
}

// Lacking is a refusal of kind fault.Forbidden that tells programs what people
// read in its message: the actor lacks privileges, of which one would suffice,
// over a resource. The resource is an entity, the prefix of the URNs of a type,
// or empty for the platform. The operation is empty when privileges were asked for
// by name.
func Lacking(actor urn.URN, op Operation, oneOf []Privilege, on urn.URN, format string, args ...any) *fault.Error {
	m := fault.Missing{Privileges: make([]string, 0, len(oneOf)), Resource: string(on)}
	for _, p := range oneOf {
		// Nobody can be given what is one's own.
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

// RefusalOf is what an answer tells programs about a refusal: who was refused,
// which is the actor in the context unless the failure names one, and what is
// missing. It is nil for failures that are not of kind fault.Forbidden.
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

// CodeForbidden is the code in answers that refuse, whatever status an API sends:
// a refusal that is sent as 401 is told from a bad credential by it.
const CodeForbidden = "FORBIDDEN"
