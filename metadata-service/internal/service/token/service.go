package token

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	authtoken "github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of drafts, in characters.
const (
	MaxName        = 200
	MaxDescription = 2000
)

// Accounts provides the status of users.
type Accounts interface {
	Status(ctx context.Context, user urn.URN) (account.DenialReason, error)
}

// Config holds the dependencies and settings of a Service. Fields are required unless stated
// otherwise.
type Config struct {
	// Unchecked is true while authentication is off and no request needs a token. Create then
	// returns an error instead of a useless token.
	Unchecked  bool
	Authority  *authtoken.Authority // over the same records
	Records    *Records
	Reader     account.Reader // distinguishes service accounts from people
	Accounts   Accounts
	Authorizer auth.Decider
	// Lifetimes are the lifetimes with which tokens may be created, except with Draft.Ahead. Nil
	// allows all.
	Lifetimes *Lifetimes
	// SessionsEnded is called with each user whose sessions were all ended. Nil disables it.
	SessionsEnded func(ctx context.Context, user urn.URN)
	Now           func() time.Time
	Log           *slog.Logger
}

// Service creates, lists and revokes access tokens, and decides about the sessions and keys of an
// Authority. It is safe for concurrent use.
type Service struct {
	cfg     Config
	records *Records
	index   *index // for listings
}

// New returns a Service.
func New(cfg Config) *Service {
	return &Service{cfg: cfg, records: cfg.Records, index: newIndex(cfg.Records.read, cfg.Records.names)}
}

// Draft describes a token to create.
type Draft struct {
	// Kind is Personal or ServiceAccount. Empty chooses it by the kind of Actor.
	Kind        authtoken.Kind
	Actor       urn.URN // the user that the token represents
	Name        string
	Description string        // may be empty
	Lifetime    time.Duration // Forever for no expiry
	Period      string        // Lifetime in the text of the request, for messages; may be empty
	// Scope restricts the token; nil permits everything that its actor may do. A token created with
	// a scoped token never exceeds the scope of that token.
	Scope *auth.Scope
	// Ahead creates the token for an operator on the machine: with any lifetime, and even while
	// authentication is off, for the time after it is switched on.
	Ahead bool
}

// Info is the record of a token. Times are epoch milliseconds.
type Info struct {
	ID          string  `json:"id"`
	URN         urn.URN `json:"urn"`
	Name        string  `json:"name"`
	Description string  `json:"description,omitempty"`
	Actor       urn.URN `json:"actorUrn"`
	// Owner is the creator of the token. A token that the system actor creates belongs to Actor,
	// which could otherwise neither see nor revoke it.
	Owner     urn.URN `json:"ownerUrn"`
	CreatedAt int64   `json:"createdAt"`
	ExpiresAt int64   `json:"expiresAt,omitempty"` // 0 for never
	// Scope restricts the token; nil does not restrict it.
	Scope *auth.Scope `json:"scope,omitempty"`
	// LastUsedAt is the time of the last use, 0 for never. It is accurate to UsePeriod if another
	// process served the request.
	LastUsedAt int64 `json:"lastUsedAt,omitempty"`
	// ExpiresSoon states that the token is within WarnBefore of its expiry, or in the last quarter
	// of its lifetime if that is shorter.
	ExpiresSoon bool `json:"expiresSoon,omitempty"`
}

