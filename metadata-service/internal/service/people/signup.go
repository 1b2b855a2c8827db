package people

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxText bounds names, titles and addresses, in characters.
const maxText = 300

// Newcomer is somebody who signs up.
type Newcomer struct {
	User     urn.URN
	FullName string
	Email    string
	Title    string // may be empty
	Password config.Secret
	Invite   config.Secret
}

// SignUp makes a user with a password, and gives it the role of its
// invitation. Errors: fault.Malformed for a missing member, a bad invitation
// or a reserved user; fault.Conflict when the user exists.
func (s *Service) SignUp(ctx context.Context, n Newcomer) error {
	if err := s.check(n); err != nil {
		return err
	}
	role, err := s.invited(ctx, n.Invite)
	if err != nil {
		return err
	}
	if err := s.checkFree(ctx, n.User); err != nil {
		return err
	}
	more, err := s.introduce(n, role)
	if err != nil {
		return err
	}
	err = s.set(ctx, n.User, "", n.Password, more...)
	if errors.Is(err, fault.Precondition) {
		return taken(n.User)
	}
	if err == nil {
		s.cfg.Log.InfoContext(ctx, "user signed up", "user", n.User, "role", role)
	}
	return err
}

func (s *Service) check(n Newcomer) error {
	if !isUser(n.User) || n.User == model.RootUser || n.User == model.UnknownActor || strings.EqualFold(n.User.Key(), "unknown") {
		return fault.New(fault.Malformed, "userUrn: %.200q cannot be signed up for", n.User)
	}
	for _, member := range []struct {
		name, text string
		required   bool
	}{{"fullName", n.FullName, true}, {"email", n.Email, true}, {"title", n.Title, false}} {
		switch {
		case member.required && strings.TrimSpace(member.text) == "":
			return fault.New(fault.Malformed, "%s must not be empty", member.name)
		case !utf8.ValidString(member.text) || utf8.RuneCountInString(member.text) > maxText:
			return fault.New(fault.Malformed, "%s must be text of at most %d characters", member.name, maxText)
		}
	}
	return s.checkPassword(n.Password)
}

// checkFree refuses users that exist in any way: taking over one that was
// ingested, suspended or removed would take over its rights.
func (s *Service) checkFree(ctx context.Context, user urn.URN) error {
	denial, err := s.cfg.Accounts.Standing(ctx, user)
	if err != nil {
		return err
	}
	if denial != account.HardDeleted {
		return taken(user)
	}
	return nil
}

func taken(user urn.URN) error { return fault.New(fault.Conflict, "the user %s exists already", user) }

// introduce lists the aspects a new user has besides its password.
func (s *Service) introduce(n Newcomer, role urn.URN) ([]catalog.Proposal, error) {
	type object = map[string]any
	info := object{"active": true, "displayName": n.FullName, "fullName": n.FullName, "email": n.Email}
	if n.Title != "" {
		info["title"] = n.Title
	}
	stamp := object{"time": s.cfg.Now().UnixMilli(), "actor": model.SystemActor}
	aspects := []struct {
		name  string
		value object
	}{
		{account.InfoAspect, info},
		{account.StateAspect, object{"status": account.Active, "lastModified": stamp}},
	}
	if role != "" {
		aspects = append(aspects, struct {
			name  string
			value object
		}{"roleMembership", object{"roles": []urn.URN{role}}})
	}
	var batch []catalog.Proposal
	for _, a := range aspects {
		value, err := json.Marshal(a.value)
		if err != nil {
			return nil, fmt.Errorf("encode %s of %s: %w", a.name, n.User, err)
		}
		batch = append(batch, catalog.Proposal{URN: string(n.User), Aspect: a.name, Change: model.Upsert, Value: value})
	}
	return batch, nil
}
