package asset

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Update replaces parts of an asset. Nil parts stay unchanged.
type Update struct {
	Owners      *[]owner.Owner
	Tags        *[]string // URNs
	Links       *[]Link
	Deprecation *Deprecation // the replacement is not changed
	Text        *Text
	Columns     *[]ColumnText // of datasets
}

// Text is the edited description and name of an asset. A nil name stays unchanged.
type Text struct {
	Description string
	Name        *string // of datasets
}

// Link is a web page about an asset.
type Link struct {
	URL, Label string
	Author     string // URN of a user or group
	Created    *int64 // milliseconds since 1970; now when nil
}

// Updated is an asset with its update.
type Updated struct {
	URN urn.URN
	Update
}

// editablePlace returns the place of the description for Update, which supports more types than
// Describe.
func editablePlace(u urn.URN) (place, bool) {
	aspects := map[string]string{
		"chart": "editableChartProperties", "dashboard": "editableDashboardProperties",
		"dataFlow": "editableDataFlowProperties", "dataJob": "editableDataJobProperties",
	}
	if aspect, ok := aspects[u.Type()]; ok {
		return place{aspect, "description", jsontree.Object{}, true}, true
	}
	return descriptionPlace(u)
}

// Update changes all assets, or none. For each part it requires auth.EditEntity or the privilege
// for that part. The assets must exist.
func (s *Service) Update(ctx context.Context, updates ...Updated) error {
	if len(updates) > edit.MaxTargets {
		return fault.New(fault.TooLarge, "input: %d entries, at most %d are allowed", len(updates), edit.MaxTargets)
	}
	var changes []edit.Change
	var checks []auth.Check
	for _, up := range updates {
		checks = append(checks, checksOf(up)...)
	}
	decided, err := s.edit.Decide(ctx, checks...)
	if err != nil {
		return err
	}
	urns := make([]urn.URN, len(updates))
	for i, up := range updates {
		urns[i] = up.URN
	}
	if err := s.edit.MustExist(ctx, "entity", urns...); err != nil {
		return err
	}
	for _, up := range updates {
		of, err := s.changesOf(ctx, up)
		if err != nil {
			return err
		}
		changes = append(changes, of...)
	}
	return s.apply(ctx, decided, changes)
}

// checksOf returns the checks of an update: one for each part.
func checksOf(up Updated) []auth.Check {
	needed := []struct {
		given     bool
		privilege auth.Privilege
	}{
		{up.Owners != nil, auth.EditOwners},
		{up.Tags != nil, auth.EditTags},
		{up.Links != nil, auth.EditLinks},
		{up.Deprecation != nil, auth.EditDeprecation},
		{up.Text != nil, auth.EditDocs},
		{up.Text != nil && up.Text.Name != nil, auth.EditProperties},
		{up.Columns != nil, auth.EditColumnDocs},
		{up.Columns != nil, auth.EditColumnTags},
	}
	var checks []auth.Check
	for _, n := range needed {
		if n.given {
			checks = append(checks, auth.Over(up.URN, n.privilege, auth.EditEntity))
		}
	}
	if checks == nil {
		return []auth.Check{auth.Over(up.URN, auth.EditEntity)}
	}
	return checks
}

// changesOf returns the changes of one asset, in the order of the parts.
func (s *Service) changesOf(ctx context.Context, up Updated) ([]edit.Change, error) {
	var changes []edit.Change
	for _, part := range []func(context.Context, Updated) (*edit.Change, error){
		s.newOwners, s.newTags, s.newLinks, s.newDeprecation, s.newText, s.newColumns,
	} {
		change, err := part(ctx, up)
		if err != nil {
			return nil, err
		}
		if change == nil {
			continue
		}
		if err := s.supports(up.URN, change.Aspect); err != nil {
			return nil, err
		}
		changes = append(changes, *change)
	}
	return changes, nil
}

