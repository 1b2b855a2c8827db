package credentials

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxText is the maximum length of names, titles and addresses, in characters.
const maxText = 300

// Newcomer is a user who signs up.
type Newcomer struct {
	// User follows from Email when empty.
	User     urn.URN
	FullName string
	Email    string
	Title    string // optional
	Password config.Secret
	Invite   config.Secret
}

// SignUp creates a user with a password, without roles or groups: the user accepts the role of an
// invitation afterwards. Errors: fault.Malformed for a missing member, a name outside of the
// profile, an invalid invitation or a reserved user; fault.Conflict if the user exists, including
// in another spelling.
func (s *Service) SignUp(ctx context.Context, n Newcomer) (epoch string, err error) {
	n.User = cmp.Or(n.User, userOf(n.Email))
	n.Title = strings.TrimSpace(n.Title)
	if err := s.check(n); err != nil {
		return "", err
	}
	invitation, err := s.inviteRow(ctx, n.Invite)
	if err != nil {
		return "", err
	}
	salt, err := s.createUser(ctx, n, stillInvites(invitation))
	if err != nil {
		return "", err
	}
	s.cfg.Log.InfoContext(ctx, "user signed up", "user", n.User)
	epoch, err = s.epochWith(ctx, n.User, salt)
	if errors.Is(err, fault.Precondition) {
		return "", errUserExists(n.User)
	}
	return epoch, err
}

// createUser writes the user. Sign-ups compare spellings and write one at a time, since otherwise
// two spellings of one name could both be free. It returns the salt of the password.
func (s *Service) createUser(ctx context.Context, n Newcomer, invited catalog.Proposal) (salt string, err error) {
	more, err := s.newUserAspects(n)
	if err != nil {
		return "", err
	}
	more = append(more, invited)
	fresh, err := s.hasher.hash(ctx, n.Password)
	if err != nil {
		return "", err
	}
	ctx, release, err := s.signUpLock.Acquire(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	if err := s.checkFree(ctx, n.User); err != nil {
		return "", err
	}
	err = s.write(ctx, n.User, catalog.Absent, fresh, more...)
	if err != nil {
		// The reason may be that the invitation was revoked meanwhile.
		if _, err := s.inviteRow(ctx, n.Invite); err != nil {
			return "", err
		}
	}
	if errors.Is(err, fault.Precondition) {
		return "", errUserExists(n.User)
	}
	return fresh.Salt, err
}

func (s *Service) check(n Newcomer) error {
	if !isUser(n.User) {
		return errUserReserved(n.User)
	}
	if err := checkTexts(n); err != nil {
		return err
	}
	if local, domain, _ := strings.Cut(n.Email, "@"); local == "" || domain == "" || strings.Contains(domain, "@") {
		return fault.New(fault.Malformed, "email: %.200q must be an address such as jo@example.com", n.Email)
	}
	if err := checkName("email", n.Email); err != nil {
		return err
	}
	if err := checkName("userUrn", n.User.Key()); err != nil {
		return err
	}
	if isReserved(n.User.Key()) {
		return errUserReserved(n.User)
	}
	return s.checkPassword(n.Password)
}

func errUserReserved(user urn.URN) error {
	return fault.New(fault.Malformed, "userUrn: %.200q cannot be signed up for", user)
}

func checkTexts(n Newcomer) error {
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
		if member.text == "" || member.name == "email" {
			continue
		}
		if err := checkLabel(member.name, member.text); err != nil {
			return err
		}
	}
	return nil
}

// userBatch is the number of users per read of a comparison.
const userBatch = 1000

// checkFree refuses users that exist in any state, and users to which stored data gives privileges
// or belongs: a sign-up under the name of an ingested, suspended or removed user would inherit its
// privileges, and a similar name would be mistaken for it. It reads the names of all users, since
// no index has spellings; the request has shown a valid invitation.
func (s *Service) checkFree(ctx context.Context, user urn.URN) error {
	reason, err := s.cfg.Accounts.Status(ctx, user)
	if err != nil {
		return err
	}
	if reason != account.HardDeleted {
		return errUserExists(user)
	}
	if s.cfg.Holds != nil {
		holds, err := s.cfg.Holds(ctx, user)
		if err != nil {
			return err
		}
		if holds {
			// The answer does not disclose which users policies name.
			s.cfg.Log.WarnContext(ctx, "sign-up refused: something stored gives this user rights or belongs to it; create the user, and a link that sets its password", "user", user)
			return errUserExists(user)
		}
	}
	wanted := spelling(user.Key())
	for after := urn.URN(""); ; {
		users, err := s.cfg.Aspects.List(ctx, account.EntityType, after, userBatch)
		if err != nil {
			return fmt.Errorf("list users: %w", err)
		}
		for _, other := range users {
			if spelling(other.Key()) == wanted {
				return fault.New(fault.Conflict, "the user %s exists already, of whose name %.200q is another spelling", other, user.Key())
			}
		}
		if len(users) < userBatch {
			return nil
		}
		after = users[len(users)-1]
	}
}

func errUserExists(user urn.URN) error {
	return fault.New(fault.Conflict, "the user %s exists already", user)
}

// newUserAspects returns the aspects of a new user besides its password.
func (s *Service) newUserAspects(n Newcomer) ([]catalog.Proposal, error) {
	type object = map[string]any
	info := object{"active": true, "displayName": n.FullName, "fullName": n.FullName, "email": n.Email}
	if n.Title != "" {
		info["title"] = n.Title
	}
	stamp := object{"time": s.cfg.Now().UnixMilli(), "actor": model.SystemActor}
	// The key must be absent also in the transaction that writes, so that a concurrent creation by
	// another way keeps the user.
	batch := []catalog.Proposal{conditional(n.User, account.KeyAspect, catalog.Absent, jsontree.Object{"username": n.User.Key()})}
	aspects := []struct {
		name  string
		value object
	}{
		{account.InfoAspect, info},
		{account.StateAspect, object{"status": account.Active, "lastModified": stamp}},
	}
	for _, a := range aspects {
		value, err := json.Marshal(a.value)
		if err != nil {
			return nil, fmt.Errorf("encode %s of %s: %w", a.name, n.User, err)
		}
		batch = append(batch, catalog.Proposal{URN: string(n.User), Aspect: a.name, Change: model.Upsert, Value: value})
	}
	return batch, nil
}
