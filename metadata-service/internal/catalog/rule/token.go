package rule

import (
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// tokenRules make access tokens findable by the user they represent, and refuse a token that
// a user who has just been removed makes: nothing would revoke it when the user is made again.
func tokenRules() []Rule {
	return []Rule{{
		Name: "access tokens by user", Aspects: []string{"dataHubAccessTokenInfo"},
		Terms: func(_ urn.URN, value model.Object) []Term {
			return []Term{tokensOf(urn.URN(jsontree.Text(value, "actorUrn")))}
		},
		Validate: checkTokenOwner,
	}}
}

func checkTokenOwner(tx Tx, c *Change) error {
	user, owner := jsontree.Text(c.After, "actorUrn"), jsontree.Text(c.After, "ownerUrn")
	if c.Before != nil || user != owner {
		return nil // tokens for others may be made before their users
	}
	there, err := tx.Exists(urn.URN(user))
	if err != nil || there {
		return err
	}
	return fault.New(fault.Malformed, "%s can have no access token: the user does not exist", user)
}
