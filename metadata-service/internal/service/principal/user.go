package principal

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// SetStatus activates or suspends an existing user; status is account.Active or account.Suspended.
// It takes effect before it returns. It requires edit.RequireIdentities. Suspension of a system
// user is fault.Invalid.
func (s *Service) SetStatus(ctx context.Context, u urn.URN, status string) error {
	decided, err := s.edit.RequireIdentities(ctx)
	if err != nil {
		return err
	}
	if status != account.Active && status != account.Suspended {
		return fault.New(fault.Malformed, "status: %.40q is neither %s nor %s", status, account.Active, account.Suspended)
	}
	if err := s.edit.MustExist(ctx, "user", u); err != nil {
		return err
	}
	info, err := s.edit.Stored(ctx, u, account.InfoAspect)
	if err != nil {
		return err
	}
	// The rule of the catalog says the same, in the form of a failed validation.
	if system, _ := info["system"].(bool); system && status == account.Suspended {
		return fault.New(fault.Invalid, "%s is a system user and cannot be suspended", u)
	}
	_, err = s.edit.Apply(ctx, decided, edit.Set(u, account.StateAspect, jsontree.Object{"status": status, "lastModified": s.edit.Stamp(ctx)}))
	return err
}

// UserProfile holds the editable properties of a user. Nil members stay unchanged.
type UserProfile struct {
	DisplayName, Title, AboutMe, PictureLink *string
	Teams, Skills                            *[]string
	Platforms                                *[]string // URNs of data platforms
	Persona                                  *string   // a URN; empty for none
	Email, Phone, Slack                      *string   // contact data
}

// UpdateUser changes the profile of an existing user. Users may change their own. For another user,
// contact data requires auth.EditContact, the rest auth.EditProfile; auth.EditEntity permits both.
func (s *Service) UpdateUser(ctx context.Context, u urn.URN, p UserProfile) error {
	decided, err := s.mayUpdateUser(ctx, u, p)
	if err != nil {
		return err
	}
	members, err := s.profileMembers(p)
	if err != nil {
		return err
	}
	return s.updateProfile(ctx, decided, "user", u, account.ProfileAspect, jsontree.Object{"teams": []any{}, "skills": []any{}}, members)
}

func (s *Service) mayUpdateUser(ctx context.Context, u urn.URN, p UserProfile) (auth.Decisions, error) {
	who, err := edit.Actor(ctx)
	if err != nil {
		return nil, err
	}
	if who == u {
		return s.edit.RequireOwn(ctx, u)
	}
	contact := p.Email != nil || p.Phone != nil || p.Slack != nil
	p.Email, p.Phone, p.Slack = nil, nil, nil
	var checks []auth.Check
	if p != (UserProfile{}) || !contact {
		checks = append(checks, auth.Over(u, auth.EditProfile, auth.EditEntity))
	}
	if contact {
		checks = append(checks, auth.Over(u, auth.EditContact, auth.EditEntity))
	}
	return s.edit.Decide(ctx, checks...)
}

// profileMembers returns the members of the aspect that a profile sets; a nil value removes a
// member.
func (s *Service) profileMembers(p UserProfile) (map[string]any, error) {
	out := map[string]any{}
	for name, text := range map[string]*string{
		"displayName": p.DisplayName, "title": p.Title, "pictureLink": p.PictureLink, "email": p.Email, "phone": p.Phone, "slack": p.Slack,
	} {
		if err := setText(out, name, text, edit.MaxName); err != nil {
			return nil, err
		}
	}
	if err := setText(out, "aboutMe", p.AboutMe, edit.MaxText); err != nil {
		return nil, err
	}
	for name, list := range map[string]*[]string{"teams": p.Teams, "skills": p.Skills} {
		if err := setList(out, name, list); err != nil {
			return nil, err
		}
	}
	if p.Platforms != nil {
		urns, err := s.edit.ParseAll("platformUrns", *p.Platforms, "dataPlatform")
		if err != nil {
			return nil, err
		}
		platforms := make([]any, len(urns))
		for i, u := range urns {
			platforms[i] = string(u)
		}
		out["platforms"] = platforms
	}
	if p.Persona != nil {
		out["persona"] = nil
		if *p.Persona != "" {
			persona, err := s.edit.Parse("personaUrn", *p.Persona, "dataHubPersona")
			if err != nil {
				return nil, err
			}
			out["persona"] = string(persona)
		}
	}
	return out, nil
}

const maxListed = 200 // teams or skills of a user

func setList(out map[string]any, name string, list *[]string) error {
	if list == nil {
		return nil
	}
	if len(*list) > maxListed {
		return fault.New(fault.TooLarge, "%s: %d entries, at most %d are allowed", name, len(*list), maxListed)
	}
	texts := make([]any, len(*list))
	for i, text := range *list {
		if err := edit.Text(name, text, edit.MaxName, true); err != nil {
			return err
		}
		texts[i] = text
	}
	out[name] = texts
	return nil
}
