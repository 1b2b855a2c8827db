package rule

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const userInfo = "corpUserInfo"

// userRules keep users from making themselves part of the system, system users
// from being deleted, people from becoming service accounts, and tokens from outliving
// their user.
func userRules() []Rule {
	return []Rule{
		{Name: "system users", Aspects: []string{userInfo}, Validate: checkPrivilegedFlags, AllowRemoval: keepSystemUser},
		{Name: "service accounts", Aspects: []string{userTypes}, Types: []string{"corpuser"}, Validate: checkServiceAccount, AllowRemoval: keepServiceAccount},
		{Name: "tokens of deleted users", Aspects: []string{"corpUserKey"}, Derive: revokeTokens},
		{Name: "pictures", Aspects: []string{"corpUserEditableInfo", "corpGroupEditableInfo"}, Check: checkPicture},
	}
}

func checkPrivilegedFlags(tx Tx, c *Change) error {
	who, system := tx.Actor()
	if system {
		return nil
	}
	raisesSystem := jsontree.Bool(c.After, "system") && !jsontree.Bool(c.Before, "system")
	raisesSupport := jsontree.Bool(c.After, "isSupportUser") && !jsontree.Bool(c.Before, "isSupportUser")
	if !raisesSystem && !raisesSupport {
		return nil
	}
	actor, err := tx.Value(who, userInfo)
	if err != nil {
		return err
	}
	if jsontree.Bool(actor, "system") || !raisesSystem && jsontree.Bool(actor, "isSupportUser") {
		return nil
	}
	return fault.New(fault.Forbidden, "corpUserInfo: only a system user may make a user part of the system or a support user")
}

// userTypes is the aspect whose sub-type makes a user a service account.
const (
	userTypes   = "subTypes"
	serviceType = "SERVICE_ACCOUNT"
)

// builtIn are the users that the service knows by name.
var builtIn = []urn.URN{model.RootUser, model.SystemActor, model.UnknownActor}

func isService(types model.Object) bool {
	return slices.Contains(jsontree.Texts(types, "typeNames"), serviceType)
}

// checkServiceAccount lets a user be a service account from its creation on, or never: an
// actor who manages service accounts gets tokens for them and deletes them, and must not
// do so with people by changing their sub-type.
func checkServiceAccount(tx Tx, c *Change) error {
	if isService(c.Before) == isService(c.After) {
		return nil
	}
	if _, system := tx.Actor(); !slices.Contains(builtIn, c.URN) && (system || tx.Created(c.URN)) {
		return nil
	}
	return fault.New(fault.Forbidden, "subTypes: %s is an existing user: the sub-type %s is given when a user is created, and neither put on an existing one nor taken from it", c.URN, serviceType)
}

// keepServiceAccount refuses to remove the sub-type of a service account that stays.
func keepServiceAccount(tx Tx, c *Change) error {
	if _, system := tx.Actor(); system || c.WithEntity || !isService(c.Before) {
		return nil
	}
	return fault.New(fault.Forbidden, "subTypes: %s is a service account and stays one: delete the account instead", c.URN)
}

// keepSystemUser refuses to remove what marks a user as part of the system:
// without it nothing would protect the user any more.
func keepSystemUser(_ Tx, c *Change) error {
	if jsontree.Bool(c.Before, "system") {
		return fault.New(fault.Invalid, "System users can not be deleted")
	}
	return nil
}

// revokeTokens revokes the access tokens that represent a user who is deleted.
// Otherwise they would be good again for whoever gets the name next, or as soon
// as an ingestion run finds the user again.
func revokeTokens(tx Effects, c *Change) error {
	if c.After != nil {
		return nil
	}
	for after := urn.URN(""); ; {
		tokens, err := tx.Lookup(tokensOf(c.URN), after, 0)
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

// tokensOf is the term of the tokens that represent a user.
func tokensOf(user urn.URN) Term { return term("access token of user", string(user)) }
