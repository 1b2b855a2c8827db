package sso

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/pkg/urn"
	"github.com/cartulary/cartulary/pkg/username"
)

// maxGroups is beyond what the service puts a user into, which says so.
const maxGroups = 2000

// claims are what the provider says of somebody.
type claims map[string]any

func decodeClaims(text []byte) (claims, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var out claims
	err := decoder.Decode(&out)
	return out, err
}

// at finds a claim by its name, or by a path such as realm_access.roles.
func (c claims) at(name string) (any, bool) {
	if value, ok := c[name]; ok && value != nil {
		return value, true
	}
	outer, inner, nested := strings.Cut(name, ".")
	if !nested {
		return nil, false
	}
	object, _ := c[outer].(map[string]any)
	return claims(object).at(inner)
}

// text is a claim that is a text or a number, empty when it is neither.
func (c claims) text(name string) string {
	value, _ := c.at(name)
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// add takes over what is not said yet. That the address is not verified counts wherever
// it is said: the address itself may come from elsewhere.
func (c claims) add(more claims) {
	if more.unverified() {
		c[emailVerified] = false
	}
	for name, value := range more {
		if _, said := c[name]; !said {
			c[name] = value
		}
	}
}

// Identity is who somebody is, by what the provider says.
type Identity struct {
	User                                          urn.URN
	FullName, FirstName, LastName, Email, Picture string
	// Groups are nil unless they are to be taken over.
	Groups []string
}

// identify reads who it is, and refuses whom the configuration keeps out.
func (c *Client) identify(said claims) (Identity, error) {
	user, err := c.userOf(said)
	if err != nil {
		return Identity{}, err
	}
	who := Identity{
		User: user, FullName: said.text("name"), FirstName: said.text("given_name"), LastName: said.text("family_name"),
		Email: said.text("email"), Picture: said.text("picture"),
	}
	groups, told, err := c.groupsOf(said)
	if err != nil {
		return who, err
	}
	if len(c.cfg.RequiredGroups) > 0 {
		switch {
		case !told:
			return who, refuse(GroupsMissing, "no claim %s came, and oidc.required_groups asks for one", strings.Join(c.cfg.GroupsClaims, ", "))
		case !slices.ContainsFunc(groups, func(name string) bool { return slices.Contains(c.cfg.RequiredGroups, name) }):
			return who, refuse(GroupsNotAllowed, "none of the %d groups is in oidc.required_groups", len(groups))
		}
	}
	if c.cfg.ExtractGroups {
		// Who is in no group is often told without the claim, and must not keep former ones.
		who.Groups = append([]string{}, groups...)
	}
	return who, nil
}

// userOf makes the user of the claim that was configured.
func (c *Client) userOf(said claims) (urn.URN, error) {
	name := said.text(c.cfg.UserNameClaim)
	if name == "" {
		return "", refuse(UserNameMissing, "no claim %s came that is a text", c.cfg.UserNameClaim)
	}
	// A name that looks like an address is as good as one, whichever claim it comes from. People
	// read a wide at sign as the usual one.
	isAddress := c.cfg.UserNameClaim == "email" || strings.ContainsAny(name, "@\uff20\ufe6b")
	if isAddress && !c.cfg.AllowUnverified && said.unverified() {
		return "", refuse(EmailNotVerified, "the user name is the e-mail address, and email_verified is not true; oidc.allow_unverified_email would take it")
	}
	// An expression must not pick a name out of a text that people read as another: a
	// dot, for one, matches up to the end of a line.
	if err := username.CheckText(name); err != nil {
		return "", refuse(UserNameInvalid, "the claim %s %w", c.cfg.UserNameClaim, err)
	}
	picked, ok := c.pick(name)
	if !ok || picked == "" {
		return "", refuse(UserNameMismatch, "the claim %s does not match oidc.user_name_claim_regex", c.cfg.UserNameClaim)
	}
	if err := username.Check(picked); err != nil {
		return "", refuse(UserNameInvalid, "the user name %w", err)
	}
	return urn.Make(username.EntityType, picked), nil
}

// pick takes the part of a claim that is the user name: what the group named user
// matches, or else the whole match.
func (c *Client) pick(name string) (string, bool) {
	if c.cfg.UserNameRegex == nil {
		return name, true
	}
	found := c.cfg.UserNameRegex.FindStringSubmatch(name)
	if found == nil {
		return "", false
	}
	return found[max(c.cfg.UserNameRegex.SubexpIndex("user"), 0)], true
}

const emailVerified = "email_verified"

// unverified tells whether the claims say something else of the address than that it is
// verified, be it as a text, which some providers send. To say nothing is not to deny it.
func (c claims) unverified() bool {
	switch v := c[emailVerified].(type) {
	case nil:
		return false
	case bool:
		return !v
	case string:
		return !strings.EqualFold(v, "true")
	}
	return true
}

// groupsOf collects the names of groups of all claims that were configured; told says
// whether any of them came.
func (c *Client) groupsOf(said claims) (names []string, told bool, err error) {
	if !c.wantsGroups() {
		return nil, false, nil
	}
	elsewhere, _ := said["_claim_names"].(map[string]any)
	for _, claim := range c.cfg.GroupsClaims {
		if _, ok := elsewhere[claim]; ok {
			return nil, false, refuse(GroupsMissing, "the claim %s is not in the token but elsewhere, as there are too many groups; let the provider send fewer", claim)
		}
		value, ok := said.at(claim)
		if !ok {
			continue
		}
		found, ok := namesIn(value)
		if !ok {
			return nil, false, refuse(GroupsMissing, "the claim %s is no list of texts", claim)
		}
		names, told = append(names, found...), true
	}
	if len(names) > maxGroups {
		return nil, false, refuse(GroupsMissing, "the claims name %d groups, more than %d; let the provider send fewer", len(names), maxGroups)
	}
	return names, told, nil
}

func (c *Client) wantsGroups() bool { return c.cfg.ExtractGroups || len(c.cfg.RequiredGroups) > 0 }

// namesIn reads a list of texts, a text that is such a list in JSON, or one with commas.
func namesIn(value any) (names []string, ok bool) {
	if text, isText := value.(string); isText {
		if err := json.Unmarshal([]byte(text), &names); err == nil {
			return names, true
		}
		for name := range strings.SplitSeq(text, ",") {
			if name = strings.TrimSpace(name); name != "" {
				names = append(names, name)
			}
		}
		return names, true
	}
	list, isList := value.([]any)
	for _, item := range list {
		name, isText := item.(string)
		if !isText {
			return nil, false
		}
		names = append(names, name)
	}
	return names, isList
}
