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

// requireFields takes pairs of a member's name and its value.
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

// newUserURN is the URN a client asks for, or else the one of the e-mail
// address. The command line asks when it was given an id, and afterwards gives
// its role to that URN. Which names there may be, and which are free, is the
// service's to say.
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

// userURN refuses ids that are no names of users.
func userURN(id string) (urn.URN, error) {
	if err := username.Check(id); err != nil {
		return "", fault.New(fault.Invalid, "User name %v.", err)
	}
	return urn.Make(username.EntityType, id), nil
}

// target is where a request asks to go on to, as a path below the base path. Pages write
// whole paths of the server, as addresses show them; one without the base path is taken as
// below it.
func (h *Handler) target(c echo.Context) string {
	asked := c.QueryParam("redirect_uri")
	if rest, within := strings.CutPrefix(asked, h.base); within && (rest == "" || rest[0] == '/') {
		asked = rest
	}
	return localPath(asked)
}

// localPath keeps a redirect target on this server: a path with one leading
// slash and no segment of dots, which browsers cannot read as another host or as a path
// outside of the base path, also when something decodes it on the way. Anything else becomes /, and so do the paths by which people get in and out.
func localPath(target string) string {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "" || u.Host != "" || strings.Contains(target, `\`) || !isLocal(target) || !isLocal(u.Path) || hasDots(target) || isDoor(u.Path) {
		return "/"
	}
	return target
}

// isLocal also refuses backslashes, which browsers take for slashes, and control
// characters, which they drop, so that two slashes could come together.
func isLocal(path string) bool {
	return strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") && !strings.HasPrefix(path, `/\`) &&
		!strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f || r == utf8.RuneError })
}

// hasDots finds segments of one or two dots in the path of a target, by which browsers
// leave the base path, however the dots are written. Servers on the way may also decode
// slashes, or leave out what follows a semicolon. A URN may have what it likes within
// its segment.
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

// isDoor finds the paths that send browsers on: to come back to them would lead
// round, or out again.
func isDoor(path string) bool {
	switch path {
	case "/sso", "/authenticate", "/logOut", signInPage:
		return true
	}
	return strings.HasPrefix(path, "/callback/")
}

// mask shortens a user name for the log, where people sometimes type their password.
func mask(name string) string {
	first, _ := utf8.DecodeRuneInString(name)
	return string(first) + "***"
}
