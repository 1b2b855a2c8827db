// Package post stores posts: announcements on the home page and on the pages of assets.
package post

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of posts.
const EntityType = "post"

// Places of posts.
const (
	OnHomePage = "HOME_PAGE_ANNOUNCEMENT"
	OnAsset    = "ENTITY_ANNOUNCEMENT"
)

const aspect = "postInfo"

// Service stores posts. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Content is the content of a post.
type Content struct {
	Kind        string // TEXT, or LINK to the target of Link
	Title       string
	Description *string
	Link        *string
	Media       *Media
}

// Media is a picture shown with a post.
type Media struct{ Kind, Location string }

// Draft describes a post to create. Asset and Column name the place of a post of kind OnAsset, and
// are empty for others.
type Draft struct {
	Kind          string
	Content       Content
	Asset, Column string
}

// Create creates a post. It requires auth.CreateAnnouncements or auth.ManageAnnouncements. The
// asset must exist.
func (s *Service) Create(ctx context.Context, d Draft) (urn.URN, error) {
	decided, err := s.edit.DecideOne(ctx, auth.ForPlatform(auth.CreateAnnouncements), auth.ForPlatform(auth.ManageAnnouncements))
	if err != nil {
		return "", err
	}
	content, err := stored(d.Content)
	if err != nil {
		return "", err
	}
	value := jsontree.Object{"type": d.Kind, "content": content}
	target, err := s.target(ctx, d)
	if err != nil {
		return "", err
	}
	if target != "" {
		value["target"] = string(target)
	}
	u, err := s.edit.NewURN(ctx, "Post", EntityType, "")
	if err != nil {
		return "", err
	}
	stamp := s.edit.Stamp(ctx)
	value["created"], value["lastModified"], value["auditStamp"] = stamp["time"], stamp["time"], stamp
	_, err = s.edit.Apply(ctx, decided, edit.Set(u, aspect, value))
	return u, err
}

// target returns the asset or column of a post, or an empty URN.
func (s *Service) target(ctx context.Context, d Draft) (urn.URN, error) {
	if d.Asset == "" {
		if d.Kind == OnAsset || d.Column != "" {
			return "", fault.New(fault.Malformed, "resourceUrn: say which asset the post is about")
		}
		return "", nil
	}
	if d.Kind != OnAsset {
		return "", fault.New(fault.Malformed, "resourceUrn: posts of type %s are about no asset", d.Kind)
	}
	u, err := s.edit.Parse("resourceUrn", d.Asset)
	if err != nil {
		return "", err
	}
	if err := s.edit.MustBeShown(ctx, "resource", u); err != nil || d.Column == "" {
		return u, err
	}
	if err := edit.CheckColumn(ctx, s.edit, u, d.Column); err != nil {
		return "", err
	}
	return model.ColumnURN(u, d.Column), nil
}

// Update changes the content of a post. The kind must not change between OnAsset and others. It
// requires auth.ManageAnnouncements. A post that does not exist is fault.Malformed.
func (s *Service) Update(ctx context.Context, u urn.URN, kind string, c Content) error {
	decided, err := s.edit.Require(ctx, auth.ManageAnnouncements)
	if err != nil {
		return err
	}
	content, err := stored(c)
	if err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			return nil, fault.New(fault.Malformed, "post does not exist: %s", u)
		}
		if _, ok := value["target"]; ok != (kind == OnAsset) {
			return nil, fault.New(fault.Malformed, "postType: where a post is shown cannot be changed; delete it and create another")
		}
		stamp := s.edit.Stamp(ctx)
		value["content"], value["lastModified"], value["auditStamp"] = content, stamp["time"], stamp
		return value, nil
	}})
	return err
}

// Delete deletes a post permanently. It requires auth.ManageAnnouncements.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.edit.Require(ctx, auth.ManageAnnouncements)
	if err != nil {
		return err
	}
	return s.edit.Delete(ctx, decided, u)
}

// stored returns content in the form of the aspect.
func stored(c Content) (jsontree.Object, error) {
	if err := edit.Text("title", c.Title, edit.MaxName, true); err != nil {
		return nil, err
	}
	out := jsontree.Object{"type": c.Kind, "title": c.Title}
	if c.Description != nil {
		if err := edit.Text("description", *c.Description, edit.MaxText, false); err != nil {
			return nil, err
		}
		out["description"] = *c.Description
	}
	if c.Kind == "LINK" && (c.Link == nil || *c.Link == "") {
		return nil, fault.New(fault.Malformed, "link: a post of the type LINK needs one")
	}
	if c.Link != nil {
		if err := edit.Text("link", *c.Link, edit.MaxName, *c.Link != ""); err != nil {
			return nil, err
		}
		out["link"] = *c.Link
	}
	if c.Media != nil {
		if err := edit.Text("location", c.Media.Location, edit.MaxName, true); err != nil {
			return nil, err
		}
		out["media"] = jsontree.Object{"type": c.Media.Kind, "location": c.Media.Location}
	}
	return out, nil
}
