package sso

import (
	"errors"
	"fmt"
)

// Code is the reason of a refused sign-in. Pages and the audit log use codes.
type Code string

// Codes. The second group reports technical failures that are independent of the user; the third
// group comes from the metadata service.
const (
	AccessDenied     Code = "access_denied"
	CallbackInvalid  Code = "callback_invalid"
	FlowMissing      Code = "flow_missing"
	FlowExpired      Code = "flow_expired"
	FlowUsed         Code = "flow_used"
	StateMismatch    Code = "state_mismatch"
	IssuerMismatch   Code = "issuer_mismatch"
	CodeRefused      Code = "code_refused"
	TokenInvalid     Code = "token_invalid"
	AudienceMismatch Code = "audience_mismatch"
	TokenExpired     Code = "token_expired"
	TokenTooNew      Code = "token_not_yet_valid"
	NonceMismatch    Code = "nonce_mismatch"
	UserNameMissing  Code = "user_name_missing"
	UserNameMismatch Code = "user_name_mismatch"
	UserNameInvalid  Code = "user_name_invalid"
	EmailNotVerified Code = "email_not_verified"
	GroupsMissing    Code = "groups_missing"
	GroupsNotAllowed Code = "groups_not_allowed"

	NotConfigured       Code = "not_configured"
	ProviderRefused     Code = "provider_refused"
	ProviderUnavailable Code = "provider_unavailable"
	ProviderUnusable    Code = "provider_unusable"
	ServiceUnavailable  Code = "service_unavailable"
	TooManyAttempts     Code = "too_many_attempts"
	Failed              Code = "sign_in_failed"

	NotProvisioned Code = "not_provisioned"
	Suspended      Code = "suspended"
	AccountClosed  Code = "account_closed"
	UserRefused    Code = "user_refused"
	UserNameTaken  Code = "user_name_taken"
)

var sentences = map[Code]string{
	AccessDenied:     "The identity provider denied access, or you cancelled the sign-in there.",
	CallbackInvalid:  "The identity provider sent an unreadable answer. Please sign in again.",
	FlowMissing:      "This sign-in was not started in this browser, or is already complete. Please sign in again.",
	FlowExpired:      "The sign-in took longer than ten minutes. Please sign in again.",
	FlowUsed:         "This sign-in is already complete. Please sign in again.",
	StateMismatch:    "The answer of the identity provider belongs to another sign-in. Please sign in again.",
	IssuerMismatch:   "The answer comes from an identity provider that this catalog does not use.",
	CodeRefused:      "The identity provider did not confirm the sign-in. Please sign in again.",
	TokenInvalid:     "The ID token of the identity provider has an invalid signature. Please contact your administrator.",
	AudienceMismatch: "The identity provider has signed you in to another application.",
	TokenExpired:     "The ID token of the identity provider has expired. The clocks of both servers may differ.",
	TokenTooNew:      "The ID token of the identity provider is not valid yet. The clocks of both servers may differ.",
	NonceMismatch:    "The answer of the identity provider belongs to another sign-in. Please sign in again.",
	UserNameMissing:  "The identity provider does not send your user name. Please contact your administrator.",
	UserNameMismatch: "Your user name at the identity provider does not match the required pattern. Please contact your administrator.",
	UserNameInvalid:  "Your user name at the identity provider cannot be used here. Please contact your administrator.",
	EmailNotVerified: "The identity provider has not verified your e-mail address. Please verify it there, and sign in again.",
	GroupsMissing:    "The identity provider does not send your groups. Please contact your administrator.",
	GroupsNotAllowed: "You are not a member of a group that may sign in. Please contact your administrator.",

	NotConfigured:       "SSO is not configured",
	ProviderRefused:     "The identity provider could not sign you in. Please try again in a moment.",
	ProviderUnavailable: "The identity provider cannot be reached. Please try again in a moment.",
	ProviderUnusable:    "The identity provider is not set up as this catalog expects. Please contact your administrator.",
	ServiceUnavailable:  "The metadata service cannot be reached. Please try again in a moment.",
	TooManyAttempts:     "Too many attempts. Please try again in a moment.",
	Failed:              "The sign-in failed. Please try again, and contact your administrator if it fails again.",

	NotProvisioned: "You have no account here. Please contact your administrator.",
	Suspended:      "This account is suspended. Please contact your administrator.",
	AccountClosed:  "This account cannot sign in. Please contact your administrator.",
	UserRefused:    "Your account could not be set up here. Please contact your administrator.",
	UserNameTaken:  "Your user name differs only in spelling, such as capitals, from one that exists here. Please contact your administrator.",
}

// Codes returns all codes, in no particular order.
func Codes() []Code {
	all := make([]Code, 0, len(sentences))
	for code := range sentences {
		all = append(all, code)
	}
	return all
}

// Sentence returns the text of a code for users.
func (c Code) Sentence() string { return sentences[c] }

// IsJudgement reports whether the proxy refused a user, as opposed to a technical failure and to a
// refusal by the metadata service.
func (c Code) IsJudgement() bool {
	switch c {
	case NotConfigured, ProviderRefused, ProviderUnavailable, ProviderUnusable, ServiceUnavailable, TooManyAttempts, Failed,
		NotProvisioned, Suspended, AccountClosed, UserRefused, UserNameTaken:
		return false
	}
	return true
}

// Refusal is the error of a refused sign-in. The cause is for the log; it contains no secret, code
// or token.
type Refusal struct {
	Code  Code
	Cause error
}

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %v", r.Code, r.Cause) }
func (r *Refusal) Unwrap() error { return r.Cause }

// CodeOf returns the code of an error, Failed if it has none.
func CodeOf(err error) Code {
	var r *Refusal
	if errors.As(err, &r) {
		return r.Code
	}
	return Failed
}

func refuse(code Code, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Cause: fmt.Errorf(format, args...)}
}
