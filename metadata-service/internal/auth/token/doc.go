// Package token signs, parses and verifies access tokens and the tokens of sessions. It decides no
// privilege and stores no record of an access token: package service/token does.
//
// A token is a JWT signed with HS256 and no other algorithm. There are two sorts. Access tokens
// (claim version "2", of type PERSONAL or SERVICE_ACCOUNT) have a record, whose id is a salted hash
// of the text. The text itself is shown once and never stored. A token is valid while its record
// exists; see Records. Session tokens (version "1", type SESSION) belong to the sessions of the
// proxy. They have no record. Each is tied to the session epoch of its user (see
// account.Directory.SessionEpoch), and a sign-out puts its id on the Denylist until its expiry.
// EndAll gives the user a new mark, which later sessions carry and earlier ones lack.
//
// The authority caches verified tokens by a hash of their text, until the expiry of the token or of
// its signing key, whichever is earlier. Forget empties the cache. The Denylist and package account
// are consulted for each request, and account caches the status of users itself.
//
// A token may have a scope, which restricts it and is part of its record; see auth.Scope.
//
// The signing key can be replaced while tokens are in use: see Keys.
package token
