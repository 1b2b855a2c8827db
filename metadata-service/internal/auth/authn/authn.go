// Package authn finds out who makes a request.
//
// It works in two phases. Extraction never fails: the credential of the
// request gives an actor, or the request is anonymous. Enforcement refuses
// anonymous requests with 401, except on the few paths that are open to
// everybody. A bad token on an open path is therefore simply anonymous.
//
// There are two credentials. The proxy and other parts of the installation are
// the system actor by "Basic <id>:<secret>", plain text and not base64, as
// clients of this protocol send it. Everybody else has a bearer token. With
// authentication disabled nothing is checked: the header X-DataHub-Actor says
// who asks, and without it the system actor does.
package authn

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/ratelimit"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ActorHeader names the actor while authentication is disabled, and only then.
const ActorHeader = "X-DataHub-Actor"

const (
	// MaxCredential bounds what is looked at of a credential, in bytes.
	MaxCredential = 8 << 10
	maxActor      = 512
)

// Tokens judges bearer tokens. A bad one is fault.Unauthenticated.
type Tokens interface {
	Verify(ctx context.Context, text string) (token.Verified, error)
}

// Config is what an Authenticator works with.
type Config struct {
	// Enabled is false when nobody has to prove who they are.
	Enabled bool
	// SystemSecret proves the system actor, whose id is that of model.SystemActor.
	SystemSecret config.Secret
	Tokens       Tokens
	// Guesses counts bad Basic credentials by network, and slows them down; nil does not.
	Guesses *ratelimit.Attempts
	// Open lists paths that need no actor, relative to each of Mounts; a /* at the end stands
	// for everything below. Nil means DefaultOpen.
	Open []string
	// OpenAtRoot lists paths that need no actor at the root alone. Nil means DefaultOpenAtRoot.
	OpenAtRoot []string
	// Mounts lists the prefixes under which the service answers. Nil means DefaultMounts.
	Mounts []string
}

// DefaultOpen lists the paths of the service that are open to everybody.
func DefaultOpen() []string {
	return []string{
		"/schema-registry/*", "/health", "/health/live", "/health/detailed", "/config", "/config/search/export",
		"/public-iceberg/*", "/openapi/operations/dev/featureFlags", "/openapi/operations/dev/featureFlags/*",
	}
}

// DefaultOpenAtRoot lists the open paths that exist at the root alone. Of the pages to try
// things out in, these are the files, which are the same everywhere; what they show is
// asked for with a token.
func DefaultOpenAtRoot() []string {
	return []string{
		"/actuator/prometheus", "/metrics", "/api/graphiql", "/api/graphiql/*", "/assets/platforms/*",
		"/openapi/swagger-ui", "/openapi/swagger-ui/*",
	}
}

// DefaultMounts lists where the service answers: at the root and where the proxy does.
func DefaultMounts() []string { return []string{"", "/gms", "/api/gms"} }

// Authenticator finds actors. It is safe for concurrent use.
type Authenticator struct {
	enabled bool
	system  [sha256.Size]byte
	tokens  Tokens
	guesses *ratelimit.Attempts
	open    openPaths
}

// New makes an Authenticator. It refuses an enabled one without a system
// secret, which an empty credential would match.
func New(cfg Config) (*Authenticator, error) {
	if cfg.Enabled && cfg.SystemSecret == "" {
		return nil, fault.New(fault.Invalid, "authentication needs a secret for the system actor")
	}
	return &Authenticator{
		enabled: cfg.Enabled,
		system:  sha256.Sum256([]byte(model.SystemActor.Key() + ":" + cfg.SystemSecret.Reveal())),
		tokens:  cfg.Tokens,
		guesses: cfg.Guesses,
		open:    newOpenPaths(cfg),
	}, nil
}

// errAbsent is the answer to a request without any credential.
var errAbsent = fault.New(fault.Unauthenticated, "no access token was sent")

var errBadCredential = fault.New(fault.Unauthenticated, "the credential is not valid here")

// Authenticate finds the actor of a request from its headers. An error of kind
// fault.Unauthenticated means that the request is anonymous and says why; any
// other kind that the credential could not be judged now.
func (a *Authenticator) Authenticate(ctx context.Context, h http.Header) (auth.Actor, error) {
	if !a.enabled {
		return assertedActor(h.Get(ActorHeader))
	}
	credentials := h.Values("Authorization")
	switch {
	case len(credentials) == 0 || len(credentials) == 1 && credentials[0] == "":
		return auth.Actor{}, errAbsent
	case len(credentials) > 1 || len(credentials[0]) > MaxCredential:
		return auth.Actor{}, errBadCredential
	}
	scheme, credential, _ := strings.Cut(credentials[0], " ")
	switch {
	case strings.EqualFold(scheme, "Basic"):
		return a.basic(credential)
	case strings.EqualFold(scheme, "Bearer"):
		return a.bearer(ctx, strings.TrimSpace(credential))
	}
	return auth.Actor{}, errBadCredential
}

// basic compares hashes, so that neither the content nor the length of the
// secret shows in the time it takes.
func (a *Authenticator) basic(credential string) (auth.Actor, error) {
	given := sha256.Sum256([]byte(credential))
	if subtle.ConstantTimeCompare(given[:], a.system[:]) != 1 {
		return auth.Actor{}, errBadCredential
	}
	return auth.Actor{URN: model.SystemActor, System: true}, nil
}

func (a *Authenticator) bearer(ctx context.Context, text string) (auth.Actor, error) {
	verified, err := a.tokens.Verify(ctx, text)
	if err != nil {
		return auth.Actor{}, err
	}
	return auth.Actor{URN: verified.Actor, TokenID: verified.ID, Scope: verified.Scope}, nil
}

// assertedActor is the actor that a request names while authentication is disabled.
func assertedActor(actor string) (auth.Actor, error) {
	if actor == "" {
		return auth.Actor{URN: model.SystemActor, System: true}, nil
	}
	u, err := urn.Parse(actor)
	if err != nil || len(actor) > maxActor || u.Type() != account.EntityType {
		return auth.Actor{}, fault.New(fault.Unauthenticated, "the header %s must hold the URN of a user such as urn:li:corpuser:jo", ActorHeader)
	}
	return auth.Actor{URN: u, System: u == model.SystemActor}, nil
}
