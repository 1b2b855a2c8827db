package sso

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/pkg/urn"
	"github.com/cartulary/cartulary/pkg/username"
)

// maxGroups is above the limit of the service, which reports an error of its own.
const maxGroups = 2000

// claims are the statements of the provider about a user.
type claims map[string]any

func decodeClaims(text []byte) (claims, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var out claims
	err := decoder.Decode(&out)
	return out, err
}

// at returns a claim by its name, or by a path such as realm_access.roles.
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

// text returns a claim that is a text or a number, or an empty string for others.
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

// add adds claims that are missing. A statement that the e-mail address is unverified always
// applies, as the address itself may come from another source.
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

// Identity is a user as described by the provider.
type Identity struct {
	User                                          urn.URN
	FullName, FirstName, LastName, Email, Picture string
	// Groups is nil if groups are not to be updated.
	Groups []string
}

// identify determines the identity from the claims, and refuses users whom the configuration
// excludes.
func (c *Client) identify(said claims) (Identity, error) {
	user, err := c.userOf(said)
	if err != nil {
		return Identity{}, err
	}
	identity := Identity{
		User: user, FullName: said.text("name"), FirstName: said.text("given_name"), LastName: said.text("family_name"),
		Email: said.text("email"), Picture: said.text("picture"),
	}
	groups, present, err := c.groupsOf(said)
	if err != nil {
		return identity, err
	}
	if len(c.cfg.RequiredGroups) > 0 {
		switch {
		case !present:
			return identity, refuse(GroupsMissing, "no claim %s came, and oidc.required_groups asks for one", strings.Join(c.cfg.GroupsClaims, ", "))
		case !slices.ContainsFunc(groups, func(name string) bool { return slices.Contains(c.cfg.RequiredGroups, name) }):
			return identity, refuse(GroupsNotAllowed, "none of the %d groups is in oidc.required_groups", len(groups))
		}
	}
	if c.cfg.ExtractGroups {
		// Providers often omit the claim for a user without groups, who must not keep former
		// groups.
		identity.Groups = append([]string{}, groups...)
	}
	return identity, nil
}

// userOf returns the user named by the configured claim.
func (c *Client) userOf(said claims) (urn.URN, error) {
	name := said.text(c.cfg.UserNameClaim)
	if name == "" {
		return "", refuse(UserNameMissing, "no claim %s came that is a text", c.cfg.UserNameClaim)
	}
	// A name that looks like an e-mail address counts as one, whichever claim it comes from. People
	// read a full-width at sign as a regular one.
	isAddress := c.cfg.UserNameClaim == "email" || strings.ContainsAny(name, "@\uff20\ufe6b")
	if isAddress && !c.cfg.AllowUnverified && said.unverified() {
		return "", refuse(EmailNotVerified, "the user name is the e-mail address, and email_verified is not true; oidc.allow_unverified_email would take it")
	}
	// The expression must not match a name in a text that people read differently: a dot, for
	// example, matches only up to the end of a line.
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

// pick returns the part of a claim that is the user name: the match of the group named user, or
// else the whole match.
func (c *Client) pick(name string) (string, bool) {
	if c.userName == nil {
		return name, true
	}
	found := c.userName.FindStringSubmatch(name)
	if found == nil {
		return "", false
	}
	return found[max(c.userName.SubexpIndex(userGroup), 0)], true
}

const userGroup = "user"

// anchored returns an expression that matches whole texts only if it has the group named user, which
// names the part of one domain. Without this, zoe@example.com.evil.test would be zoe of example.com.
func anchored(expression *regexp.Regexp) *regexp.Regexp {
	if expression == nil || expression.SubexpIndex(userGroup) < 0 {
		return expression
	}
	return regexp.MustCompile(`\A(?:` + expression.String() + `)\z`)
}

const emailVerified = "email_verified"

// unverified reports whether the claims state that the address is not verified, also as a text,
// which some providers send, or as null. A missing statement does not count.
func (c claims) unverified() bool {
	value, stated := c[emailVerified]
	if !stated {
		return false
	}
	switch v := value.(type) {
	case bool:
		return !v
	case string:
		return !strings.EqualFold(v, "true")
	}
	return true
}

// groupsOf collects the group names of all configured claims; present reports whether any of these
// claims was present.
func (c *Client) groupsOf(said claims) (names []string, present bool, err error) {
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
		names, present = append(names, found...), true
	}
	if len(names) > maxGroups {
		return nil, false, refuse(GroupsMissing, "the claims name %d groups, more than %d; let the provider send fewer", len(names), maxGroups)
	}
	return names, present, nil
}

func (c *Client) wantsGroups() bool { return c.cfg.ExtractGroups || len(c.cfg.RequiredGroups) > 0 }

// namesIn reads a list of texts, a text with such a list in JSON, or a text separated by commas.
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
