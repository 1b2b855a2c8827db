package rule

import (
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const userInfo = "corpUserInfo"

// userRules prevent users from making themselves part of the system, system users from being
// deleted or suspended, and tokens from outliving their user.
func userRules() []Rule {
	return []Rule{
		{Name: "system users", Aspects: []string{userInfo}, Adjust: keepSystemFlag, Validate: checkPrivilegedFlags, ValidateRestored: true, AllowRemoval: keepSystemUser},
		{Name: "system users stay active", Aspects: []string{userStatus, status}, Types: []string{"corpuser"}, Validate: keepSystemUserActive, ValidateRestored: true},
		{Name: "tokens of deleted users", Aspects: []string{"corpUserKey"}, Derive: revokeTokens},
		{Name: "tokens of users without a password", Aspects: []string{"corpUserCredentials"}, Derive: revokeTokens},
		{Name: "pictures", Aspects: []string{"corpUserEditableInfo", "corpGroupEditableInfo"}, Check: checkPicture},
	}
}

func checkPrivilegedFlags(tx Tx, c *Change) error {
	actor, system := tx.Actor()
	if system {
		return nil
	}
	raisesSystem := jsontree.Bool(c.After, "system") && !jsontree.Bool(c.Before, "system")
	raisesSupport := jsontree.Bool(c.After, "isSupportUser") && !jsontree.Bool(c.Before, "isSupportUser")
	if !raisesSystem && !raisesSupport {
		return nil
	}
	info, err := tx.Value(actor, userInfo)
	if err != nil {
		return err
	}
	if jsontree.Bool(info, "system") || !raisesSystem && jsontree.Bool(info, "isSupportUser") {
		return nil
	}
	return fault.New(fault.Forbidden, "corpUserInfo: only a system user may make a user part of the system or a support user")
}

// keepSystemFlag keeps a user part of the system when its information is written, for example by the
// ingestion of a directory: without the flag it could be suspended or deleted. Only the service itself
// removes the flag.
func keepSystemFlag(tx Tx, c *Change) error {
	if _, system := tx.Actor(); system || !jsontree.Bool(c.Before, "system") || jsontree.Bool(c.After, "system") {
		return nil
	}
	c.After = jsontree.With(c.After, model.Object{"system": true})
	return nil
}

// keepSystemUser refuses to remove the aspect that marks a user as part of the system, because
// nothing would protect the user any more.
func keepSystemUser(_ Tx, c *Change) error {
	if jsontree.Bool(c.Before, "system") {
		return fault.New(fault.Invalid, "System users can not be deleted")
	}
	return nil
}

// keepSystemUserActive refuses to suspend or soft-delete a user that is part of the system, which the
// service itself may do.
func keepSystemUserActive(tx Tx, c *Change) error {
	if !jsontree.Bool(c.After, "removed") && jsontree.Text(c.After, "status") != "SUSPENDED" {
		return nil
	}
	if _, system := tx.Actor(); system {
		return nil
	}
	info, err := tx.Value(c.URN, userInfo)
	if err != nil || !jsontree.Bool(info, "system") {
		return err
	}
	return fault.New(fault.Invalid, "%s is a system user and cannot be suspended", c.URN)
}

// revokeTokens revokes the access tokens that represent a user when the user is deleted or its
// password is removed, because another person may have signed up under the name. Tokens of a
// deleted user would be valid again for the next user with that name, or as soon as an ingestion
// run creates the user again.
func revokeTokens(tx Effects, c *Change) error {
	if c.After != nil {
		return nil
	}
	for after := urn.URN(""); ; {
		tokens, err := tx.Lookup(TokensOf(c.URN), after, 0)
		if err != nil || len(tokens) == 0 {
			return err
		}
		for _, token := range tokens {
			if err := tx.Revoke(token); err != nil {
				return err
			}
		}
		after = tokens[len(tokens)-1]
	}
}
