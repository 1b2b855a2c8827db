// Package sso identifies users by an OpenID Connect provider.
//
// It implements the authorization code flow with PKCE. Begin redirects the browser to the provider
// and sets an encrypted cookie with state, nonce, code verifier and target, valid for ten minutes
// and for one return. The name of the cookie ends in the first hexadecimal digit of the state, one
// of sixteen, so that two windows rarely interfere and at most sixteen such cookies exist. Finish
// handles the redirect back: it exchanges the code, verifies issuer, audience, signature, times and
// nonce of the ID token, and derives the identity from its claims.
//
// The only state in memory is a cache of the provider's metadata and keys, and the set of used
// states, so any replica can finish a sign-in that another one began. Requests to the provider are
// sent only for sign-ins, never at the start. Responses are limited in size and time, and are only
// requested from addresses in the metadata.
//
// Failures are Refusals with a Code, for which pages show a text. The metadata service decides
// which users may sign in, and manages the users.
package sso
