package login

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
	"github.com/cartulary/cartulary/pkg/username"
)

// requireFields checks pairs of field name and value for empty values.
func requireFields(pairs ...string) error {
	for i := 0; i < len(pairs); i += 2 {
		if strings.TrimSpace(pairs[i+1]) == "" {
			return fault.New(fault.Invalid, "%s must not be empty.", pairs[i])
		}
	}
	return nil
}

func checkEmail(email string) error {
	name, domain, found := strings.Cut(email, "@")
	if !found || name == "" || domain == "" || strings.ContainsAny(email, " \t\r\n,()") {
		return fault.New(fault.Invalid, "Email must be an address such as name@example.com.")
	}
	if err := username.Check(email); err != nil {
		return fault.New(fault.Invalid, "Email %v.", err)
	}
	return nil
}

// newUserURN returns the URN that a client requests, or else the URN of the e-mail address. The
// command line requests a URN if it was given an id, and afterwards assigns a role to that URN. The
// service checks which names are allowed and available.
func newUserURN(asked, email string) (urn.URN, error) {
	if asked == "" {
		return userURN(email)
	}
	id, isUser := strings.CutPrefix(asked, urn.TypePrefix(username.EntityType))
	if !isUser {
		return "", fault.New(fault.Invalid, "User URN must start with %s.", urn.TypePrefix(username.EntityType))
	}
	return userURN(id)
}

// userURN returns the URN of a user id, and an error for an invalid user name.
func userURN(id string) (urn.URN, error) {
	if err := username.Check(id); err != nil {
		return "", fault.New(fault.Invalid, "User name %v.", err)
	}
	return urn.Make(username.EntityType, id), nil
}

// target returns the path to redirect to after a request, as a path below the base path. Pages send
// the full path of an address; a path without the base path is treated as below it.
func (h *Handler) target(c echo.Context) string {
	asked := c.QueryParam("redirect_uri")
	if rest, within := strings.CutPrefix(asked, h.base); within && (rest == "" || rest[0] == '/') {
		asked = rest
	}
	return localPath(asked)
}

// localPath restricts a redirect target to this server. It accepts a path with one leading slash
// and without dot segments, which browsers cannot interpret as another host or as a path outside of
// the base path, even if a server on the way decodes it. It returns / for anything else, and for
// the paths of sign-in and sign-out.
func localPath(target string) string {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "" || u.Host != "" || strings.Contains(target, `\`) || !isLocal(target) || !isLocal(u.Path) || hasDots(target) || redirectsBrowser(u.Path) {
		return "/"
	}
	return target
}

// isLocal also rejects backslashes, which browsers treat as slashes, and control characters, which
// they remove, so that two slashes could become adjacent.
func isLocal(path string) bool {
	return strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") && !strings.HasPrefix(path, `/\`) &&
		!strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f || r == utf8.RuneError })
}

// hasDots reports segments of one or two dots in the path of a target, in any encoding, by which
// browsers leave the base path. Servers on the way may also decode slashes, or drop the text after
// a semicolon. A URN may contain any text within its segment.
func hasDots(target string) bool {
	path, _, _ := strings.Cut(target, "#")
	path, _, _ = strings.Cut(path, "?")
	inURN := false
	for segment := range strings.SplitSeq(path, "/") {
		text, err := url.PathUnescape(segment)
		if err != nil || isDots(text) {
			return true
		}
		inURN = inURN || urn.Looks(text)
		if !inURN && slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == '\\' }), isDots) {
			return true
		}
	}
	return false
}

func isDots(segment string) bool {
	segment, _, _ = strings.Cut(segment, ";")
	return segment == "." || segment == ".."
}

// redirectsBrowser reports whether a path redirects browsers: returning to it would cause a loop or
// a sign-out.
func redirectsBrowser(path string) bool {
	switch path {
	case "/sso", "/authenticate", "/logOut", signInPage:
		return true
	}
	return strings.HasPrefix(path, "/callback/")
}

// mask shortens a user name for the log, since people sometimes type their password into that
// field.
func mask(name string) string {
	first, _ := utf8.DecodeRuneInString(name)
	return string(first) + "***"
}
