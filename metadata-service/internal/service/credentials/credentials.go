// Package credentials stores the users who sign in with a password of this catalog.
//
// A password is stored as an argon2id hash in the secret aspect corpUserCredentials. Its field
// hashedPassword holds the usual encoded form, "$argon2id$v=19$m=...,t=...,p=...$<salt>$<hash>", so
// that parameters may grow without changes to stored values; its field salt, which the model
// requires, repeats the salt. A reset token is stored only as a hash.
//
// Hashing is deliberately slow and memory-intensive, so only a few hashes are computed at a time, a
// limited number of requests waits, and further ones are refused. An unknown user name costs the
// same work as a wrong password.
//
// New users sign up with an invitation. Their names must conform to a profile and must not be
// another spelling of an existing name. The user follows from the e-mail address unless the sign-up
// names another one. An invitation is reusable and may grant a role. Its text can be shown again
// although it is not stored: it is derived from a stored nonce with a key of the installation.
package credentials

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Model names of the entities and aspects that this package owns.
const (
	Aspect          = "corpUserCredentials"
	InviteEntity    = "inviteToken"
	InviteKeyAspect = "inviteTokenKey"
	InviteAspect    = "inviteToken"
)

// Limits of passwords: characters for the minimum, bytes for the maximum.
const (
	DefaultMinPassword = 8
	MaxPassword        = 1024
)

// Aspects reads and writes the aspects of this package: a catalog.Managed for Aspect,
// InviteKeyAspect and InviteAspect. A batch may contain other aspects too.
type Aspects interface {
	Get(ctx context.Context, u urn.URN, aspect string) (*model.Record, error)
	Write(ctx context.Context, proposals []catalog.Proposal) error
	List(ctx context.Context, entityType string, after urn.URN, limit int) ([]urn.URN, error)
	Revoke(ctx context.Context, u urn.URN) error
}

// Accounts returns the status and the session epoch of users; account.Directory implements it.
type Accounts interface {
	Status(ctx context.Context, user urn.URN) (account.DenialReason, error)
	SessionEpoch(ctx context.Context, user urn.URN) (string, error)
}

// Tokens revokes the access tokens of a user and, with created, those that the user created for
// others. token.Service implements it.
type Tokens interface {
	RevokeAll(ctx context.Context, user urn.URN, created bool) (int, error)
}

// Config holds the dependencies and settings of a Service. Fields are required unless stated
// otherwise.
type Config struct {
	Aspects    Aspects
	Accounts   Accounts
	Tokens     Tokens
	Authorizer auth.Decider
	// Holds reports whether stored data gives privileges to a user that does not exist, such as a
	// deleted one, or belongs to it: a new user of that name would inherit it. Nil means never.
	Holds func(ctx context.Context, user urn.URN) (bool, error)
	// InviteKey derives the texts of invitations; the salt of tokens is suitable.
	InviteKey   config.Secret
	Hash        HashParams // DefaultHash when zero
	MinPassword int        // characters; DefaultMinPassword when zero
	Now         func() time.Time
	Log         *slog.Logger
}

// Service stores passwords and invitations. It is safe for concurrent use.
type Service struct {
	cfg        Config
	hasher     *hasher
	signUpLock idle.Lock
	// inviteLock serializes the creation of invitations, so that no two have the same terms.
	inviteLock idle.Lock
}

// New returns a Service.
func New(cfg Config) *Service {
	if cfg.MinPassword == 0 {
		cfg.MinPassword = DefaultMinPassword
	}
	if cfg.Hash == (HashParams{}) {
		cfg.Hash = DefaultHash()
	}
	return &Service{cfg: cfg, hasher: newHasher(cfg.Hash)}
}

// credentials is the stored form of corpUserCredentials.
type credentials struct {
	Salt         string `json:"salt"`
	Hashed       string `json:"hashedPassword"`
	Reset        string `json:"passwordResetToken,omitempty"`
	ResetExpires int64  `json:"passwordResetTokenExpirationTimeMillis,omitempty"`

	version int64 // of the stored record; catalog.Absent if there is none
}

// Verdict is the result of a sign-in.
type Verdict struct {
	Match bool
	// Reason states why the user may not sign in; empty if it may. It describes the account only
	// after a correct password.
	Reason account.DenialReason
	// Epoch is the session epoch of the account with this password; empty if the user may not sign in.
	Epoch string
}

// Verify checks a password. A wrong password and an unknown user give the same verdict after the
// same work, without an error. fault.Throttled means that too many sign-ins are waiting.
func (s *Service) Verify(ctx context.Context, user urn.URN, password config.Secret) (Verdict, error) {
	stored, err := s.credentials(ctx, user)
	if err != nil {
		return Verdict{}, err
	}
	match, err := s.hasher.matches(ctx, stored.Hashed, password)
	if err != nil {
		return Verdict{}, err
	}
	if !match {
		return Verdict{Reason: account.InvalidCredentials}, nil
	}
	epoch, err := s.epochWith(ctx, user, stored.Salt)
	if errors.Is(err, fault.Precondition) {
		return Verdict{Reason: account.InvalidCredentials}, nil
	}
	if err != nil {
		return Verdict{}, err
	}
	reason, err := s.cfg.Accounts.Status(ctx, user)
	if err != nil || reason != "" {
		return Verdict{Match: err == nil, Reason: reason}, err
	}
	return Verdict{Match: true, Epoch: epoch}, nil
}

