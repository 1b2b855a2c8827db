// Package credentials keeps the users who sign in with a password of our own.
//
// A password is kept as an argon2id hash in the secret aspect
// corpUserCredentials. Its field hashedPassword holds the usual encoded form,
// "$argon2id$v=19$m=...,t=...,p=...$<salt>$<hash>", so that parameters may grow
// without touching what is stored; its field salt, which the model requires,
// repeats the salt. A reset token is kept as a hash only.
//
// Hashing is slow and takes memory on purpose, so few run at a time, a bounded
// number waits, and the rest is refused. A user name that nobody has costs the
// same work as a wrong password.
//
// New users come by invitation. Their names are held against a profile, and
// against the spellings of all names there are; the user is the one that follows
// from the e-mail address unless the invitation allows another. An invitation is
// reusable and may carry a role. Its text can be shown again, yet the store does not hold it: it is
// derived from a stored nonce with a key of the installation.
package credentials

import (
	"context"
	"encoding/json"
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

// Names in the model of what this package owns.
const (
	Aspect          = "corpUserCredentials"
	InviteEntity    = "inviteToken"
	InviteKeyAspect = "inviteTokenKey"
	InviteAspect    = "inviteToken"
)

// Limits of passwords, in characters and bytes.
const (
	DefaultMinPassword = 8
	MaxPassword        = 1024
)

// Aspects reads and writes what this package owns: a catalog.Managed for
// Aspect, InviteKeyAspect and InviteAspect. A batch may hold other
// aspects too.
type Aspects interface {
	Get(ctx context.Context, u urn.URN, aspect string) (*model.Record, error)
	Write(ctx context.Context, proposals []catalog.Proposal) error
	List(ctx context.Context, entityType string, after urn.URN, limit int) ([]urn.URN, error)
	Revoke(ctx context.Context, u urn.URN) error
}

// Accounts tells the status of users.
type Accounts interface {
	Status(ctx context.Context, user urn.URN) (account.DenialReason, error)
}

// Tokens revokes the access tokens of a user, with created also those that it made for
// others; token.Service does.
type Tokens interface {
	RevokeAll(ctx context.Context, user urn.URN, created bool) (int, error)
}

// Config is what a Service works with. Fields are required unless they say otherwise.
type Config struct {
	Aspects    Aspects
	Accounts   Accounts
	Tokens     Tokens
	Authorizer auth.Decider
	// Holds reports whether something stored gives rights to a user who does not exist, such as one that was
	// deleted, or belongs to it: a newcomer of its name would have it. Nil for never.
	Holds func(ctx context.Context, user urn.URN) (bool, error)
	// InviteKey derives the texts of invitations; the salt of tokens serves.
	InviteKey   config.Secret
	Hash        HashParams // DefaultHash when zero
	MinPassword int        // characters; DefaultMinPassword when zero
	Now         func() time.Time
	Log         *slog.Logger
}

// Service keeps passwords and invitations. It is safe for concurrent use.
type Service struct {
	cfg     Config
	hasher  *hasher
	signUps idle.Lock
	// inviting keeps two from making an invitation with the same terms at once.
	inviting idle.Lock
}

// New makes a Service.
func New(cfg Config) *Service {
	if cfg.MinPassword == 0 {
		cfg.MinPassword = DefaultMinPassword
	}
	if cfg.Hash == (HashParams{}) {
		cfg.Hash = DefaultHash()
	}
	return &Service{cfg: cfg, hasher: newHasher(cfg.Hash)}
}

// credentials is the form in which corpUserCredentials is stored.
type credentials struct {
	Salt         string `json:"salt"`
	Hashed       string `json:"hashedPassword"`
	Reset        string `json:"passwordResetToken,omitempty"`
	ResetExpires int64  `json:"passwordResetTokenExpirationTimeMillis,omitempty"`

	version string // of the stored record, empty when there is none
}

// Verdict is the answer to a sign-in.
type Verdict struct {
	Match bool
	// Reason says why the user may not sign in; empty when it may. It tells about the
	// account only to those who know its password.
	Reason account.DenialReason
}

// Verify checks a password. A wrong one and an unknown user are the same
// verdict after the same work, not an error. fault.Throttled means that too
// many sign-ins are waiting.
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
	reason, err := s.cfg.Accounts.Status(ctx, user)
	return Verdict{Match: err == nil, Reason: reason}, err
}

// Change sets the password of a user. The user itself must show the old one;
// holders of auth.ManageCredentials need not.
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

// HasCredentials reports whether a user has a password. One who cannot sign in, such as the system, has none.
func (s *Service) HasCredentials(ctx context.Context, user urn.URN) (bool, error) {
	if !isUser(user) {
		return false, nil
	}
	stored, err := s.credentials(ctx, user)
	return stored.version != "", err
}

func (s *Service) setExisting(ctx context.Context, user urn.URN, password config.Secret) error {
	stored, err := s.credentials(ctx, user)
	if err != nil {
		return err
	}
	if stored.version == "" {
		return fault.New(fault.NotFound, "%s has no password here", user)
	}
	return s.set(ctx, user, stored.version, password)
}

// set stores a new password, and only over the version it was decided upon:
// two who come with the same reset token cannot both win.
func (s *Service) set(ctx context.Context, user urn.URN, version string, password config.Secret, more ...catalog.Proposal) error {
	fresh, err := s.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	if err := s.write(ctx, user, version, fresh, more...); err != nil {
		return err
	}
	s.cfg.Log.InfoContext(ctx, "password set", "user", user)
	return nil
}

func (s *Service) write(ctx context.Context, user urn.URN, version string, c credentials, more ...catalog.Proposal) error {
	value, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("encode credentials of %s: %w", user, err)
	}
	if version == "" {
		version = "-1" // must be absent
	}
	batch := append([]catalog.Proposal{{
		URN: string(user), Aspect: Aspect, Change: model.Upsert, Value: value,
		Headers: map[string]string{"If-Version-Match": version},
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
	if err != nil || row == nil {
		if err != nil {
			err = fmt.Errorf("read credentials of %s: %w", user, err)
		}
		return credentials{}, err
	}
	// A service account has no password, whatever is stored.
	if service, err := s.isService(ctx, user); service || err != nil {
		return credentials{}, err
	}
	c := credentials{version: row.System.Version}
	if err := json.Unmarshal(row.Value, &c); err != nil {
		// Without the cause: it may quote the value.
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
