package gateway

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
)

// maxWayBack is the maximum length in bytes of the address to return to. A longer one would exceed
// header limits of some servers.
const maxWayBack = 4 << 10

// isNavigation reports whether a browser requests a page to show, as opposed to a program or a
// script in a page. Browsers indicate that in Sec-Fetch-Mode. Old browsers, and those that reach
// the proxy without TLS, only indicate it in Accept.
func isNavigation(r *http.Request) bool {
	mode := r.Header.Get("Sec-Fetch-Mode")
	return r.Method == http.MethodGet && (mode == "" || mode == "navigate") && !isExplicit(r.Header.Get("Authorization")) &&
		strings.Contains(r.Header.Get(echo.HeaderAccept), echo.MIMETextHTML)
}

// signInAddress returns the address of the sign-in page, which returns to the address of the
// request afterwards. It is empty if the request is not a navigation, or if sign-in is not
// possible. The address to return to is a path of the path table, so it leads only to this server.
func (g *Gateway) signInAddress(r *http.Request) string {
	if g.cfg.SignInPage == "" || !isNavigation(r) {
		return ""
	}
	page := g.cfg.BasePath + g.cfg.SignInPage
	if back := g.cfg.BasePath + r.URL.RequestURI(); len(back) <= maxWayBack {
		page += "?redirect_uri=" + url.QueryEscape(back)
	}
	return page
}

// sendToSignIn redirects a navigation without a session to the sign-in page. It returns false if
// the request is not a navigation, or failed for another reason.
func (g *Gateway) sendToSignIn(c echo.Context, err error) bool {
	if !errors.Is(err, fault.Unauthenticated) {
		return false
	}
	page := g.signInAddress(c.Request())
	if page == "" {
		return false
	}
	setSignIn(c.Response().Header(), page)
	c.Response().WriteHeader(http.StatusSeeOther)
	return true
}

// redirectToSignIn replaces a response of the service that requires a credential by a redirect to
// the sign-in page. It does not apply to a valid session: its request was refused for another
// reason, so a new sign-in would end in a loop.
func (g *Gateway) redirectToSignIn(res *http.Response, x *exchange) {
	if res.StatusCode != http.StatusUnauthorized || x.identity.byCookie && !isBadCredential(res) || x.signIn == "" {
		return
	}
	_ = res.Body.Close()
	res.Body, res.ContentLength = http.NoBody, 0
	res.StatusCode, res.Status = http.StatusSeeOther, ""
	for _, name := range []string{"Content-Type", "Content-Length", "Content-Encoding", echo.HeaderWWWAuthenticate} {
		res.Header.Del(name)
	}
	setSignIn(res.Header, x.signIn)
}

func setSignIn(h http.Header, page string) {
	h.Set("Location", page)
	h.Set("Cache-Control", "no-store")
}
