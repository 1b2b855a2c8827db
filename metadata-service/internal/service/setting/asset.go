package setting

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/urn"
)

const assetAspect = "assetSettings"

// SetSummary sets an existing template for the summary of an existing asset, and returns the URN of
// the template. It requires auth.ManageAssetSummary or auth.EditEntity on the asset.
func (s *Service) SetSummary(ctx context.Context, asset, template string) (urn.URN, error) {
	u, err := s.edit.Parse("urn", asset)
	if err != nil {
		return "", err
	}
	decided, err := s.edit.RequireOver(ctx, u, auth.ManageAssetSummary, auth.EditEntity)
	if err != nil {
		return "", err
	}
	t, err := s.edit.Parse("template", template, templateType)
	if err != nil {
		return "", err
	}
	if err := s.edit.MustExist(ctx, "asset", u); err != nil {
		return "", err
	}
	if err := s.edit.MustBeShown(ctx, "page template", t); err != nil {
		return "", err
	}
	return t, s.change(ctx, decided, u, assetAspect, func(value jsontree.Object) {
		value["assetSummary"] = jsontree.Object{"templates": []any{jsontree.Object{"template": string(t)}}}
	})
}