// epochWith returns the session epoch of an account whose password has the given salt. If the
// password was changed or removed, it returns fault.Precondition. The epoch is read before the
// password is compared, so it is never that of a later password, or of the provider.
func (s *Service) epochWith(ctx context.Context, user urn.URN, salt string) (string, error) {
	epoch, err := s.cfg.Accounts.SessionEpoch(ctx, user)
	if err != nil {
		return "", err
	}
	now, err := s.credentials(ctx, user)
	if err != nil {
		return "", err
	}
	if now.version == catalog.Absent || now.Salt != salt {
		return "", fault.New(fault.Precondition, "the password of %s was changed or removed meanwhile", user)
	}
	return epoch, nil
}

// Change sets the password of a user. The user itself must provide the old password; other actors
// need auth.ManageCredentials instead. A wrong old password is fault.Malformed. Another user without
// a password is fault.NotFound.
func (s *Service) Change(ctx context.Context, user urn.URN, old, password config.Secret) error {
	caller, ok := auth.ActorFrom(ctx)
	if !ok {
		return fault.New(fault.Unauthenticated, "sign in to change a password")
	}
	if err := s.checkPassword(password); err != nil {
		return err
	}
	if caller.URN != user {
		if _, err := auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageCredentials)); err != nil {
			return err
		}
		return s.setExisting(ctx, user, password)
	}
	verdict, err := s.Verify(ctx, user, old)
	if err != nil {
		return err
	}
	if !verdict.Match {
		return fault.New(fault.Malformed, "the old password is wrong")
	}
	return s.setExisting(ctx, user, password)
}

// HasCredentials reports whether a user has a password. It returns false for actors that cannot
// sign in, such as the system.
func (s *Service) HasCredentials(ctx context.Context, user urn.URN) (bool, error) {
	if !isUser(user) {
		return false, nil
	}
	stored, err := s.credentials(ctx, user)
	return stored.version != catalog.Absent, err
}

func (s *Service) setExisting(ctx context.Context, user urn.URN, password config.Secret) error {
	stored, err := s.credentials(ctx, user)
	if err != nil {
		return err
	}
	if stored.version == catalog.Absent {
		return fault.New(fault.NotFound, "%s has no password here", user)
	}
	_, err = s.set(ctx, user, stored.version, password)
	return err
}

// set stores a new password, on condition that the stored version is unchanged: of two concurrent
// uses of one reset token only one succeeds. It returns the salt of the password.
func (s *Service) set(ctx context.Context, user urn.URN, version int64, password config.Secret, more ...catalog.Proposal) (salt string, err error) {
	fresh, err := s.hasher.hash(ctx, password)
	if err != nil {
		return "", err
	}
	if err := s.write(ctx, user, version, fresh, more...); err != nil {
		return "", err
	}
	s.cfg.Log.InfoContext(ctx, "password set", "user", user)
	return fresh.Salt, nil
}

func (s *Service) write(ctx context.Context, user urn.URN, version int64, c credentials, more ...catalog.Proposal) error {
	value, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("encode credentials of %s: %w", user, err)
	}
	batch := append([]catalog.Proposal{{
		URN: string(user), Aspect: Aspect, Change: model.Upsert, Value: value,
		Conditions: catalog.AtVersion(version),
	}}, more...)
	if err := s.cfg.Aspects.Write(ctx, batch); err != nil {
		return fmt.Errorf("write credentials of %s: %w", user, err)
	}
	return nil
}

func (s *Service) credentials(ctx context.Context, user urn.URN) (credentials, error) {
	if !isUser(user) {
		return credentials{}, fault.New(fault.Malformed, "%.200q is not a user who can sign in", user)
	}
	row, err := s.cfg.Aspects.Get(ctx, user, Aspect)
	if err != nil {
		return credentials{}, fmt.Errorf("read credentials of %s: %w", user, err)
	}
	if row == nil {
		return credentials{version: catalog.Absent}, nil
	}
	// A service account has no password, even if one is stored.
	if service, err := s.isService(ctx, user); service || err != nil {
		return credentials{version: catalog.Absent}, err
	}
	c := credentials{version: catalog.VersionOf(row)}
	if err := json.Unmarshal(row.Value, &c); err != nil {
		// omits the cause, which may quote the value
		return credentials{}, fmt.Errorf("credentials of %s cannot be read", user)
	}
	return c, nil
}

func (s *Service) isService(ctx context.Context, user urn.URN) (bool, error) {
	row, err := s.cfg.Aspects.Get(ctx, user, account.TypesAspect)
	if err != nil || row == nil {
		return false, err
	}
	return account.IsService(row.Value)
}

func (s *Service) checkPassword(p config.Secret) error {
	switch text := p.Reveal(); {
	case !utf8.ValidString(text):
		return fault.New(fault.Malformed, "the password must be valid UTF-8 text")
	case utf8.RuneCountInString(text) < s.cfg.MinPassword:
		return fault.New(fault.Malformed, "the password must have at least %d characters", s.cfg.MinPassword)
	case len(text) > MaxPassword:
		return fault.New(fault.Malformed, "the password must have at most %d bytes", MaxPassword)
	}
	return nil
}

func isUser(u urn.URN) bool {
	parsed, err := urn.Parse(string(u))
	return err == nil && parsed.Type() == account.EntityType && u != model.SystemActor && len(u) <= model.MaxURNLength
}
