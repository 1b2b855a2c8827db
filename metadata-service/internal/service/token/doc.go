// Package token creates, lists and revokes access tokens, decides who may do so, and decides about
// ending the sessions of users and replacing the signing key. Package auth/token signs and verifies
// the tokens.
//
// The record of an access token is an entity dataHubAccessToken, whose id is a salted hash of the
// text. The text itself is shown once and never stored. Deleting the record revokes the token.
//
// Uses records the last use of each token, and Upkeep warns of tokens that expire soon.
package token
