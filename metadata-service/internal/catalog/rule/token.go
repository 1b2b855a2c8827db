package rule

import (
	"crypto/sha256"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const tokenInfo = "dataHubAccessTokenInfo"

// Limits of the access tokens that represent one user, regardless of their creator. The system
// actor is exempt: the operator's commands can always create a token, and revoke none.
const (
	MaxTokens        = 1_000  // of a person
	MaxServiceTokens = 10_000 // of a service account
)

// expiredAtOnce is the maximum number of expired tokens of a user that one new token removes.
const expiredAtOnce = 100

// tokenRules index access tokens by the user they represent and by their creator, bound the number
// of tokens that represent a user, and refuse a token that a user creates for itself after its
// removal: nothing would revoke it when the user is created again.
func tokenRules() []Rule {
	cache := &expiryCache{earliest: map[urn.URN]expiry{}}
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
		{Name: "number of access tokens", Aspects: []string{tokenInfo}, Validate: cache.checkTokenNumber, Derive: dropExpiredTokens},
	}
}

// TokensOf is the term of the access tokens that represent a user.
func TokensOf(user urn.URN) Term { return term("access token of user", string(user)) }

// TokensBy is the term of the access tokens that a user created.
func TokensBy(owner urn.URN) Term { return term("access token by owner", string(owner)) }

func checkTokenOwner(tx Tx, c *Change) error {
	user, owner := jsontree.Text(c.After, "actorUrn"), jsontree.Text(c.After, "ownerUrn")
	if c.Before != nil || user != owner {
		return nil // tokens for others may be created before their users
	}
	there, err := tx.Exists(urn.URN(user))
	if err != nil || there {
		return err
	}
	return fault.New(fault.Malformed, "%s can have no access token: the user does not exist", user)
}

// expiryCache caches the first expiry of the tokens of users at the limit, so that repeated
// requests of such a user do not read all of its tokens in each transaction. It is correct on each
// replica: it compares the list of tokens, and the expiry of a token does not change. It is safe
// for concurrent use.
type expiryCache struct {
	mu       sync.Mutex
	earliest map[urn.URN]expiry
}

// expiry is the time at which the first of some tokens expires, in epoch milliseconds, 0 for never.
type expiry struct {
	tokens [sha256.Size]byte // hash of their URNs
	first  int64
}

// maxCachedExpiries bounds the cached users.
const maxCachedExpiries = 1000

// checkTokenNumber refuses a token beyond the limit of the user it represents, unless an expired
// one can be removed.
func (f *expiryCache) checkTokenNumber(tx Tx, c *Change) error {
	user := urn.URN(jsontree.Text(c.After, "actorUrn"))
	if c.Before != nil {
		f.forget(user)
		return nil
	}
	if _, system := tx.Actor(); system {
		return nil
	}
	limit, err := tokenLimit(tx, user)
	if err != nil {
		return err
	}
	held, err := tx.Lookup(TokensOf(user), "", limit)
	if err != nil || len(held) < limit {
		return err
	}
	first, err := f.firstExpiry(tx, user, held)
	if err != nil || first != 0 && first <= tx.Now() {
		return err
	}
	return fault.New(fault.Invalid, "actorUrn: %s has %d access tokens that have not expired, and no more are possible; revoke some that nothing uses", user, limit)
}

// firstExpiry returns the time at which the first of the tokens of a user expires, 0 for never. It
// reads them if they differ from those of the last call.
func (f *expiryCache) firstExpiry(tx Tx, user urn.URN, tokens []urn.URN) (int64, error) {
	hash := hashOf(tokens)
	f.mu.Lock()
	known, ok := f.earliest[user]
	f.mu.Unlock()
	if ok && known.tokens == hash {
		return known.first, nil
	}
	found := expiry{tokens: hash}
	for _, token := range tokens {
		info, err := tx.Value(token, tokenInfo)
		if err != nil {
			return 0, err
		}
		if at := jsontree.Int(info, "expiresAt"); at != 0 && (found.first == 0 || at < found.first) {
			found.first = at
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.earliest) >= maxCachedExpiries {
		clear(f.earliest)
	}
	f.earliest[user] = found
	return found.first, nil
}

func (f *expiryCache) forget(user urn.URN) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.earliest, user)
}

func hashOf(urns []urn.URN) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, u := range urns {
		h.Write([]byte(u))
		h.Write([]byte{0})
	}
	h.Sum(sum[:0])
	return sum
}

// dropExpiredTokens revokes expired tokens of a user that has reached the limit, so that programs
// which create a token for each of their runs can continue.
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

// expiredTokens returns the expired tokens, at most limit of them.
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