// Create creates a token and returns its text, which cannot be retrieved again. The actor in ctx
// needs auth.GenerateTokens or auth.ManageTokens for itself, and auth.ManageTokens for another
// user. For a service account it needs auth.ManageServiceAcct and each platform privilege that the
// account holds. The other user need not exist yet, unless the actor is the system actor. Errors:
// fault.Forbidden, fault.Unauthenticated, fault.Malformed for the draft, and fault.Invalid for a
// lifetime that Config.Lifetimes lacks and for a user with the maximum number of tokens; see
// rule.MaxTokens.
func (s *Service) Create(ctx context.Context, d Draft) (text string, info Info, err error) {
	caller, ok := auth.ActorFrom(ctx)
	if !ok {
		return "", Info{}, fault.New(fault.Unauthenticated, "sign in to create access tokens")
	}
	if err := auth.CheckCredential(ctx); err != nil {
		return "", Info{}, err
	}
	if s.cfg.Unchecked && !d.Ahead {
		return "", Info{}, errUnchecked
	}
	if err := d.check(); err != nil {
		return "", Info{}, err
	}
	scope, err := scopeOf(caller, d)
	if err != nil {
		return "", Info{}, err
	}
	if err := s.allowCreate(ctx, caller, &d, scope); err != nil {
		return "", Info{}, err
	}
	if s.cfg.Lifetimes != nil && !d.Ahead {
		if err := s.cfg.Lifetimes.Check(d.Lifetime, d.Period); err != nil {
			return "", Info{}, err
		}
	}
	owner := caller.URN
	if caller.System {
		owner = d.Actor
	}
	now := s.cfg.Now()
	rec := record{Name: d.Name, Actor: d.Actor, Owner: owner, CreatedAt: now.UnixMilli(), Description: d.Description, Scope: scope}
	var expires time.Time
	if d.Lifetime != Forever {
		expires = now.Add(d.Lifetime)
	}
	issued, err := s.cfg.Authority.Issue(d.Kind, d.Actor, expires)
	if err != nil {
		return "", Info{}, err
	}
	if !issued.Expires.IsZero() {
		at := issued.Expires.UnixMilli()
		rec.ExpiresAt = &at
	}
	if err := s.records.store(ctx, issued.ID, rec); err != nil {
		return "", Info{}, err
	}
	// The credential may have ended during the creation, for example because the identity provider
	// took the user over. That revokes the tokens that exist, and this one may come later.
	if ended := auth.CheckCredential(ctx); ended != nil {
		return "", Info{}, errors.Join(ended, s.undo(ctx, issued.ID))
	}
	s.cfg.Log.InfoContext(ctx, "token created", "id", issued.ID, "actor", caller.URN, "for", d.Actor, "scope", scope.String())
	return issued.Text, rec.info(issued.ID), nil
}

// undo revokes a token whose text nobody has received.
func (s *Service) undo(ctx context.Context, id string) error {
	if err := s.records.aspects.Revoke(context.WithoutCancel(ctx), tokenURN(id)); err != nil {
		return fmt.Errorf("revoke token %s: %w", id, err)
	}
	s.cfg.Authority.Forget()
	s.cfg.Log.InfoContext(ctx, "token not created, since the credential of the request ended meanwhile", "id", id)
	return nil
}

// scopeOf returns the scope of a new token: the requested scope within that of the actor's own
// token.
func scopeOf(caller auth.Actor, d Draft) (*auth.Scope, error) {
	if d.Scope == nil {
		return caller.Scope, nil
	}
	asked, err := auth.NewScope(*d.Scope)
	if err != nil {
		return nil, err
	}
	return auth.Narrow(caller.Scope, asked)
}

// Lifetimes returns the lifetimes with which tokens may be created. Without a restriction it
// returns the default lifetimes, with NoExpiry set.
func (s *Service) Lifetimes() Lifetimes {
	if s.cfg.Lifetimes != nil {
		return *s.cfg.Lifetimes
	}
	all := DefaultLifetimes()
	all.NoExpiry = true
	return all
}

// OwnName is the name of the tokens that CreateOwn creates.
const OwnName = "getAccessToken"

// CreateOwn creates a personal token of the actor in ctx for itself, for an older API that neither
// names the token nor shows its record. The record is stored nevertheless, since the token could
// not be revoked otherwise. It needs auth.GenerateTokens. Another user is fault.Forbidden, another
// kind fault.Malformed.
func (s *Service) CreateOwn(ctx context.Context, kind authtoken.Kind, user urn.URN, lifetime time.Duration, period string) (string, error) {
	caller, ok := auth.ActorFrom(ctx)
	switch {
	case !ok:
		return "", fault.New(fault.Unauthenticated, "sign in to create access tokens")
	case s.cfg.Unchecked:
		return "", errUnchecked
	case user != caller.URN:
		return "", fault.New(fault.Forbidden, "%s is unauthorized to make a token for %s in this way: use createAccessToken", caller.URN, user)
	case kind != authtoken.Personal:
		return "", fault.New(fault.Malformed, "type: tokens of the type %.40s are made by createAccessToken", kind)
	}
	if _, err := auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.GenerateTokens)); err != nil {
		return "", err
	}
	text, _, err := s.Create(ctx, Draft{Kind: authtoken.Personal, Actor: user, Name: OwnName, Lifetime: lifetime, Period: period})
	return text, err
}

