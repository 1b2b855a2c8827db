package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/knowledge"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

const defaultDocuments = 20

// SearchDocuments searches the knowledge documents that the actor may find, newest first by
// default.
func (q *query) SearchDocuments(ctx context.Context, args gqltype.SearchDocumentsArgs) (*gqltype.SearchDocumentsResult, error) {
	in := args.Input
	request, err := q.api.toQuery(ctx, searchRequest{query: valueOr(in.Query, "*"), start: in.Start, count: in.Count, defaultSize: defaultDocuments, sort: in.SortInput, view: in.ViewUrn})
	if err != nil {
		return nil, err
	}
	request.Types = []string{knowledge.EntityType}
	if len(request.Sort) == 0 {
		request.Sort = []search.Sort{{Field: "createdAt", Descending: true}}
	}
	if err := q.api.KnowledgeBase.RestrictToFindable(ctx, &request, value(in.States), true); err != nil {
		return nil, err
	}
	request.Filter = knowledge.Query{
		Parents: value(in.ParentDocuments), Top: value(in.RootOnly), SubTypes: value(in.Types), Domains: value(in.Domains), RelatedAssets: value(in.RelatedAssets),
		Source: value(in.SourceType), Tags: value(in.Tags), Terms: value(in.GlossaryTerms), Creators: value(in.Creators), Platforms: value(in.Platforms),
	}.Filter()
	found, err := q.api.search(ctx, request)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "searchDocuments").Of("SearchDocumentsResult")
	return build(ctx, q.api, func(l *loader) *gqltype.SearchDocumentsResult {
		return &gqltype.SearchDocumentsResult{
			Start: int32(request.From), Count: int32(request.Size), Total: int32(found.Total),
			Documents: loadAll(urnsOf(found.Hits), want["documents"], l.Document), Facets: ptr(q.api.facets(l, found.Facets, want["facets"])),
		}
	})
}

// boolResult is the result of mutations that return true or an error.
func boolResult(err error) (bool, error) { return err == nil, err }

// CreateDocument creates a knowledge document and returns its URN.
func (m *mutation) CreateDocument(ctx context.Context, args gqltype.CreateDocumentArgs) (string, error) {
	in := args.Input
	d := knowledge.Draft{
		ID: value(in.Id), Title: value(in.Title), SubType: value(in.SubType), Text: in.Contents.Text, State: value(in.State), Parent: value(in.ParentDocument),
		Owners: additions(value(in.Owners)), RelatedAssets: value(in.RelatedAssets), RelatedDocuments: value(in.RelatedDocuments),
	}
	if in.Settings != nil {
		d.Shown = in.Settings.ShowInGlobalContext
	}
	u, err := m.api.KnowledgeBase.Create(ctx, d)
	return string(u), err
}

// UpdateDocumentContents updates title, text and sub-type of a knowledge document, as far as
// given.
func (m *mutation) UpdateDocumentContents(ctx context.Context, args gqltype.UpdateDocumentContentsArgs) (bool, error) {
	in := args.Input
	c := knowledge.Contents{Title: in.Title, SubType: in.SubType}
	if in.Contents != nil {
		c.Text = &in.Contents.Text
	}
	return boolResult(m.api.KnowledgeBase.UpdateContents(ctx, in.Urn, c))
}

// UpdateDocumentRelatedEntities replaces the assets and documents that a knowledge document
// refers to.
func (m *mutation) UpdateDocumentRelatedEntities(ctx context.Context, args gqltype.UpdateDocumentRelatedEntitiesArgs) (bool, error) {
	return boolResult(m.api.KnowledgeBase.UpdateRelated(ctx, args.Input.Urn, args.Input.RelatedAssets, args.Input.RelatedDocuments))
}

// MoveDocument moves a knowledge document below another one, or to the top level.
func (m *mutation) MoveDocument(ctx context.Context, args gqltype.MoveDocumentArgs) (bool, error) {
	return boolResult(m.api.KnowledgeBase.Move(ctx, args.Input.Urn, value(args.Input.ParentDocument)))
}

// UpdateDocumentStatus publishes or unpublishes a knowledge document.
func (m *mutation) UpdateDocumentStatus(ctx context.Context, args gqltype.UpdateDocumentStatusArgs) (bool, error) {
	return boolResult(m.api.KnowledgeBase.SetState(ctx, args.Input.Urn, args.Input.State))
}

// UpdateDocumentSubType sets or clears the sub-type of a knowledge document.
func (m *mutation) UpdateDocumentSubType(ctx context.Context, args gqltype.UpdateDocumentSubTypeArgs) (bool, error) {
	return boolResult(m.api.KnowledgeBase.SetSubType(ctx, args.Input.Urn, value(args.Input.SubType)))
}

// UpdateDocumentSettings sets whether general lists show a knowledge document.
func (m *mutation) UpdateDocumentSettings(ctx context.Context, args gqltype.UpdateDocumentSettingsArgs) (bool, error) {
	return boolResult(m.api.KnowledgeBase.SetShown(ctx, args.Input.Urn, args.Input.ShowInGlobalContext))
}

// DeleteDocument soft-deletes a knowledge document.
func (m *mutation) DeleteDocument(ctx context.Context, args gqltype.DeleteDocumentArgs) (bool, error) {
	return boolResult(m.api.KnowledgeBase.Delete(ctx, args.Urn))
}

// ImportDocumentsFromFiles creates or updates knowledge documents from files.
func (m *mutation) ImportDocumentsFromFiles(ctx context.Context, args gqltype.ImportDocumentsFromFilesArgs) (*gqltype.ImportDocumentsResult, error) {
	in := args.Input
	request := knowledge.Import{Shown: in.ShowInGlobalContext, UseCase: value(in.UseCase), Parent: value(in.ParentDocumentUrn)}
	for _, f := range in.Documents {
		request.Files = append(request.Files, knowledge.File{Name: f.FileName, Content: f.Content})
	}
	out, err := m.api.KnowledgeBase.Import(ctx, request)
	if err != nil {
		return nil, err
	}
	return &gqltype.ImportDocumentsResult{
		CreatedCount: int32(out.Created), UpdatedCount: int32(out.Updated), FailedCount: int32(out.Failed), Errors: out.Errors, DocumentUrns: texts(out.URNs),
	}, nil
}
