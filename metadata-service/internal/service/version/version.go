// Package version stores the versions of assets as version sets. The catalog maintains the order of
// versions.
package version

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// SetType is the entity type of version sets.
const SetType = "versionSet"

const properties = "versionProperties"

// Service links versions. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Link sets an existing asset as the latest version of a set, and creates the set with its first
// version. It reports whether anything changed: it does not link the latest version again with the
// same label. A version of another set is fault.Malformed. It requires auth.EditEntity on both.
func (s *Service) Link(ctx context.Context, link Link) (bool, error) {
	decided, err := s.edit.Decide(ctx, auth.OverEach([]urn.URN{link.Set, link.Entity}, auth.EditEntity).ToWrite(properties))
	if err != nil {
		return false, err
	}
	if err := check(link); err != nil {
		return false, err
	}
	if err := s.edit.MustExist(ctx, "linked entity", link.Entity); err != nil {
		return false, err
	}
	now, err := s.edit.Stored(ctx, link.Entity, properties)
	if err != nil {
		return false, err
	}
	set, _ := now["versionSet"].(string)
	label, _ := now["version"].(jsontree.Object)
	latest, _ := now["isLatest"].(bool)
	switch {
	case set == "":
	case set != string(link.Set):
		return false, fault.New(fault.Malformed, "linkedEntity: %s is a version of %s; unlink it first", link.Entity, set)
	case latest && label["versionTag"] == link.Label:
		return false, nil
	}
	_, err = s.WriteLink(ctx, link, catalog.WriteOptions{Decisions: decided})
	return true, edit.Unwrap(err)
}

func check(link Link) error {
	if err := edit.Text("version", link.Label, edit.MaxName, true); err != nil {
		return err
	}
	if err := edit.Text("comment", link.Comment, edit.MaxText, false); err != nil {
		return err
	}
	if link.SourceTime < 0 {
		return fault.New(fault.Malformed, "sourceTimestamp: must not be negative, is %d", link.SourceTime)
	}
	return nil
}

// Unlink removes an asset from a version set, or from its current set if set is empty. It returns
// that set, or an empty URN if the asset is in none. It requires auth.EditEntity on both.
func (s *Service) Unlink(ctx context.Context, set, entity urn.URN) (urn.URN, error) {
	asked := []urn.URN{entity}
	if set != "" {
		asked = append(asked, set)
	}
	decided, err := s.edit.RequireEach(ctx, asked, auth.EditEntity)
	if err != nil {
		return "", err
	}
	value, err := s.edit.Stored(ctx, entity, properties)
	if err != nil || value == nil {
		return "", err
	}
	text, _ := value["versionSet"].(string)
	linked := urn.URN(text)
	switch {
	case set == "":
		if decided, err = s.edit.RequireEach(ctx, []urn.URN{entity, linked}, auth.EditEntity); err != nil {
			return "", err
		}
	case set != linked:
		return "", fault.New(fault.Malformed, "versionSet: %s is a version of %s, not of %s", entity, linked, set)
	}
	// These privileges suffice: only the link is deleted, not the asset. Rules set the previous
	// version as the latest, in the same transaction.
	if err := s.WriteUnlink(ctx, linked, entity, catalog.WriteOptions{Decisions: decided}); err != nil {
		return "", edit.Unwrap(err)
	}
	return linked, nil
}
