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
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
	"github.com/cartulary/cartulary/pkg/username"
)

// Limits of what an identity provider says of a user.
const (
	MaxGroups    = 1000
	maxGroupName = 200  // characters
	maxPicture   = 2000 // bytes
)

// provisionTries bounds how often a user is read again whom somebody else has
// changed meanwhile, such as the same user in another window.
const provisionTries = 5

const (
	userEditable    = "corpUserEditableInfo"
	groupType       = "corpGroup"
	groupInfo       = "corpGroupInfo"
	groupOrigin     = "origin"
	groupMembership = "groupMembership"
)

// Guest is somebody whom an identity provider has identified.
type Guest struct {
	User urn.URN
	// Create makes a user who does not exist. Without it, who is not there is denied.
	Create bool
	// Update takes the profile over at each sign-in, and not only from a new user.
	Update bool

	// The profile, as far as the provider tells it. What is no fit text is left out.
	FullName, FirstName, LastName, Email, Picture string

	// Groups are the names of the groups that the user is in, nil to leave them alone.
	Groups []string
}

// Provisioned tells what became of a Guest.
type Provisioned struct {
	Created bool
	// Skipped are groups that the user was not put into, as their names are no fit text.
	Skipped int
}

// Provision sees to it that a user can sign in whom an identity provider has
// identified: it makes the user, its groups and its memberships, or brings them up to date,
// in one write. Memberships are replaced by what the provider says.
//
// A user signs in by a password or by the provider, and not by both: one who has a
// password, which somebody else may have set at a sign-up, loses it here with all
// sessions and access tokens, and those that it made for others. It gets no other one.
//
// Users of the system and service accounts do not sign in this way, and a new user has a name as somebody
// who signs up: fault.Malformed, and fault.Conflict when it is another spelling of one that
// exists. Who may not sign in is an account.DeniedError, and nothing is written.
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
		// As at a sign-up: two spellings of one name could both be free.
		holding, release, err := s.signUps.Acquire(ctx)
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
	if password.version != "" {
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

// sameTypes proposes that the sub-types of a user stay as they are. A batch with it fails once they are
// others, since a service account was made under the same name meanwhile. It writes nothing.
func (s *Service) sameTypes(ctx context.Context, user urn.URN) (catalog.Proposal, error) {
	types, version, err := s.stored(ctx, user, account.TypesAspect)
	if err != nil {
		return catalog.Proposal{}, err
	}
	out := conditional(user, account.TypesAspect, version, nil)
	if types == nil {
		out.Change, out.Value = model.Delete, nil // of what must be absent
		return out, nil
	}
	// The version alone does not tell a user from one that was made anew.
	test := jsontree.Object{"op": "test", "path": "", "value": types}
	out.Change, out.Value = model.Patch, jsontree.Encode(jsontree.Object{"forceGenericPatch": true, "patch": []any{test}})
	return out, nil
}

// endPassword removes the password of a user together with what else is written. With it
// end the sessions, which are good for the password they began under, and the tokens that
// represent the user, see rule "tokens of users without a password". Tokens for others are
// revoked before, so that a failure is met again by the next sign-in, and after it for
// those that were made meanwhile.
func (s *Service) endPassword(ctx context.Context, user urn.URN, version string, more []catalog.Proposal) error {
	if _, err := s.cfg.Tokens.RevokeAll(ctx, user, true); err != nil {
		return fmt.Errorf("remove the password of %s: %w", user, err)
	}
	batch := append([]catalog.Proposal{{
		URN: string(user), Aspect: Aspect, Change: model.Delete, Headers: map[string]string{"If-Version-Match": version},
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

// reasonOf says of users who are not there that nobody has set them up, which is
// what an administrator can mend.
func reasonOf(reason account.DenialReason) account.DenialReason {
	if reason == account.HardDeleted {
		return account.NotProvisioned
	}
	return reason
}

// checkNew holds the name of a new user against what holds for those who sign up.
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

// profileOf proposes corpUserInfo as the provider tells it, with what others have
// added, and for a new user the state.
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
	return append(batch, conditional(g.User, account.StateAspect, "-1", jsontree.Object{"status": account.Active, "lastModified": stamp})), nil
}

// fitProfile leaves out what is no text to show: a provider lets people write
// what they like, and nobody is kept away for that.
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
		there, _, err := s.stored(ctx, group, groupInfo)
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
	before, version, err := s.stored(ctx, g.User, groupMembership)
	if err != nil {
		return nil, 0, err
	}
	after := jsontree.Object{"groups": members}
	if before == nil && len(members) == 0 || before != nil && jsontree.Equal(before, after) {
		return batch, skipped, nil
	}
	return append(batch, conditional(g.User, groupMembership, version, after)), skipped, nil
}

// groupNamed is the group of a name, percent-encoded as those who read directories
// have always done, so that blanks and commas are no matter.
func groupNamed(name string) (urn.URN, bool) {
	if name == "" || username.CheckText(name) != nil || utf8.RuneCountInString(name) > maxGroupName || checkLabel("groups", name) != nil {
		return "", false
	}
	group, err := urn.Parse(string(urn.Make(groupType, url.QueryEscape(name))))
	return group, err == nil && len(group) <= model.MaxURNLength
}

// newGroup mirrors a group of the provider: people here do not change who is in it.
// Somebody else may have made it meanwhile, which is as good.
func newGroup(group urn.URN, name string) []catalog.Proposal {
	info := jsontree.Object{"displayName": name, "admins": []any{}, "members": []any{}, "groups": []any{}}
	return []catalog.Proposal{
		conditional(group, groupInfo, "-1", info),
		{URN: string(group), Aspect: groupOrigin, Change: model.Upsert, Value: jsontree.Encode(jsontree.Object{"type": "EXTERNAL", "externalType": "oidc"})},
	}
}

// showPicture gives a user the picture of the provider who has none. It is not worth
// refusing anybody: links that the catalog does not take are left out.
func (s *Service) showPicture(ctx context.Context, g Guest, person catalog.Proposal) error {
	if g.Picture == "" {
		return nil
	}
	if !isWebAddress(g.Picture) {
		s.cfg.Log.WarnContext(ctx, "profile of the identity provider left out", "user", g.User, "member", "picture")
		return nil
	}
	value, version, err := s.stored(ctx, g.User, userEditable)
	if err != nil || jsontree.Text(value, "pictureLink") != "" {
		return err
	}
	if value == nil {
		value = jsontree.Object{}
	}
	value["pictureLink"] = g.Picture
	err = s.cfg.Aspects.Write(ctx, []catalog.Proposal{person, conditional(g.User, userEditable, version, value)})
	if errors.Is(err, fault.Malformed) || errors.Is(err, fault.Invalid) {
		s.cfg.Log.WarnContext(ctx, "picture of the identity provider left out", "user", g.User, "reason", fault.Message(err))
		return nil
	}
	return err
}

// isWebAddress holds a link of the provider to what a browser takes from the web. Paths of
// pictures that the pages bring themselves are for people here alone.
func isWebAddress(link string) bool {
	if len(link) > maxPicture || strings.ContainsFunc(link, unicode.IsSpace) || username.CheckText(link) != nil {
		return false
	}
	u, err := url.Parse(link)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

// stored reads an aspect and its version, "-1" when it is absent.
func (s *Service) stored(ctx context.Context, u urn.URN, aspect string) (jsontree.Object, string, error) {
	row, err := s.cfg.Aspects.Get(ctx, u, aspect)
	if err != nil {
		return nil, "", fmt.Errorf("read %s of %s: %w", aspect, u, err)
	}
	if row == nil {
		return nil, "-1", nil
	}
	value, err := jsontree.DecodeObject(row.Value)
	if err != nil {
		return nil, "", fmt.Errorf("read %s of %s: %w", aspect, u, err)
	}
	return value, row.System.Version, nil
}

// conditional writes over the version it was decided upon, and no other.
func conditional(u urn.URN, aspect, version string, value jsontree.Object) catalog.Proposal {
	return catalog.Proposal{
		URN: string(u), Aspect: aspect, Change: model.Upsert, Value: jsontree.Encode(value),
		Headers: map[string]string{"If-Version-Match": version},
	}
}
