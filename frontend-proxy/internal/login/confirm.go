package login

import (
	"bytes"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
)

// confirmPage is a form that confirms the end of the session. It uses neither script nor style.
const confirmPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign out of Cartulary</title>
</head>
<body>
<h1>Sign out?</h1>
<p>You came here from another site. You are still signed in.</p>
<form method="post" action="logOut"><button>Sign out</button></form>
<p><a href="./">Stay signed in</a></p>
</body>
</html>
`

const confirmPolicy = "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func confirm(c echo.Context) error {
	header := c.Response().Header()
	header.Set("Content-Security-Policy", confirmPolicy)
	header.Set("Cache-Control", "no-store")
	return c.HTML(http.StatusForbidden, confirmPage)
}

// leavePage redirects to the identity provider. An HTTP redirect would be part of the form
// submission, which the policy of the page with the form restricts to this server.
var leavePage = template.Must(template.New("leave").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url={{.}}">
<title>Signed out of Cartulary</title>
</head>
<body>
<h1>Signed out</h1>
<p><a href="{{.}}">Sign out at the identity provider, too</a></p>
</body>
</html>
`))

func leave(c echo.Context, address string) error {
	header := c.Response().Header()
	header.Set("Content-Security-Policy", confirmPolicy)
	var page bytes.Buffer
	if err := leavePage.Execute(&page, address); err != nil {
		return err
	}
	return c.HTMLBlob(http.StatusOK, page.Bytes())
}

// isSameOrigin reports whether a request does not come from a page of another site. Browsers report
// the origin in Sec-Fetch-Site, but only with TLS or on this machine. Elsewhere the Referer
// identifies pages of this server, as the policy of its responses makes browsers send it. A browser
// that sends neither header may come from any site; programs do not request HTML.
func isSameOrigin(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return true
	case "":
	default:
		return false
	}
	for _, name := range []string{"Origin", "Referer"} {
		if from := r.Header.Get(name); from != "" {
			return hostOf(from) == r.Host
		}
	}
	return !strings.Contains(r.Header.Get(echo.HeaderAccept), echo.MIMETextHTML)
}

// hostOf returns the host of an address, or an empty string for other texts such as the origin
// null.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
