package app

import (
	"cmp"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/frontend-proxy/internal/session"
	"github.com/cartulary/cartulary/frontend-proxy/internal/sso"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

// apiVersion is the DataHub release whose API both programs implement.
const apiVersion = "v1.8.0"

const healthPath = "/health"

// statusPages serves the small responses for probes and existing clients.
type statusPages struct {
	server  *httpserver.Server
	jar     *session.Jar
	options map[string]any
	base    string
}

// signInOptions returns the options of the sign-in page: whether passwords are enabled, the label of
// the single sign-on button, null without one, and the text for each refusal code. The page uses
// these texts because anyone can write a text into its address.
func signInOptions(cfg Config) map[string]any {
	options := map[string]any{"password": cfg.Login.Native, "singleSignOn": nil}
	if cfg.OIDC.Enabled {
		options["singleSignOn"] = "Sign in with " + cfg.OIDC.Name
		refusals := map[sso.Code]string{}
		for _, code := range sso.Codes() {
			refusals[code] = code.Sentence()
		}
		if cfg.OIDC.DeniedMessage != "" {
			refusals[sso.GroupsNotAllowed], refusals[sso.GroupsMissing] = cfg.OIDC.DeniedMessage, cfg.OIDC.DeniedMessage
		}
		options["refusals"] = refusals
	}
	return options
}

func (d statusPages) mount(e *echo.Echo) {
	for _, path := range []string{healthPath, "/admin"} {
		e.GET(path, d.health)
		e.HEAD(path, d.health)
	}
	e.GET("/config", d.frontendConfig)
	e.GET("/mfe/config", d.microFrontends)
}

// health reports only the state of the proxy: an unavailable service is no reason to restart the
// proxy, which waits for it.
func (d statusPages) health(c echo.Context) error {
	if d.server.State() == httpserver.Stopping {
		httpserver.SetRetryAfter(c.Response().Header(), fault.DefaultRetryAfter)
		return c.String(http.StatusServiceUnavailable, "STOPPING")
	}
	return c.String(http.StatusOK, "GOOD")
}

// frontendConfig returns the configuration without a member noCode, by which clients recognise the
// service.
func (d statusPages) frontendConfig(c echo.Context) error {
	return c.JSON(http.StatusOK, map[string]any{
		"status": "ok",
		"config": map[string]any{
			"application":                   "cartulary",
			"appVersion":                    apiVersion,
			"isInternal":                    false,
			"shouldShowDatasetLineage":      true,
			"suggestionConfidenceThreshold": 50,
			"wikiLinks":                     map[string]any{},
			"tracking":                      map[string]any{"trackers": map[string]any{}, "isEnabled": false},
			"isStagingBanner":               false,
			"userEntityProps":               map[string]any{"aviUrlPrimary": "", "aviUrlFallback": ""},
			"basePath":                      cmp.Or(d.base, "/"),
			"signIn":                        d.options,
		},
	})
}

func (d statusPages) microFrontends(c echo.Context) error {
	if _, err := d.jar.Open(c.Request()); err != nil && c.Request().Header.Get(echo.HeaderAuthorization) == "" {
		c.Response().Header().Set(echo.HeaderWWWAuthenticate, "Bearer")
		return fault.Wrap(err, fault.Unauthenticated, "please sign in")
	}
	c.Response().Header().Set("Cache-Control", "private, max-age=300")
	return c.Blob(http.StatusOK, "application/yaml", []byte("subNavigationMode: false\nmicroFrontends: []\n"))
}
