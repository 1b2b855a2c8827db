package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/post"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// ListPosts lists posts, most recently modified first.
func (q *query) ListPosts(ctx context.Context, args gqltype.ListPostsArgs) (*gqltype.ListPostsResult, error) {
	in := args.Input
	filters := []search.Filter{buildFilter(nil, in.OrFilters)}
	if in.ResourceUrn != nil {
		filters = append(filters, equalTo("target", *in.ResourceUrn))
	}
	found, err := q.api.list(ctx, post.EntityType, in.Query, in.Start, in.Count, defaultListing, filters, search.Sort{Field: "lastModified", Descending: true})
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "listPosts").Of("ListPostsResult")["posts"]
	return build(ctx, q.api, func(l *loader) *gqltype.ListPostsResult {
		return &gqltype.ListPostsResult{Start: found.start, Count: found.size, Total: found.total, Posts: loadAll(found.urns, want, l.Post)}
	})
}

// CreatePost creates a post.
func (m *mutation) CreatePost(ctx context.Context, args gqltype.CreatePostArgs) (*bool, error) {
	in := args.Input
	_, err := m.api.Posts.Create(ctx, post.Draft{Kind: in.PostType, Content: contentOf(in.Content), Asset: value(in.ResourceUrn), Column: value(in.SubResource)})
	return trueResult(withMessage(err, "Unauthorized to create posts. Please contact your DataHub administrator."))
}

// UpdatePost updates a post.
func (m *mutation) UpdatePost(ctx context.Context, args gqltype.UpdatePostArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Input.Urn, post.EntityType)
	if err != nil {
		return nil, err
	}
	err = m.api.Posts.Update(ctx, u, args.Input.PostType, contentOf(args.Input.Content))
	return trueResult(withMessage(err, "Unauthorized to update posts. Please contact your DataHub administrator."))
}

// DeletePost deletes a post permanently.
func (m *mutation) DeletePost(ctx context.Context, args gqltype.DeletePostArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, post.EntityType)
	if err != nil {
		return nil, err
	}
	return trueResult(withMessage(m.api.Posts.Delete(ctx, u), "Unauthorized to delete posts. Please contact your DataHub administrator."))
}

func contentOf(in gqltype.UpdatePostContentInput) post.Content {
	out := post.Content{Kind: in.ContentType, Title: in.Title, Description: in.Description, Link: in.Link}
	if in.Media != nil {
		out.Media = &post.Media{Kind: in.Media.Type, Location: in.Media.Location}
	}
	return out
}
