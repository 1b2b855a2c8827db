package rule

import (
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const tokenInfo = "dataHubAccessTokenInfo"

// Limits of the access tokens that represent one user, whoever makes them. The
// system actor is exempt: the operator's commands always make a token, and end none.
const (
	MaxTokens        = 1_000  // of a person
	MaxServiceTokens = 10_000 // of a service account
)

// expiredAtOnce is how many expired tokens of a user one new token removes.
const expiredAtOnce = 100

// tokenRules make access tokens findable by the user they represent and by the one who made
// them, limit how many represent a user, and refuse a token that a user who has just been
// removed makes: nothing would revoke it when the user is made again.
func tokenRules() []Rule {
	return []Rule{
		{
			Name: "access tokens by user", Aspects: []string{tokenInfo},
			Terms: func(_ urn.URN, value model.Object) []Term {
				return []Term{TokensOf(urn.URN(jsontree.Text(value, "actorUrn")))}
			},
			Validate: checkTokenOwner,
		},
		{
			Name: "access tokens by owner", Aspects: []string{tokenInfo},
			Terms: func(_ urn.URN, value model.Object) []Term {
				return []Term{TokensBy(urn.URN(jsontree.Text(value, "ownerUrn")))}
			},
		},
		{Name: "number of access tokens", Aspects: []string{tokenInfo}, Validate: checkTokenNumber, Derive: dropExpiredTokens},
	}
}

// TokensOf is the term of the access tokens that represent a user.
func TokensOf(user urn.URN) Term { return term("access token of user", string(user)) }

// TokensBy is the term of the access tokens that a user made.
func TokensBy(owner urn.URN) Term { return term("access token by owner", string(owner)) }

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

// checkTokenNumber refuses a token beyond the limit of the user it represents, unless one
// that has expired makes room.
func checkTokenNumber(tx Tx, c *Change) error {
	if _, system := tx.Actor(); system || c.Before != nil {
		return nil
	}
	user := urn.URN(jsontree.Text(c.After, "actorUrn"))
	limit, err := tokenLimit(tx, user)
	if err != nil {
		return err
	}
	held, err := tx.Lookup(TokensOf(user), "", limit)
	if err != nil || len(held) < limit {
		return err
	}
	expired, err := expiredTokens(tx, held, 1)
	if err != nil || len(expired) > 0 {
		return err
	}
	return fault.New(fault.Invalid, "actorUrn: %s has %d access tokens that have not expired, and no more are possible; revoke some that nothing uses", user, limit)
}

// dropExpiredTokens revokes expired tokens of a user who has come to the limit, so that
// programs which make a token for each of their runs go on.
func dropExpiredTokens(tx Effects, c *Change) error {
	if _, system := tx.Actor(); system || c.Before != nil || c.After == nil {
		return nil
	}
	user := urn.URN(jsontree.Text(c.After, "actorUrn"))
	limit, err := tokenLimit(tx, user)
	if err != nil {
		return err
	}
	held, err := tx.Lookup(TokensOf(user), "", limit+1)
	if err != nil || len(held) <= limit {
		return err
	}
	expired, err := expiredTokens(tx, held, expiredAtOnce)
	if err != nil {
		return err
	}
	for _, token := range expired {
		if token == c.URN {
			continue
		}
		if err := tx.Revoke(token); err != nil {
			return err
		}
	}
	return nil
}

func tokenLimit(tx Tx, user urn.URN) (int, error) {
	subTypes, err := tx.Value(user, userSubTypes)
	if err != nil || !isServiceAccount(subTypes) {
		return MaxTokens, err
	}
	return MaxServiceTokens, nil
}

// expiredTokens gives at most limit of the tokens that have expired.
func expiredTokens(tx Tx, tokens []urn.URN, limit int) (expired []urn.URN, err error) {
	for _, token := range tokens {
		info, err := tx.Value(token, tokenInfo)
		if err != nil {
			return nil, err
		}
		if at := jsontree.Int(info, "expiresAt"); at != 0 && at <= tx.Now() {
			if expired = append(expired, token); len(expired) == limit {
				break
			}
		}
	}
	return expired, nil
}
