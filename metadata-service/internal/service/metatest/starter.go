package metatest

import (
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/metatest/starter"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Installed describes a test of the starter pack.
type Installed struct {
	URN                         urn.URN
	Name, Category, Description string
	// Created reports that the test was created; otherwise it existed. Changed reports that an
	// existing test differs from the pack; it is left unchanged.
	Created, Changed bool
}

// InstallStarter creates the missing tests of the starter pack, all of them or none, and leaves
// existing tests unchanged. With dryRun it only reports the outcome. It requires auth.ManageTests.
func (s *Service) InstallStarter(ctx context.Context, dryRun bool) ([]Installed, error) {
	decided, err := s.Edit.Require(ctx, auth.ManageTests)
	if err != nil {
		return nil, err
	}
	pack, err := starter.Tests()
	if err != nil {
		return nil, err
	}
	out := make([]Installed, len(pack))
	var changes []edit.Change
	for i, t := range pack {
		value, err := s.value(ctx, Info{Name: t.Name, Category: t.Category, Description: &t.Description, Definition: t.Definition})
		if err != nil {
			return nil, fmt.Errorf("%s of the starter pack: %w", t.ID, err)
		}
		out[i] = Installed{URN: urn.Make(EntityType, t.ID), Name: t.Name, Category: t.Category, Description: t.Description}
		there, err := s.Edit.Stored(ctx, out[i].URN, infoAspect)
		if err != nil {
			return nil, err
		}
		if there != nil {
			out[i].Changed = !jsontree.Equal(there, value)
			continue
		}
		out[i].Created = true
		changes = append(changes, installed(out[i].URN, value))
	}
	if dryRun || len(changes) == 0 {
		return out, nil
	}
	_, err = s.Edit.Apply(ctx, decided, changes...)
	return out, err
}

// installed creates a test unless another caller has created it meanwhile.
func installed(u urn.URN, value jsontree.Object) edit.Change {
	return edit.Change{URN: u, Aspect: infoAspect, Apply: func(there jsontree.Object) (jsontree.Object, error) {
		if there != nil {
			return nil, nil
		}
		return value, nil
	}}
}
