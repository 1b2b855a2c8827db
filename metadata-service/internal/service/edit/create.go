package edit

import (
	"context"

	"github.com/google/uuid"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const maxID = 400 // bytes, so that a URN with the id stays within its limit

// NewURN returns the URN of an entity to create, from the given id or, if that is empty, from a
// random UUID. If the entity exists, the error is fault.Malformed; noun names its type in the
// message.
func (e *Editor) NewURN(ctx context.Context, noun, entityType, id string) (urn.URN, error) {
	u, err := e.NameNew(entityType, id)
	if err != nil {
		return "", err
	}
	return u, e.MustBeFree(ctx, noun, u)
}

// NameNew is like NewURN but does not check whether the entity exists. It is for callers that first
// decide the privilege to create the entity: only actors with that privilege may learn whether a
// URN is free.
func (e *Editor) NameNew(entityType, id string) (urn.URN, error) {
	if id == "" {
		id = uuid.NewString()
	}
	if len(id) > maxID {
		return "", fault.New(fault.Malformed, "id: longer than %d bytes", maxID)
	}
	return e.Parse("id", string(urn.Make(entityType, id)), entityType)
}

// Create writes an entity that must not exist, from changes of its aspects, all or none. Of
// concurrent calls for the same URN one succeeds. For the others, and if the entity exists, the
// error is fault.Malformed; noun names its type in the message. It refuses unique names that are in
// use.
func (e *Editor) Create(ctx context.Context, decided auth.Decisions, noun string, u urn.URN, changes ...Change) error {
	proposals, err := e.propose(ctx, changes)
	if err != nil {
		return err
	}
	for i := range proposals {
		if proposals[i].URN == string(u) {
			proposals[i].Change = model.CreateEntity
		}
	}
	if _, err = e.Catalog.Write(ctx, proposals, catalog.WriteOptions{Decisions: decided, UniqueNames: true}); err == nil {
		return nil
	}
	if taken := e.MustBeFree(ctx, noun, u); taken != nil {
		return taken
	}
	return Unwrap(err)
}

// Ownership types of the creator of an entity: TechnicalOwner, or UntypedOwner if the former was
// deleted.
const (
	TechnicalOwner urn.URN = "urn:li:ownershipType:__system__technical_owner"
	UntypedOwner   urn.URN = "urn:li:ownershipType:__system__none"
)

// Creator returns the change that sets the actor as owner of a new entity. It returns none for
// system actors, which own nothing.
func (e *Editor) Creator(ctx context.Context, u urn.URN) []Change {
	actor, ok := auth.ActorFrom(ctx)
	if !ok || actor.System {
		return nil
	}
	typeName, kind := "TECHNICAL_OWNER", TechnicalOwner
	if there, err := e.Exists(ctx, kind); err == nil && !there {
		typeName, kind = "NONE", UntypedOwner
	}
	return []Change{Set(u, "ownership", jsontree.Object{
		"owners": []any{jsontree.Object{
			"owner": string(actor.URN), "type": typeName, "typeUrn": string(kind), "source": jsontree.Object{"type": "MANUAL"},
		}},
		"lastModified": e.Stamp(ctx),
	})}
}

// Text checks a text from user input: at most limit bytes (fault.TooLarge) and, if required, not
// blank (fault.Malformed).
func Text(name, text string, limit int, required bool) error {
	switch {
	case len(text) > limit:
		return fault.New(fault.TooLarge, "%s: longer than %d bytes", name, limit)
	case required && blank(text):
		return fault.New(fault.Malformed, "%s: must not be empty", name)
	}
	return nil
}

// OptionalText is Text for a text that may be absent: nil is valid.
func OptionalText(name string, text *string, limit int, required bool) error {
	if text == nil {
		return nil
	}
	return Text(name, *text, limit, required)
}

// NameAndDescription checks a name, which must not be blank, and a description from user input with
// OptionalText.
func NameAndDescription(name, description *string) error {
	if err := OptionalText("name", name, MaxName, true); err != nil {
		return err
	}
	return OptionalText("description", description, MaxText, false)
}

func blank(text string) bool {
	for _, r := range text {
		if r != ' ' && r != '\t' && r != '\n' && r != '\r' {
			return false
		}
	}
	return true
}

// Limits of texts in bytes.
const (
	MaxName = 1000
	MaxText = 200_000
)
