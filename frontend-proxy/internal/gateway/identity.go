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

// anonymousActor is asserted where a service that checks nothing would otherwise take us
// for itself. It is a name the model reserves for an unknown user.
const anonymousActor = "urn:li:corpuser:UNKNOWN"

// strippedHeaders are removed from every request: they claim an identity or a way
// of signing in, or are meant for the proxy alone.
var strippedHeaders = []string{
	"Authorization", "Cookie", actorHeader, sourceHeader, "X-DataHubLoginSource",
	"X-DataHub-Delegated-For-Id", "X-DataHub-Delegated-For-Type",
	"X-DataHub-Impersonated-Actor",
}

// identity is what the service is told about who asks.
type identity struct {
	bearer        string // empty is anonymous
	assertedActor string // sent to a service that does not authenticate
	actor         string // for the access line; empty when only the service knows
	byCookie      bool
}

// identify settles who asks. An Authorization the client sent itself wins over
// the session its cookie jar may hold for somebody else: also one that is
// damaged, or the request would quietly be made by the wrong person.
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
		// The service knows which paths are open, and says what it needs.
		return identity{}, nil
	case to.open:
		return identity{assertedActor: anonymousActor}, nil
	}
	return identity{}, fault.Wrap(err, fault.Unauthenticated, "please sign in: this server takes sessions only, since authentication is turned off")
}

// isExplicit reports whether somebody meant to say who they are. Browsers add
// Basic by themselves once a server before us has asked for it.
func isExplicit(header string) bool {
	scheme, _, _ := strings.Cut(strings.TrimSpace(header), " ")
	return scheme != "" && !strings.EqualFold(scheme, "Basic")
}

// bearerToken is the token of a header, or empty. Other schemes are none: Basic is
// how the proxy itself speaks to the service.
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
