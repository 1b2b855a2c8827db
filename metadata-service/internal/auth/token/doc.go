// Package token creates, lists, verifies and revokes access tokens.
//
// A token is a JWT signed with HS256 and nothing else. There are two sorts.
// Access tokens (claim version "2", of type PERSONAL or SERVICE_ACCOUNT) are
// stored: an entity dataHubAccessToken whose id is a salted hash of the text.
// The text itself is shown once and kept nowhere; a token is good while its
// record is there, so deleting the record revokes it. Session tokens (version
// "1", type SESSION) are what the proxy keeps for a signed-in user. They are
// not stored; each is bound to the session epoch of its user (see
// account.Directory.SessionEpoch), and a sign-out puts its id on the Denylist until it would
// have expired. EndSessions gives the user a mark, which sessions that begin afterwards hold
// and those before do not.
//
// Verifying remembers good tokens by a hash of their text, never beyond their
// expiry or that of the key that signed them, and forgets all of them when a
// token is revoked or a session ends. Whether the user behind a token may act
// is asked each time: package account remembers that by itself.
//
// A token may have a scope, which narrows what it may do and is part of its
// record; see auth.Scope. Uses remembers when each was used last, and Upkeep
// warns of those that expire.
//
// The signing key can be replaced while tokens are in use: see Keys.
package token