func (s *Service) newOwners(ctx context.Context, up Updated) (*edit.Change, error) {
	if up.Owners == nil {
		return nil, nil
	}
	change, _, err := s.owners.Replacement(ctx, up.URN, *up.Owners)
	return &change, err
}

func (s *Service) newTags(_ context.Context, up Updated) (*edit.Change, error) {
	if up.Tags == nil {
		return nil, nil
	}
	tags, err := s.edit.ParseAll("tags", *up.Tags, "tag")
	if err != nil {
		return nil, err
	}
	change := amend(up.URN, "globalTags", jsontree.Object{}, func(value jsontree.Object) error {
		value["tags"] = tagEntries(value["tags"], tags)
		return nil
	})
	return &change, nil
}

// tagEntries returns the entries for tags, each once. It keeps the attribution of tags that are
// already present.
func tagEntries(before any, tags []urn.URN) []any {
	known := map[string]any{}
	list, _ := before.([]any)
	for _, e := range list {
		if o, ok := e.(jsontree.Object); ok {
			text, _ := o["tag"].(string)
			known[text] = o
		}
	}
	out := make([]any, 0, len(tags))
	seen := map[urn.URN]bool{}
	for _, t := range tags {
		if seen[t] {
			continue
		}
		seen[t] = true
		if was, ok := known[string(t)]; ok {
			out = append(out, was)
			continue
		}
		out = append(out, jsontree.Object{"tag": string(t)})
	}
	return out
}

func (s *Service) newLinks(ctx context.Context, up Updated) (*edit.Change, error) {
	if up.Links == nil {
		return nil, nil
	}
	if len(*up.Links) > edit.MaxTargets {
		return nil, fault.New(fault.TooLarge, "elements: %d entries, at most %d are allowed", len(*up.Links), edit.MaxTargets)
	}
	elements := make([]any, 0, len(*up.Links))
	for _, l := range *up.Links {
		author, err := s.edit.Parse("author", l.Author, "corpuser", "corpGroup")
		if err != nil {
			return nil, err
		}
		if err := edit.Text("url", l.URL, maxLink, true); err != nil {
			return nil, err
		}
		if err := edit.Text("description", l.Label, edit.MaxText, false); err != nil {
			return nil, err
		}
		stamp := s.edit.Stamp(ctx)
		stamp["actor"] = string(author)
		if l.Created != nil {
			stamp["time"] = *l.Created
		}
		elements = append(elements, jsontree.Object{"url": l.URL, "description": l.Label, "createStamp": stamp})
	}
	change := edit.Set(up.URN, "institutionalMemory", jsontree.Object{"elements": elements})
	return &change, nil
}

func (s *Service) newDeprecation(ctx context.Context, up Updated) (*edit.Change, error) {
	if up.Deprecation == nil {
		return nil, nil
	}
	change := amend(up.URN, "deprecation", jsontree.Object{}, func(value jsontree.Object) error {
		s.deprecate(ctx, value, *up.Deprecation)
		return nil
	})
	return &change, edit.Text("note", up.Deprecation.Note, edit.MaxText, false)
}

func (s *Service) newText(ctx context.Context, up Updated) (*edit.Change, error) {
	if up.Text == nil {
		return nil, nil
	}
	at, ok := editablePlace(up.URN)
	if !ok {
		return nil, fault.New(fault.Malformed, "Unsupported resource type: %s has no description of people", up.URN)
	}
	if err := edit.Text("description", up.Text.Description, edit.MaxText, false); err != nil {
		return nil, err
	}
	if err := edit.OptionalText("name", up.Text.Name, edit.MaxName, false); err != nil {
		return nil, err
	}
	change := s.write(ctx, up.URN, at, func(value jsontree.Object) error {
		value[at.member] = up.Text.Description
		if up.Text.Name != nil {
			value["name"] = *up.Text.Name
		}
		return nil
	})
	return &change, nil
}
