package credentials

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	authtoken "github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
	"github.com/cartulary/cartulary/pkg/username"
)

// Limits of the data of an identity provider about a user.
const (
	MaxGroups    = 1000
	maxGroupName = 200  // characters
	maxPicture   = 2000 // bytes
)

// provisionTries is the maximum number of attempts when the user changes concurrently, for example
// by a sign-in in another window.
const provisionTries = 5

// Guest is a user identified by an identity provider.
type Guest struct {
	User urn.URN
	// Create permits the creation of a user. Without it an unknown user is denied.
	Create bool
	// Update copies the profile at each sign-in, and not only for a new user.
	Update bool

	// The profile as sent by the provider. Invalid texts are dropped.
	FullName, FirstName, LastName, Email, Picture string

	// Groups are the names of the groups of the user; nil leaves memberships unchanged.
	Groups []string
}

// Provisioned is the result of Provision.
type Provisioned struct {
	Created bool
	// Skipped is the number of groups with invalid names, which the user did not join.
	Skipped int
}

// Provision prepares the sign-in of a user that an identity provider identified: it creates or
// updates the user, its groups and its memberships, in one write. The memberships sent by the
// provider replace the stored ones. The picture is written separately.
//
// A user signs in either with a password or by the provider. A password, which another person may
// have set at sign-up, is removed here, with all sessions and access tokens of the user and the
// tokens that it created for others. The user gets no new password.
//
// System users and service accounts are fault.Malformed. A new user's name must meet the rules of
// sign-up: fault.Malformed, and fault.Conflict if it is another spelling of an existing name. A
// user that may not sign in is an account.DeniedError, and nothing is written.
func (s *Service) Provision(ctx context.Context, g Guest) (Provisioned, error) {
	if !isUser(g.User) || isReserved(g.User.Key()) {
		return Provisioned{}, notOfProvider(g.User)
	}
	if len(g.Groups) > MaxGroups {
		return Provisioned{}, fault.New(fault.Malformed, "groups: %d are more than the %d that a user may be in; let the provider send fewer", len(g.Groups), MaxGroups)
	}
	for try := 1; ; try++ {
		out, err := s.provision(ctx, g)
		if !errors.Is(err, fault.Precondition) || try == provisionTries {
			return out, err
		}
	}
}

func notOfProvider(user urn.URN) error {
	return fault.New(fault.Malformed, "userUrn: %.200q is not a user who signs in by an identity provider", user)
}

func (s *Service) provision(ctx context.Context, g Guest) (Provisioned, error) {
	person, err := s.sameTypes(ctx, g.User)
	if err != nil {
		return Provisioned{}, err
	}
	reason, err := s.cfg.Accounts.Status(ctx, g.User)
	if err != nil {
		return Provisioned{}, err
	}
	if reason == account.ServiceAccount {
		return Provisioned{}, notOfProvider(g.User)
	}
	isNew := reason == account.HardDeleted || reason == account.NotProvisioned
	if reason != "" && (!isNew || !g.Create) {
		return Provisioned{}, &account.DeniedError{User: g.User, Reason: reasonOf(reason)}
	}
	if reason == account.HardDeleted {
		// As at sign-up: two spellings of one name could both be free.
		holding, release, err := s.signUpLock.Acquire(ctx)
		if err != nil {
			return Provisioned{}, err
		}
		defer release()
		ctx = holding
		// Another sign-in of the same user may have held the lock.
		switch now, err := s.cfg.Accounts.Status(ctx, g.User); {
		case err != nil:
			return Provisioned{}, err
		case now != reason:
			return Provisioned{}, fault.New(fault.Precondition, "%s was created meanwhile", g.User)
		}
		if err := s.checkNew(ctx, g.User); err != nil {
			return Provisioned{}, err
		}
	}
	batch, skipped, err := s.changesOf(ctx, g, isNew)
	if err != nil {
		return Provisioned{}, err
	}
	password, err := s.credentials(ctx, g.User)
	if err != nil {
		return Provisioned{}, err
	}
	if password.version != catalog.Absent {
		if err := s.endPassword(ctx, g.User, password.version, append(batch, person)); err != nil {
			return Provisioned{}, err
		}
	} else if len(batch) > 0 {
		if err := s.cfg.Aspects.Write(ctx, append([]catalog.Proposal{person}, batch...)); err != nil {
			return Provisioned{}, fmt.Errorf("provision %s: %w", g.User, err)
		}
		s.cfg.Log.InfoContext(ctx, "user provisioned", "user", g.User, "created", isNew, "aspects", len(batch))
	}
	if err := s.showPicture(ctx, g, person); err != nil {
		return Provisioned{}, err
	}
	return Provisioned{Created: isNew, Skipped: skipped}, nil
}

