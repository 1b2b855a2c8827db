// Package authn finds the actor of a request.
//
// It works in two phases. Extraction never fails: the credential of the request yields an actor, or
// the request is anonymous. Enforcement refuses anonymous requests with 401, except on the few open
// paths. A request with a bad token on an open path is therefore simply anonymous.
//
// There are two kinds of credentials. The proxy and other parts of the installation authenticate as
// the system actor with "Basic <id>:<secret>", in plain text and not in base64, as clients of this
// protocol send it. All other clients send a bearer token. With authentication disabled nothing is
// checked: the header X-DataHub-Actor names the actor, and without it the request has the system
// actor.
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

// ActorHeader names the actor. It is read only while authentication is disabled.
const ActorHeader = "X-DataHub-Actor"

const (
	// MaxCredential is the largest accepted credential, in bytes.
	MaxCredential = 8 << 10
	maxActor      = 512
)

// Tokens verifies bearer tokens. For a bad token Verify returns fault.Unauthenticated.
type Tokens interface {
	Verify(ctx context.Context, text string) (token.Verified, error)
}

// Config holds the dependencies and settings of an Authenticator.
type Config struct {
	// Enabled is false if requests need no credential.
	Enabled bool
	// SystemSecret authenticates the system actor. Its id is that of model.SystemActor.
	SystemSecret config.Secret
	Tokens       Tokens
	// Guesses counts bad Basic credentials by network and delays further attempts. Nil disables
	// this.
	Guesses *ratelimit.Attempts
	// Open lists paths that need no actor, relative to each of Mounts. A /* at the end matches
	// everything below. Nil means DefaultOpen.
	Open []string
	// OpenAtRoot lists paths that need no actor at the root only. Nil means DefaultOpenAtRoot.
	OpenAtRoot []string
	// Mounts lists the path prefixes of the service. Nil means DefaultMounts.
	Mounts []string
}

// DefaultOpen returns the paths of the service that need no actor.
func DefaultOpen() []string {
	return []string{
		"/schema-registry/*", "/health", "/health/live", "/health/detailed", "/config", "/config/search/export",
		"/public-iceberg/*", "/openapi/operations/dev/featureFlags", "/openapi/operations/dev/featureFlags/*",
	}
}

// DefaultOpenAtRoot returns the open paths that exist at the root only. For the API explorer pages
// these are the static files, which are equal in every installation; the data that they show
// requires a token.
func DefaultOpenAtRoot() []string {
	return []string{
		"/actuator/prometheus", "/metrics", "/api/graphiql", "/api/graphiql/*", "/assets/platforms/*",
		"/openapi/swagger-ui", "/openapi/swagger-ui/*",
	}
}

// DefaultMounts returns the path prefixes of the service: the root, and those of the proxy.
func DefaultMounts() []string { return []string{"", "/gms", "/api/gms"} }

// Authenticator finds the actors of requests. It is safe for concurrent use.
type Authenticator struct {
	enabled bool
	system  [sha256.Size]byte
	tokens  Tokens
	guesses *ratelimit.Attempts
	open    openPaths
}

// New returns an Authenticator. It returns fault.Invalid for an enabled one without a system
// secret, since an empty credential would match it.
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

// errAbsent is the error for a request without a credential.
var errAbsent = fault.New(fault.Unauthenticated, "no access token was sent")

var errBadCredential = fault.New(fault.Unauthenticated, "the credential is not valid here")

// Authenticate returns the actor of a request from its headers. An error of kind
// fault.Unauthenticated means that the request is anonymous and states the reason. Any other kind
// means that the credential could not be verified now.
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

// basic compares hashes in constant time, so that the duration reveals neither the content nor the
// length of the secret.
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

// assertedActor returns the actor that a request names while authentication is disabled.
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
