package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Fields that depend on who asks.

// Privileges tell what the caller may do with the entity.
func (a *api) Privileges(ctx context.Context, _ *loader, at place, _ *set) (*gqltype.EntityPrivileges, error) {
	out := &gqltype.EntityPrivileges{}
	flags := []struct {
		flag  **bool
		needs []auth.Privilege
	}{
		{&out.CanManageChildren, []auth.Privilege{auth.ManageGlossaryChildren}}, {&out.CanManageEntity, nil}, {&out.CanEditLineage, []auth.Privilege{auth.EditLineage}},
		{&out.CanEditEmbed, []auth.Privilege{auth.EditEmbed}}, {&out.CanEditQueries, []auth.Privilege{auth.EditQueries}},
		{&out.CanEditProperties, []auth.Privilege{auth.EditProperties}}, {&out.CanEditTags, []auth.Privilege{auth.EditTags}},
		{&out.CanEditGlossaryTerms, []auth.Privilege{auth.EditTerms}}, {&out.CanEditDescription, []auth.Privilege{auth.EditDocs}},
		{&out.CanEditLinks, []auth.Privilege{auth.EditLinks}}, {&out.CanEditDomains, []auth.Privilege{auth.EditDomains}},
		{&out.CanEditDataProducts, []auth.Privilege{auth.EditDataProducts}}, {&out.CanEditOwners, []auth.Privilege{auth.EditOwners}},
		{&out.CanEditIncidents, []auth.Privilege{auth.EditIncidents}}, {&out.CanEditAssertions, []auth.Privilege{auth.EditAssertions}},
		{&out.CanEditAssertionOwners, []auth.Privilege{auth.EditOwners}}, {&out.CanEditDeprecation, []auth.Privilege{auth.EditDeprecation}},
		{&out.CanEditSchemaFieldTags, []auth.Privilege{auth.EditColumnTags}}, {&out.CanEditSchemaFieldGlossaryTerms, []auth.Privilege{auth.EditColumnTerms}},
		{&out.CanEditSchemaFieldDescription, []auth.Privilege{auth.EditColumnDocs}}, {&out.CanViewDatasetUsage, []auth.Privilege{auth.ViewUsage}},
		{&out.CanViewDatasetProfile, []auth.Privilege{auth.ViewProfile}}, {&out.CanViewDatasetOperations, []auth.Privilege{auth.ViewOperations}},
		{&out.CanManageAssetSummary, []auth.Privilege{auth.ManageAssetSummary}},
	}
	checks := make([]auth.Check, len(flags))
	for i, f := range flags {
		checks[i] = auth.Over(at.URN, append(f.needs, auth.EditEntity)...)
	}
	held, err := a.Rights.Held(ctx, checks...)
	if err != nil {
		return nil, err
	}
	for i, f := range flags {
		*f.flag = &held[i]
	}
	return out, nil
}

// RoleIsMine tells whether the caller holds an access role.
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

// FormIsMine tells whether the caller is to fill in a form.
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
	groups, err := a.groupsOf(ctx, me)
	if err != nil {
		return false, err
	}
	for _, s := range jsontree.Texts(at.Record, "groups") {
		if groups[urn.URN(s)] {
			return true, nil
		}
	}
	return false, nil
}

// groupsOf are the groups a user is in.
func (a *api) groupsOf(ctx context.Context, u urn.URN) (map[urn.URN]bool, error) {
	out := map[urn.URN]bool{}
	for aspect, member := range map[string]string{"groupMembership": "groups", "nativeGroupMembership": "nativeGroups"} {
		found, err := a.aspect(ctx, u, aspect)
		if err != nil {
			return nil, err
		}
		for _, s := range jsontree.Texts(found, member) {
			out[urn.URN(s)] = true
		}
	}
	return out, nil
}
