package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/glossary"
	"github.com/cartulary/cartulary/metadata-service/internal/service/label"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

func entryDraft(in gqltype.CreateGlossaryEntityInput) glossary.Draft {
	return glossary.Draft{ID: value(in.Id), Name: in.Name, Description: value(in.Description), Parent: value(in.ParentNode)}
}

// urnResult is the result of operations that return a new URN.
func urnResult(u urn.URN, err error) (*string, error) {
	if err != nil {
		return nil, err
	}
	return ptr(string(u)), nil
}

// CreateGlossaryTerm creates a term and returns its URN.
func (m *mutation) CreateGlossaryTerm(ctx context.Context, args gqltype.CreateGlossaryTermArgs) (*string, error) {
	return urnResult(m.api.Glossary.CreateTerm(ctx, entryDraft(args.Input)))
}

// CreateGlossaryNode creates a node and returns its URN.
func (m *mutation) CreateGlossaryNode(ctx context.Context, args gqltype.CreateGlossaryNodeArgs) (*string, error) {
	return urnResult(m.api.Glossary.CreateNode(ctx, entryDraft(args.Input)))
}

// DeleteGlossaryEntity deletes a term or node permanently.
func (m *mutation) DeleteGlossaryEntity(ctx context.Context, args gqltype.DeleteGlossaryEntityArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, glossary.Term, glossary.Node)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Glossary.Delete(ctx, u))
}

// UpdateParentNode moves a term or node below another node or to the root.
func (m *mutation) UpdateParentNode(ctx context.Context, args gqltype.UpdateParentNodeArgs) (*bool, error) {
	u, err := m.api.entityURN("resourceUrn", args.Input.ResourceUrn, glossary.Term, glossary.Node)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Glossary.Move(ctx, u, value(args.Input.ParentNode)))
}

// AddRelatedTerms adds relations from a term to others.
func (m *mutation) AddRelatedTerms(ctx context.Context, args gqltype.AddRelatedTermsArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Input.Urn, glossary.Term)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Glossary.Relate(ctx, u, glossary.Relation(args.Input.RelationshipType), args.Input.TermUrns))
}

// RemoveRelatedTerms removes relations of a term.
func (m *mutation) RemoveRelatedTerms(ctx context.Context, args gqltype.RemoveRelatedTermsArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Input.Urn, glossary.Term)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Glossary.Unrelate(ctx, u, glossary.Relation(args.Input.RelationshipType), args.Input.TermUrns))
}

// roots finds the glossary entries without a parent, ordered by name.
func (a *api) roots(ctx context.Context, entityType, name string, in gqltype.GetRootGlossaryEntitiesInput) (discover.SearchPage, error) {
	from, size, err := page(&in.Start, &in.Count, defaultChildren)
	if err != nil {
		return discover.SearchPage{}, err
	}
	return a.search(ctx, discover.SearchQuery{
		Types: []string{entityType}, From: from, Size: size, Facets: []string{}, Sort: []search.Sort{{Field: name}},
		Filter: search.Filter{{glossary.AtRoot()}},
	})
}

// GetRootGlossaryTerms lists the terms without a parent node, ordered by name.
func (q *query) GetRootGlossaryTerms(ctx context.Context, args gqltype.GetRootGlossaryTermsArgs) (*gqltype.GetRootGlossaryTermsResult, error) {
	found, err := q.api.roots(ctx, glossary.Term, "name", args.Input)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "getRootGlossaryTerms").Of("GetRootGlossaryTermsResult")["terms"]
	return build(ctx, q.api, func(l *loader) *gqltype.GetRootGlossaryTermsResult {
		return &gqltype.GetRootGlossaryTermsResult{
			Start: args.Input.Start, Count: int32(len(found.Hits)), Total: int32(found.Total), Terms: loadAll(urnsOf(found.Hits), want, l.GlossaryTerm),
		}
	})
}

// GetRootGlossaryNodes lists the nodes without a parent node, ordered by name.
func (q *query) GetRootGlossaryNodes(ctx context.Context, args gqltype.GetRootGlossaryNodesArgs) (*gqltype.GetRootGlossaryNodesResult, error) {
	found, err := q.api.roots(ctx, glossary.Node, "displayName", args.Input)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "getRootGlossaryNodes").Of("GetRootGlossaryNodesResult")["nodes"]
	return build(ctx, q.api, func(l *loader) *gqltype.GetRootGlossaryNodesResult {
		return &gqltype.GetRootGlossaryNodesResult{
			Start: args.Input.Start, Count: int32(len(found.Hits)), Total: int32(found.Total), Nodes: loadAll(urnsOf(found.Hits), want, l.GlossaryNode),
		}
	})
}

// AddTerm adds a glossary term to an entity or column.
func (m *mutation) AddTerm(ctx context.Context, args gqltype.AddTermArgs) (*bool, error) {
	in := args.Input
	return trueResult(m.api.Labels.Add(ctx, label.Terms(), []string{in.TermUrn}, target(in.ResourceUrn, in.SubResourceType, in.SubResource)))
}

// AddTerms adds glossary terms to an entity or column.
func (m *mutation) AddTerms(ctx context.Context, args gqltype.AddTermsArgs) (*bool, error) {
	in := args.Input
	return trueResult(m.api.Labels.Add(ctx, label.Terms(), in.TermUrns, target(in.ResourceUrn, in.SubResourceType, in.SubResource)))
}

// RemoveTerm removes a glossary term from an entity or column.
func (m *mutation) RemoveTerm(ctx context.Context, args gqltype.RemoveTermArgs) (*bool, error) {
	in := args.Input
	return trueResult(m.api.Labels.Remove(ctx, label.Terms(), []string{in.TermUrn}, target(in.ResourceUrn, in.SubResourceType, in.SubResource)))
}

// BatchAddTerms adds glossary terms to several entities and columns.
func (m *mutation) BatchAddTerms(ctx context.Context, args gqltype.BatchAddTermsArgs) (*bool, error) {
	return trueResult(m.api.Labels.Add(ctx, label.Terms(), args.Input.TermUrns, targets(dereference(args.Input.Resources))))
}

// BatchRemoveTerms removes glossary terms from several entities and columns.
func (m *mutation) BatchRemoveTerms(ctx context.Context, args gqltype.BatchRemoveTermsArgs) (*bool, error) {
	return trueResult(m.api.Labels.Remove(ctx, label.Terms(), args.Input.TermUrns, targets(dereference(args.Input.Resources))))
}
