// Package token creates, lists, verifies and revokes access tokens.
//
// A token is a JWT signed with HS256 and no other algorithm. There are two sorts. Access tokens
// (claim version "2", of type PERSONAL or SERVICE_ACCOUNT) are stored as an entity
// dataHubAccessToken, whose id is a salted hash of the text. The text itself is shown once and
// never stored. A token is valid while its record exists, so deleting the record revokes it.
// Session tokens (version "1", type SESSION) belong to the sessions of the proxy. They are not
// stored. Each is tied to the session epoch of its user (see account.Directory.SessionEpoch), and a
// sign-out puts its id on the Denylist until its expiry. EndSessions gives the user a new mark,
// which later sessions carry and earlier ones lack.
//
// The service caches verified tokens by a hash of their text, until the expiry of the token or of
// its signing key, whichever is earlier. It empties the cache when a token is revoked. The Denylist
// and package account are consulted for each request, and account caches the status of users
// itself.
//
// A token may have a scope, which restricts it and is part of its record; see auth.Scope. Uses
// records the last use of each token, and Upkeep warns of tokens that expire soon.
//
// The signing key can be replaced while tokens are in use: see Keys.
package token
