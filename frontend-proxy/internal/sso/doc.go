// Package sso identifies people by an OpenID Connect provider.
//
// It is the authorization code flow with PKCE. Begin sends the browser to the
// provider and leaves a cookie with it: state, nonce, code verifier and where to go
// on, sealed, good for ten minutes and for one return. Finish takes what the provider
// sends the browser back with, exchanges the code, holds the ID token against
// issuer, audience, signature, times and nonce, and reads from its claims who it is.
//
// Nothing is kept here but a cache of the provider's metadata and keys, and which
// states have come back, so that any replica finishes what another has begun. The
// provider is asked when somebody wants to sign in and never at the start. Answers
// have a limit in bytes and in time, and come from addresses that its metadata names.
//
// What does not hold is a Refusal with a Code, which pages show in words. Who may
// sign in, and what becomes of a user, is for the metadata service to say.
package sso