// Revoke revokes a token before it returns. The actor in ctx must own it or hold auth.ManageTokens.
// An unknown id is fault.NotFound.
func (s *Service) Revoke(ctx context.Context, id string) error {
	caller, ok := auth.ActorFrom(ctx)
	if !ok {
		return fault.New(fault.Unauthenticated, "sign in to revoke access tokens")
	}
	info, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	if err := s.allowRevoke(ctx, caller, info); err != nil {
		return err
	}
	if err := s.records.aspects.Revoke(ctx, info.URN); err != nil {
		return fmt.Errorf("revoke token %s: %w", id, err)
	}
	s.cfg.Authority.Forget()
	s.cfg.Log.InfoContext(ctx, "token revoked", "id", id, "actor", caller.URN)
	return nil
}

// allowRevoke permits owners to revoke their tokens. A scoped token can only revoke itself, unless
// its scope permits auth.GenerateTokens: a leaked token could otherwise revoke all others.
func (s *Service) allowRevoke(ctx context.Context, caller auth.Actor, info Info) error {
	if info.Owner == caller.URN && (info.ID == caller.TokenID || caller.Scope.Permits(auth.GenerateTokens, "", nil)) {
		return nil
	}
	_, err := auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageTokens))
	return err
}

// RotateKeys replaces the signing key and keeps the old key valid for a time: see
// authtoken.Keys.Rotate. The actor in ctx needs auth.ManageSystem.
func (s *Service) RotateKeys(ctx context.Context, keep time.Duration) error {
	if _, err := auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageSystem)); err != nil {
		return err
	}
	if err := s.cfg.Authority.Rotate(keep); err != nil {
		return err
	}
	s.cfg.Log.InfoContext(ctx, "signing key rotated", "keep", keep)
	return nil
}

// Changed takes note of a changed aspect. Call it for every change, before the write returns.
// Deletions of tokens by other ways than Revoke then take effect at once as well, and listings
// contain all new tokens.
func (s *Service) Changed(u urn.URN, _ string) {
	if u.Type() == EntityType {
		s.index.note(u.Key())
		s.cfg.Authority.Forget()
	}
}

var errUnchecked = fault.New(fault.Unsupported,
	"Token based authentication is disabled: requests need no token here, and may do everything. To use tokens, ask your administrator to set auth.enabled")

// Unchecked reports whether authentication is off, so that no request needs a token.
func (s *Service) Unchecked() bool { return s.cfg.Unchecked }

func (d *Draft) check() error {
	u, err := urn.Parse(string(d.Actor))
	switch {
	case err != nil || u.Type() != account.EntityType:
		return fault.New(fault.Malformed, "the actor of a token must be a user such as urn:li:corpuser:jo, not %.200q", d.Actor)
	case u == model.SystemActor:
		return fault.New(fault.Malformed, "the system actor has no access tokens")
	case strings.TrimSpace(d.Name) == "":
		return fault.New(fault.Malformed, "the name of a token must not be empty")
	case utf8.RuneCountInString(d.Name) > MaxName || !utf8.ValidString(d.Name):
		return fault.New(fault.Malformed, "the name of a token has at most %d characters", MaxName)
	case utf8.RuneCountInString(d.Description) > MaxDescription || !utf8.ValidString(d.Description):
		return fault.New(fault.Malformed, "the description of a token has at most %d characters", MaxDescription)
	case d.Lifetime != Forever:
		return checkLifetime(d.Lifetime)
	}
	return nil
}

