package gateway

import (
	"net/http"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	actorHeader  = "X-DataHub-Actor"
	sourceHeader = "X-DataHub-Request-Source"
)

// anonymousActor is asserted because a service without authentication would otherwise treat the
// request as the proxy's. The model reserves the name for an unknown user.
const anonymousActor = "urn:li:corpuser:UNKNOWN"

// strippedHeaders are removed from every request: they claim an identity or a kind of sign-in, or
// are meant only for the proxy.
var strippedHeaders = []string{
	"Authorization", "Cookie", actorHeader, sourceHeader, "X-DataHubLoginSource",
	"X-DataHub-Delegated-For-Id", "X-DataHub-Delegated-For-Type",
	"X-DataHub-Impersonated-Actor",
}

// identity is the identity that the service receives for a request.
type identity struct {
	bearer        string // empty means anonymous
	assertedActor string // sent to a service that does not authenticate
	actor         string // for the access log; empty if only the service can determine it
	byCookie      bool
}

// identify determines the identity of a request. An Authorization header of the client takes
// precedence over the session cookie, which may belong to another user. A damaged header does, too,
// as the request would otherwise silently run as the wrong user.
func (g *Gateway) identify(r *http.Request, to target) (identity, error) {
	if header := r.Header.Get("Authorization"); isExplicit(header) && g.cfg.AuthEnabled {
		return identity{bearer: bearerToken(header)}, nil
	}
	s, err := g.cfg.Jar.Open(r)
	switch {
	case err == nil && g.cfg.AuthEnabled:
		return identity{bearer: s.Token, actor: string(s.Actor), byCookie: true}, nil
	case err == nil:
		return identity{assertedActor: string(s.Actor), actor: string(s.Actor), byCookie: true}, nil
	case g.cfg.AuthEnabled && to.members:
		return identity{}, fault.Wrap(err, fault.Unauthenticated, "please sign in, or send the header Authorization: Bearer <token>")
	case g.cfg.AuthEnabled:
		// The service decides which paths are open, and reports the required credential.
		return identity{}, nil
	case to.open:
		return identity{assertedActor: anonymousActor}, nil
	}
	return identity{}, fault.Wrap(err, fault.Unauthenticated, "please sign in: this server takes sessions only, since authentication is turned off")
}

// isExplicit reports whether a client has deliberately sent a credential. Browsers add Basic
// automatically once a server in front of the proxy has requested it.
func isExplicit(header string) bool {
	scheme, _, _ := strings.Cut(strings.TrimSpace(header), " ")
	return scheme != "" && !strings.EqualFold(scheme, "Basic")
}

// bearerToken returns the token of a header, or an empty string. It ignores other schemes: the
// proxy itself uses Basic to authenticate to the service.
func bearerToken(header string) string {
	scheme, token, _ := strings.Cut(strings.TrimSpace(header), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

func (id identity) write(h http.Header) {
	for _, name := range strippedHeaders {
		h.Del(name)
	}
	if id.bearer != "" {
		h.Set("Authorization", "Bearer "+id.bearer)
	}
	if id.assertedActor != "" {
		h.Set(actorHeader, id.assertedActor)
	}
	source := "SDK"
	if id.byCookie {
		source = "BROWSER"
	}
	h.Set(sourceHeader, source)
}