// sameTypes returns a proposal that asserts the current sub-types of a user and writes nothing. A
// batch with it fails if they changed, because a service account was created under the same name
// meanwhile.
func (s *Service) sameTypes(ctx context.Context, user urn.URN) (catalog.Proposal, error) {
	types, version, err := s.stored(ctx, user, account.TypesAspect)
	if err != nil {
		return catalog.Proposal{}, err
	}
	out := conditional(user, account.TypesAspect, version, nil)
	if types == nil {
		out.Change, out.Value = model.Delete, nil // of an aspect that must be absent
		return out, nil
	}
	// The version alone does not distinguish a user from one that was deleted and created again.
	test := jsontree.Object{"op": "test", "path": "", "value": types}
	out.Change, out.Value = model.Patch, jsontree.Encode(jsontree.Object{"forceGenericPatch": true, "patch": []any{test}})
	return out, nil
}

// endPassword removes the password of a user and writes further proposals. This ends the sessions,
// which are valid only for the password with which they began, and the tokens that represent the
// user, see rule "tokens of users without a password". It revokes tokens for others before the
// write, so that a failure recurs at the next sign-in, and again after it, for tokens that were
// created meanwhile. Whoever creates tokens all the time must not prevent the write, which ends the
// session by which they are created; only then may a token for others survive a crash between them.
func (s *Service) endPassword(ctx context.Context, user urn.URN, version int64, more []catalog.Proposal) error {
	if _, err := s.cfg.Tokens.RevokeAll(ctx, user, true); err != nil && !errors.Is(err, authtoken.ErrOthersMade) {
		return fmt.Errorf("remove the password of %s: %w", user, err)
	}
	batch := append([]catalog.Proposal{{
		URN: string(user), Aspect: Aspect, Change: model.Delete, Conditions: catalog.AtVersion(version),
	}}, more...)
	if err := s.cfg.Aspects.Write(ctx, batch); err != nil {
		return fmt.Errorf("remove the password of %s: %w", user, err)
	}
	s.cfg.Log.WarnContext(ctx, "password removed with all sessions and access tokens, as the user signs in by the identity provider from now on", "user", user)
	if _, err := s.cfg.Tokens.RevokeAll(ctx, user, true); err != nil {
		return fmt.Errorf("remove the password of %s: %w", user, err)
	}
	return nil
}

// reasonOf replaces HardDeleted by NotProvisioned: an administrator can resolve that reason.
func reasonOf(reason account.DenialReason) account.DenialReason {
	if reason == account.HardDeleted {
		return account.NotProvisioned
	}
	return reason
}

// checkNew checks the name of a new user against the rules of sign-up.
func (s *Service) checkNew(ctx context.Context, user urn.URN) error {
	if err := checkName("userUrn", user.Key()); err != nil {
		return err
	}
	return s.checkFree(ctx, user)
}

func (s *Service) changesOf(ctx context.Context, g Guest, isNew bool) (batch []catalog.Proposal, skipped int, err error) {
	if isNew || g.Update {
		if batch, err = s.profileOf(ctx, g, isNew); err != nil {
			return nil, 0, err
		}
	}
	if g.Groups == nil {
		return batch, 0, nil
	}
	groups, skipped, err := s.groupsOf(ctx, g)
	return append(batch, groups...), skipped, err
}

// profileOf proposes corpUserInfo with the data of the provider and the stored additions of others
// and, for a new user, the state.
func (s *Service) profileOf(ctx context.Context, g Guest, isNew bool) ([]catalog.Proposal, error) {
	before, version, err := s.stored(ctx, g.User, account.InfoAspect)
	if err != nil {
		return nil, err
	}
	info := jsontree.Object{"active": true}
	maps.Copy(info, before)
	maps.Copy(info, s.fitProfile(ctx, g))
	if jsontree.Text(info, "displayName") == "" {
		info["displayName"] = cmp.Or(jsontree.Text(info, "fullName"), g.User.Key())
	}
	var batch []catalog.Proposal
	if before == nil || !jsontree.Equal(before, info) {
		batch = append(batch, conditional(g.User, account.InfoAspect, version, info))
	}
	if !isNew {
		return batch, nil
	}
	stamp := jsontree.Object{"time": jsontree.Number(s.cfg.Now().UnixMilli()), "actor": string(model.SystemActor)}
	return append(batch, conditional(g.User, account.StateAspect, catalog.Absent, jsontree.Object{"status": account.Active, "lastModified": stamp})), nil
}

// fitProfile returns the valid members of a profile. Providers let users enter arbitrary texts, and
// an invalid one must not prevent a sign-in.
func (s *Service) fitProfile(ctx context.Context, g Guest) jsontree.Object {
	full := cmp.Or(g.FullName, strings.TrimSpace(g.FirstName+" "+g.LastName))
	out := jsontree.Object{}
	for member, text := range map[string]string{"fullName": full, "displayName": full, "firstName": g.FirstName, "lastName": g.LastName} {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxText || checkLabel(member, text) != nil {
			s.cfg.Log.WarnContext(ctx, "profile of the identity provider left out", "user", g.User, "member", member)
			continue
		}
		out[member] = text
	}
	if g.Email == "" {
		return out
	}
	if address, err := mail.ParseAddress(g.Email); err != nil || address.Address != g.Email || utf8.RuneCountInString(g.Email) > maxText || checkLabel("email", g.Email) != nil {
		s.cfg.Log.WarnContext(ctx, "profile of the identity provider left out", "user", g.User, "member", "email")
		return out
	}
	out["email"] = g.Email
	return out
}

