package principal

import (
	"context"

	"github.com/google/uuid"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	settings = "corpUserSettings"
	viewType = "dataHubView"
	viewInfo = "dataHubViewInfo"
	global   = "GLOBAL"
)

// MayReadServiceAccounts returns an error unless the actor in ctx may list and view service
// accounts. It requires auth.ManageServiceAcct.
func (s *Service) MayReadServiceAccounts(ctx context.Context) error {
	_, err := s.edit.Decide(ctx, auth.ForPlatform(auth.ManageServiceAcct).ToRead())
	return err
}

// CreateServiceAccount creates a service account with a random id. It requires
// auth.ManageServiceAcct. An empty display name is replaced by the id.
func (s *Service) CreateServiceAccount(ctx context.Context, displayName, description string) (urn.URN, error) {
	u := urn.Make(account.EntityType, account.ServicePrefix+uuid.NewString())
	decided, err := s.edit.Decide(ctx, auth.ForPlatform(auth.ManageServiceAcct).About(u))
	if err != nil {
		return "", err
	}
	if err := edit.Text("displayName", displayName, edit.MaxName, false); err != nil {
		return "", err
	}
	if err := edit.Text("description", description, edit.MaxText, false); err != nil {
		return "", err
	}
	if displayName == "" {
		displayName = u.Key()
	}
	info := jsontree.Object{"active": true, "displayName": displayName}
	if description != "" {
		info["title"] = description
	}
	return u, s.edit.Create(ctx, decided, "Service Account", u,
		edit.Set(u, account.InfoAspect, info),
		edit.Set(u, account.TypesAspect, jsontree.Object{"typeNames": []any{account.ServiceType}}),
	)
}

// FindServiceAccount reports whether a service account exists. Another user is fault.Malformed. It
// requires auth.ManageServiceAcct.
func (s *Service) FindServiceAccount(ctx context.Context, u urn.URN) (bool, error) {
	if err := s.MayReadServiceAccounts(ctx); err != nil {
		return false, err
	}
	there, err := s.edit.Exists(ctx, u)
	if err != nil || !there {
		return false, err
	}
	return true, s.checkServiceAccount(ctx, u)
}

// DeleteServiceAccount deletes a service account permanently, with its tokens. It requires
// auth.ManageServiceAcct. An entity that is not a service account is fault.Malformed.
func (s *Service) DeleteServiceAccount(ctx context.Context, u urn.URN) error {
	decided, err := s.edit.Decide(ctx, auth.ForPlatform(auth.ManageServiceAcct).About(u))
	if err != nil {
		return err
	}
	if err := s.checkServiceAccount(ctx, u); err != nil {
		return err
	}
	return s.edit.Delete(ctx, decided, u)
}

// SetDefaultView sets the default view of a service account, or removes it if view is empty. It
// must be a global view. It requires auth.ManageServiceAcct.
func (s *Service) SetDefaultView(ctx context.Context, u urn.URN, view string) error {
	decided, err := s.edit.Decide(ctx, auth.ForPlatform(auth.ManageServiceAcct).About(u))
	if err != nil {
		return err
	}
	if err := s.checkServiceAccount(ctx, u); err != nil {
		return err
	}
	if err := s.checkGlobalView(ctx, view); err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: settings, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{"appearance": jsontree.Object{}}
		}
		delete(value, "views")
		if view != "" {
			value["views"] = jsontree.Object{"defaultView": view}
		}
		return value, nil
	}})
	return err
}

// checkServiceAccount returns an error for users that are not service accounts, including absent
// ones.
func (s *Service) checkServiceAccount(ctx context.Context, u urn.URN) error {
	service, err := account.IsServiceAccount(ctx, s.edit.Catalog.Store, u)
	if err == nil && !service {
		err = account.NotAService(u)
	}
	return err
}

func (s *Service) checkGlobalView(ctx context.Context, view string) error {
	if view == "" {
		return nil
	}
	u, err := s.edit.Parse("defaultView", view, viewType)
	if err != nil {
		return err
	}
	if err := s.edit.MustBeShown(ctx, "view", u); err != nil {
		return err
	}
	info, err := s.edit.Stored(ctx, u, viewInfo)
	switch {
	case err != nil:
		return err
	case info == nil:
		return fault.New(fault.Malformed, "view does not exist: %s", u)
	case jsontree.Text(info, "type") != global:
		return fault.New(fault.Malformed, "Only public (global) views can be set as the default view of a service account, which %s is not", u)
	}
	return nil
}