func (s *Service) allowCreate(ctx context.Context, caller auth.Actor, d *Draft, scope *auth.Scope) error {
	service, err := account.IsServiceAccount(ctx, s.cfg.Reader, d.Actor)
	if err != nil {
		return err
	}
	if d.Kind == "" {
		d.Kind = authtoken.Personal
		if service {
			d.Kind = authtoken.ServiceAccount
		}
	}
	switch {
	case d.Kind != authtoken.Personal && d.Kind != authtoken.ServiceAccount:
		return fault.New(fault.Malformed, "the type of a token is %s or %s, not %.40q", authtoken.Personal, authtoken.ServiceAccount, d.Kind)
	case d.Kind == authtoken.ServiceAccount && !service:
		return account.NotAService(d.Actor)
	case d.Kind == authtoken.ServiceAccount:
		if _, err = auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageServiceAcct)); err == nil {
			err = s.allowPassingOn(ctx, d.Actor, scope)
		}
	case d.Actor == caller.URN:
		_, err = auth.RequireOne(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.GenerateTokens), auth.ForPlatform(auth.ManageTokens))
	default:
		_, err = auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageTokens))
	}
	if err != nil {
		return err
	}
	reason, err := s.cfg.Accounts.Status(ctx, d.Actor)
	if err != nil {
		return err
	}
	// An actor that may create tokens for others may do so before the other user is set up; the
	// token is refused until then. For the system actor an unknown user is a typing error at the
	// command line.
	if reason == account.HardDeleted && !caller.System || reason.MayAct() {
		return nil
	}
	return fault.New(fault.Malformed, "%s can have no token: %s", d.Actor, reason.Sentence())
}

// allowPassingOn refuses a token of a service account with more privileges than the actor.
// Otherwise an actor that manages service accounts would gain the privileges of any of them. The
// actor must hold each platform privilege that the token will have, or be able to give it to any
// user. Privileges over assets do not count, as for members of groups.
func (s *Service) allowPassingOn(ctx context.Context, service urn.URN, scope *auth.Scope) error {
	var asked []auth.Check
	for _, right := range auth.Rights() {
		if auth.OfPlatform(right.Privilege) && scope.Permits(right.Privilege, "", nil) {
			asked = append(asked, auth.ForPlatform(right.Privilege))
		}
	}
	anywhere := slices.Clone(asked) // policies may grant such a privilege over entities as well
	for i := range anywhere {
		anywhere[i].Anywhere = true
	}
	held, err := s.cfg.Authorizer.Decide(auth.WithActor(ctx, auth.Actor{URN: service}), anywhere)
	if err != nil {
		return err
	}
	var needed []auth.Check
	for i := range held {
		if held[i].Allowed() {
			needed = append(needed, auth.ForPlatform(asked[i].AnyOf[0], auth.ManageTokens, auth.ManagePolicies))
		}
	}
	running, err := s.runnersOf(ctx, service, scope)
	if err != nil {
		return err
	}
	for _, p := range running {
		needed = append(needed, auth.ForPlatform(p, auth.ManageTokens, auth.ManagePolicies))
	}
	_, err = auth.Require(ctx, s.cfg.Authorizer, needed...)
	if fault.KindOf(err) != fault.Forbidden {
		return err
	}
	refused := fault.Refuse(fault.RefusalOf(err), "Unauthorized to create a token for %s: the service account holds a privilege that you do not, so this needs MANAGE_ACCESS_TOKENS", service)
	refused.Cause = err
	return refused
}

// runnersOf lists the platform privileges that a token is equivalent to because policies that name
// entities of a type in model.Runners let the service account write them. One ingestion source
// suffices: its recipe runs with every secret.
func (s *Service) runnersOf(ctx context.Context, service urn.URN, scope *auth.Scope) (privileges []auth.Privilege, err error) {
	var checks []auth.Check
	for entityType, privilege := range model.Runners() {
		if scope.MayReach(auth.EditEntity, auth.OpUpdate, entityType) || scope.MayReach(auth.CreateEntity, auth.OpCreate, entityType) {
			checks = append(checks, auth.Check{AnyOf: []auth.Privilege{auth.EditEntity, auth.CreateEntity}, Type: entityType, Anywhere: true})
			privileges = append(privileges, auth.Privilege(privilege))
		}
	}
	held, err := s.cfg.Authorizer.Decide(auth.WithActor(ctx, auth.Actor{URN: service}), checks)
	if err != nil {
		return nil, err
	}
	kept := privileges[:0]
	for i := range held {
		if held[i].Allowed() {
			kept = append(kept, privileges[i])
		}
	}
	return kept, nil
}