// groupsOf proposes the groups that do not exist yet, and the memberships.
func (s *Service) groupsOf(ctx context.Context, g Guest) (batch []catalog.Proposal, skipped int, err error) {
	members := []any{}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(g.Groups))) {
		group, ok := groupNamed(name)
		if !ok {
			skipped++
			continue
		}
		members = append(members, string(group))
		there, _, err := s.stored(ctx, group, account.GroupInfo)
		if err != nil {
			return nil, 0, err
		}
		if there == nil {
			batch = append(batch, newGroup(group, name)...)
		}
	}
	if skipped > 0 {
		s.cfg.Log.WarnContext(ctx, "groups of the identity provider left out, as their names are no fit text", "user", g.User, "groups", skipped)
	}
	before, version, err := s.stored(ctx, g.User, account.IngestedGroups)
	if err != nil {
		return nil, 0, err
	}
	after := jsontree.Object{"groups": members}
	if before == nil && len(members) == 0 || before != nil && jsontree.Equal(before, after) {
		return batch, skipped, nil
	}
	return append(batch, conditional(g.User, account.IngestedGroups, version, after)), skipped, nil
}

// groupNamed returns the group of a name. The name is percent-encoded, as directory readers have
// always done, so that spaces and commas are valid.
func groupNamed(name string) (urn.URN, bool) {
	if name == "" || username.CheckText(name) != nil || utf8.RuneCountInString(name) > maxGroupName || checkLabel("groups", name) != nil {
		return "", false
	}
	group, err := urn.Parse(string(urn.Make(account.GroupType, url.QueryEscape(name))))
	return group, err == nil && len(group) <= model.MaxURNLength
}

// newGroup proposes a group of the provider, whose members cannot be edited in the catalog. A
// concurrent creation of the same group has the same effect.
func newGroup(group urn.URN, name string) []catalog.Proposal {
	info := jsontree.Object{"displayName": name, "admins": []any{}, "members": []any{}, "groups": []any{}}
	return []catalog.Proposal{
		conditional(group, account.GroupInfo, catalog.Absent, info),
		{URN: string(group), Aspect: account.GroupOrigin, Change: model.Upsert, Value: jsontree.Encode(jsontree.Object{"type": "EXTERNAL", "externalType": "oidc"})},
	}
}

// showPicture sets the picture of the provider for a user without one. Links that the catalog
// refuses are dropped, since a picture must not prevent a sign-in.
func (s *Service) showPicture(ctx context.Context, g Guest, person catalog.Proposal) error {
	if g.Picture == "" {
		return nil
	}
	if !isWebAddress(g.Picture) {
		s.cfg.Log.WarnContext(ctx, "profile of the identity provider left out", "user", g.User, "member", "picture")
		return nil
	}
	value, version, err := s.stored(ctx, g.User, account.ProfileAspect)
	if err != nil || jsontree.Text(value, "pictureLink") != "" {
		return err
	}
	if value == nil {
		value = jsontree.Object{}
	}
	value["pictureLink"] = g.Picture
	err = s.cfg.Aspects.Write(ctx, []catalog.Proposal{person, conditional(g.User, account.ProfileAspect, version, value)})
	if errors.Is(err, fault.Malformed) || errors.Is(err, fault.Invalid) {
		s.cfg.Log.WarnContext(ctx, "picture of the identity provider left out", "user", g.User, "reason", fault.Message(err))
		return nil
	}
	return err
}

// isWebAddress reports whether a link of the provider is a valid web address. Relative paths to
// pictures of the web UI are reserved for users of the catalog.
func isWebAddress(link string) bool {
	if len(link) > maxPicture || strings.ContainsFunc(link, unicode.IsSpace) || username.CheckText(link) != nil {
		return false
	}
	u, err := url.Parse(link)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

// stored returns an aspect and its version, or nil and catalog.Absent when it is absent.
func (s *Service) stored(ctx context.Context, u urn.URN, aspect string) (jsontree.Object, int64, error) {
	row, err := s.cfg.Aspects.Get(ctx, u, aspect)
	if err != nil {
		return nil, 0, fmt.Errorf("read %s of %s: %w", aspect, u, err)
	}
	if row == nil {
		return nil, catalog.Absent, nil
	}
	value, err := jsontree.DecodeObject(row.Value)
	if err != nil {
		return nil, 0, fmt.Errorf("read %s of %s: %w", aspect, u, err)
	}
	return value, catalog.VersionOf(row), nil
}

// conditional returns a proposal that is written only over the given version.
func conditional(u urn.URN, aspect string, version int64, value jsontree.Object) catalog.Proposal {
	return catalog.Proposal{
		URN: string(u), Aspect: aspect, Change: model.Upsert, Value: jsontree.Encode(value),
		Conditions: catalog.AtVersion(version),
	}
}
