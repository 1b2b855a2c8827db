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

const maxID = 400 // bytes, so that a URN made of it stays within its limit

// NewURN is the URN of an entity to create: of the id when there is one, of a
// random UUID otherwise. It must be free; what names it for people.
func (e *Editor) NewURN(ctx context.Context, what, entityType, id string) (urn.URN, error) {
	u, err := e.NameNew(entityType, id)
	if err != nil {
		return "", err
	}
	return u, e.MustBeFree(ctx, what, u)
}

// NameNew is NewURN for a caller whose right to create the entity is to be decided first: whether the URN is
// free is told to those who may create it.
func (e *Editor) NameNew(entityType, id string) (urn.URN, error) {
	if id == "" {
		id = uuid.NewString()
	}
	if len(id) > maxID {
		return "", fault.New(fault.Malformed, "id: longer than %d bytes", maxID)
	}
	return e.Parse("id", string(urn.Make(entityType, id)), entityType)
}

// Create writes an entity that is not there, from changes of its aspects. Of many
// who ask at once one makes it; for the others, and when it is there already, the
// error is fault.Malformed. Names that must be unique are refused when they are taken. what is its name for people.
func (e *Editor) Create(ctx context.Context, decided auth.Decisions, what string, u urn.URN, changes ...Change) error {
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
	if taken := e.MustBeFree(ctx, what, u); taken != nil {
		return taken
	}
	return Unwrap(err)
}

// Types of ownership of who creates something: the first, and the second where
// somebody deleted the first.
const (
	TechnicalOwner urn.URN = "urn:li:ownershipType:__system__technical_owner"
	UntypedOwner   urn.URN = "urn:li:ownershipType:__system__none"
)

// Creator is the change that makes the actor the owner of what it creates.
// Parts of the system own nothing.
func (e *Editor) Creator(ctx context.Context, u urn.URN) []Change {
	who, ok := auth.ActorFrom(ctx)
	if !ok || who.System {
		return nil
	}
	word, kind := "TECHNICAL_OWNER", TechnicalOwner
	if there, err := e.Exists(ctx, kind); err == nil && !there {
		word, kind = "NONE", UntypedOwner
	}
	return []Change{Set(u, "ownership", jsontree.Object{
		"owners": []any{jsontree.Object{
			"owner": string(who.URN), "type": word, "typeUrn": string(kind), "source": jsontree.Object{"type": "MANUAL"},
		}},
		"lastModified": e.Stamp(ctx),
	})}
}

// Text checks a text that people typed: its length in bytes and that it is not
// blank when it is required.
func Text(name, text string, limit int, required bool) error {
	switch {
	case len(text) > limit:
		return fault.New(fault.TooLarge, "%s: longer than %d bytes", name, limit)
	case required && blank(text):
		return fault.New(fault.Malformed, "%s: must not be empty", name)
	}
	return nil
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
