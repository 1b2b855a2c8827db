package gateway

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
)

// maxWayBack is how long the address to come back to may be, in bytes. A longer one would
// not fit into the header of a redirect everywhere.
const maxWayBack = 4 << 10

// isNavigation reports whether a browser asks for a page to show, as opposed to a program,
// or a script in a page, that reads the answer. Browsers tell by Sec-Fetch-Mode; old ones
// and those that reach us without TLS by what they accept alone.
func isNavigation(r *http.Request) bool {
	mode := r.Header.Get("Sec-Fetch-Mode")
	return r.Method == http.MethodGet && (mode == "" || mode == "navigate") && !isExplicit(r.Header.Get("Authorization")) &&
		strings.Contains(r.Header.Get(echo.HeaderAccept), echo.MIMETextHTML)
}

// signInAddress is the page to sign in at, which leads back to the address of a request
// afterwards. Empty when the request is none of a person, or nobody could sign in here.
// The way back is a path of a row of the table, so it leads to this server alone.
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

// sendToSignIn answers a person without a session with the way to sign in. It reports
// false when the request is of somebody else, or failed for another reason.
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

// redirectToSignIn makes a refusal of the service, which wants a credential, the way to
// sign in. A session that is good is refused for another reason: signing in again would
// lead round.
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
