package graphql

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/glossary"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Computed fields that depend on the actor.

// Privileges describes the actor's privileges on the entity: each flag is the result of the
// authorization check of the corresponding mutation.
func (a *api) Privileges(ctx context.Context, _ *loader, at place, _ *set) (*gqltype.EntityPrivileges, error) {
	out := &gqltype.EntityPrivileges{}
	edits := []struct {
		flag  **bool
		needs []auth.Privilege // or EDIT_ENTITY
	}{
		{&out.CanManageChildren, nil}, {&out.CanManageEntity, nil}, {&out.CanEditLineage, []auth.Privilege{auth.EditLineage}},
		{&out.CanEditEmbed, []auth.Privilege{auth.EditEmbed}}, {&out.CanEditQueries, []auth.Privilege{auth.EditQueries}},
		{&out.CanEditProperties, []auth.Privilege{auth.EditProperties}}, {&out.CanEditTags, []auth.Privilege{auth.EditTags}},
		{&out.CanEditGlossaryTerms, []auth.Privilege{auth.EditTerms}}, {&out.CanEditDescription, []auth.Privilege{auth.EditDocs}},
		{&out.CanEditLinks, []auth.Privilege{auth.EditLinks}}, {&out.CanEditDomains, []auth.Privilege{auth.EditDomains}},
		{&out.CanEditDataProducts, []auth.Privilege{auth.EditDataProducts}}, {&out.CanEditOwners, []auth.Privilege{auth.EditOwners}},
		{&out.CanEditIncidents, []auth.Privilege{auth.EditIncidents}}, {&out.CanEditAssertions, []auth.Privilege{auth.EditAssertions}},
		{&out.CanEditAssertionOwners, []auth.Privilege{auth.EditOwners}}, {&out.CanEditDeprecation, []auth.Privilege{auth.EditDeprecation}},
		{&out.CanEditSchemaFieldTags, []auth.Privilege{auth.EditColumnTags}}, {&out.CanEditSchemaFieldGlossaryTerms, []auth.Privilege{auth.EditColumnTerms}},
		{&out.CanEditSchemaFieldDescription, []auth.Privilege{auth.EditColumnDocs}}, {&out.CanManageAssetSummary, []auth.Privilege{auth.ManageAssetSummary}},
	}
	var flags []privilegeFlag
	for _, e := range edits {
		*e.flag = new(bool)
		flags = append(flags, privilegeFlag{*e.flag, []auth.Check{auth.Over(at.URN, append(e.needs, auth.EditEntity)...)}})
	}
	// Usage, profiles and operations of a dataset require the specific privilege; EDIT_ENTITY
	// does not suffice.
	for _, view := range []struct {
		flag      **bool
		privilege auth.Privilege
	}{{&out.CanViewDatasetUsage, auth.ViewUsage}, {&out.CanViewDatasetProfile, auth.ViewProfile}, {&out.CanViewDatasetOperations, auth.ViewOperations}} {
		*view.flag = new(bool)
		flags = append(flags, privilegeFlag{*view.flag, []auth.Check{auth.Over(at.URN, view.privilege)}})
	}
	if at.URN.Type() == "domain" {
		flags = append(flags, privilegeFlag{out.CanManageEntity, oneOf(auth.ManageDomains)}, privilegeFlag{out.CanManageChildren, oneOf(auth.ManageDomains)})
	}
	if err := a.fillFlags(ctx, flags); err != nil {
		return nil, err
	}
	return out, a.glossaryPrivileges(ctx, at.URN, out)
}

// glossaryPrivileges adds the flags that result from privileges on a part of the glossary.
func (a *api) glossaryPrivileges(ctx context.Context, u urn.URN, out *gqltype.EntityPrivileges) error {
	if u.Type() != glossary.Term && u.Type() != glossary.Node {
		return nil
	}
	mayEdit, err := decisionOf(a.Glossary.MayEdit(ctx, u))
	if err != nil {
		return err
	}
	mayChangeBelow := false
	if u.Type() == glossary.Node {
		if mayChangeBelow, err = decisionOf(a.Glossary.MayChangeBelow(ctx, u)); err != nil {
			return err
		}
	}
	*out.CanManageEntity, *out.CanManageChildren = mayEdit, mayChangeBelow
	for _, flag := range []*bool{out.CanEditDescription, out.CanEditLinks, out.CanEditDomains} {
		*flag = *flag || mayEdit
	}
	return nil
}

// decisionOf converts the result of a check: it returns false for a refusal, and an error for any
// other failure.
func decisionOf(_ auth.Decisions, err error) (bool, error) {
	if fault.KindOf(err) == fault.Forbidden {
		return false, nil
	}
	return err == nil, err
}

// RoleIsMine reports whether the actor holds an access role.
func (a *api) RoleIsMine(ctx context.Context, _ *loader, at place, _ *set) (bool, error) {
	me := string(actor(ctx))
	if me == "" {
		return false, nil
	}
	for _, o := range jsontree.Children(jsontree.AsObject(at.Aspect("actors")), "users") {
		if jsontree.Text(o, "user") == me {
			return true, nil
		}
	}
	return false, nil
}

// FormIsMine reports whether a form is assigned to the actor, directly or through a group.
func (a *api) FormIsMine(ctx context.Context, _ *loader, at place, _ *set) (bool, error) {
	me := actor(ctx)
	if me == "" {
		return false, nil
	}
	for _, s := range jsontree.Texts(at.Record, "users") {
		if s == string(me) {
			return true, nil
		}
	}
	groups, err := account.Groups(ctx, a.Catalog.Store, me)
	if err != nil {
		return false, err
	}
	for _, s := range jsontree.Texts(at.Record, "groups") {
		if slices.Contains(groups, urn.URN(s)) {
			return true, nil
		}
	}
	return false, nil
}
