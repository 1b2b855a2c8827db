// Package upstream implements the few calls that the proxy itself makes to the metadata service:
// verifying passwords, starting and ending sessions, signing up. They carry the system secret, to
// which no data from a browser has access; the gateway handles all other traffic.
package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/cartulary/cartulary/frontend-proxy/internal/outage"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/forwarded"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	// systemClient is the user name of the proxy at the service.
	systemClient = "__datahub_system"
	timeout      = 20 * time.Second
	maxAnswer    = 64 << 10
)

// DenialReason is the reason why the service does not admit a known user.
type DenialReason string

// Reasons with specific handling; the service may send others.
const (
	InvalidCredentials DenialReason = "INVALID_CREDENTIALS"
	Suspended          DenialReason = "SUSPENDED"
	NotProvisioned     DenialReason = "NOT_PROVISIONED"
)

// DeniedError reports a user whom the service does not admit. It counts as fault.Unauthenticated.
type DeniedError struct {
	Reason DenialReason
	fault  *fault.Error
}

func (e *DeniedError) Error() string { return e.fault.Error() }
func (e *DeniedError) Unwrap() error { return e.fault }

// Denial returns the reason as a text, for packages that do not import this one.
func (e *DeniedError) Denial() string { return string(e.Reason) }

// NewUser holds the data of a sign-up.
type NewUser struct {
	URN         urn.URN `json:"userUrn"`
	FullName    string  `json:"fullName"`
	Email       string  `json:"email"`
	Password    string  `json:"password"`
	InviteToken string  `json:"inviteToken"`
	Title       string  `json:"title,omitempty"`
}

// Client calls one service. It is safe for concurrent use.
type Client struct {
	base   *url.URL
	secret config.Secret
	outage *outage.Watch
	proofs *forwarded.Key
	http   *http.Client
}

// New creates a Client. base is the root address of the service. The owner of transport closes its
// idle connections. watch records the results of calls. proofs signs the client address that
// forwarded.WithAddress has stored in the context.
func New(base *url.URL, secret config.Secret, transport http.RoundTripper, watch *outage.Watch, proofs *forwarded.Key) *Client {
	return &Client{base: base, secret: secret, outage: watch, proofs: proofs, http: &http.Client{
		Transport: transport,
		Timeout:   timeout,
		// A redirect must not send the secret to another address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// sourceHeader is the header with the kind of sign-in.
const sourceHeader = "X-DataHubLoginSource"

// epochMember is the member with the session epoch of an account, by which the service denies a
// session if the password was changed or removed between the proof and the session. It is empty if
// the service does not support it.
const epochMember = "sessionEpoch"

// Verify checks a password and returns the session epoch of the account. It returns an error of kind fault.Unauthenticated for a wrong password,
// an unknown user, and a user who may not sign in.
func (c *Client) Verify(ctx context.Context, user urn.URN, password string) (epoch string, err error) {
	var answer struct {
		Match  bool         `json:"doesPasswordMatch"`
		Reason DenialReason `json:"loginDenialReason"`
		Epoch  string       `json:"sessionEpoch"`
	}
	err = c.call(ctx, "verifyNativeUserCredentials", http.Header{sourceHeader: {"passwordLogin"}}, map[string]any{"userUrn": user, "password": password}, &answer)
	if err != nil {
		return "", fmt.Errorf("verify the password of %s: %w", user, err)
	}
	if !answer.Match || answer.Reason != "" {
		return "", denialError(answer.Reason)
	}
	return answer.Epoch, nil
}

// StartSession returns a session token for a user. source is the kind of sign-in: passwordLogin,
// signUpLinkLogin, passwordReset or ssoLogin. epoch is the result of Verify, SignUp or ResetPassword,
// and empty for single sign-on. It returns a DeniedError for a user who may not sign in.
func (c *Client) StartSession(ctx context.Context, user urn.URN, source, epoch string) (string, error) {
	var answer struct {
		Token  string       `json:"accessToken"`
		Reason DenialReason `json:"loginDenialReason"`
	}
	header := http.Header{sourceHeader: {source}}
	// The full URN: the service would read an id that looks like a URN as another user.
	request := map[string]any{"userId": user}
	if epoch != "" {
		request[epochMember] = epoch
	}
	err := c.call(ctx, "generateSessionTokenForUser", header, request, &answer)
	if answer.Reason != "" {
		return "", denialError(answer.Reason)
	}
	if err != nil {
		return "", fmt.Errorf("start a session of %s: %w", user, err)
	}
	if answer.Token == "" {
		return "", fmt.Errorf("start a session of %s: the service returned no token", user)
	}
	return answer.Token, nil
}

// EndSession invalidates a session token. It succeeds if the service does not support the call, or
// does not have the token.
func (c *Client) EndSession(ctx context.Context, token string) error {
	err := c.call(ctx, "endSession", nil, map[string]any{"accessToken": token}, nil)
	if err != nil && !errors.Is(err, errUnknownCall) {
		return fmt.Errorf("end a session: %w", err)
	}
	return nil
}

// SignUp creates a user with a password and returns the session epoch. It returns an error of kind fault.Invalid for an invalid
// invitation and for an existing user.
func (c *Client) SignUp(ctx context.Context, user NewUser) (epoch string, err error) {
	var answer struct {
		Done  bool   `json:"isNativeUserCreated"`
		Epoch string `json:"sessionEpoch"`
	}
	if err := c.call(ctx, "signUp", nil, user, &answer); err != nil {
		return "", fmt.Errorf("sign up %s: %w", user.URN, err)
	}
	if !answer.Done {
		return "", fault.New(fault.Invalid, "The account could not be created.")
	}
	return answer.Epoch, nil
}

// ResetPassword sets a new password by a reset token and returns the session epoch. It returns an error of kind fault.Invalid for
// an invalid token.
func (c *Client) ResetPassword(ctx context.Context, user urn.URN, password, resetToken string) (epoch string, err error) {
	var answer struct {
		Done  bool   `json:"areNativeUserCredentialsReset"`
		Epoch string `json:"sessionEpoch"`
	}
	request := map[string]any{"userUrn": user, "password": password, "resetToken": resetToken}
	if err := c.call(ctx, "resetNativeUserCredentials", nil, request, &answer); err != nil {
		return "", fmt.Errorf("reset the password of %s: %w", user, err)
	}
	if !answer.Done {
		return "", fault.New(fault.Invalid, "The password could not be reset.")
	}
	return answer.Epoch, nil
}

func denialError(reason DenialReason) error {
	return &DeniedError{reason, denialFault(reason)}
}

func denialFault(reason DenialReason) *fault.Error {
	switch reason {
	case "", InvalidCredentials:
		return fault.New(fault.Unauthenticated, "Invalid Credentials")
	case Suspended:
		return fault.New(fault.Unauthenticated, "This account is suspended. Please contact your administrator.")
	}
	return fault.New(fault.Unauthenticated, "This account cannot sign in (%s). Please contact your administrator.", reason)
}

// call posts to /auth/<name>. It decodes the response also for an error status, since denials have
// one.
func (c *Client) call(ctx context.Context, name string, header http.Header, request, answer any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.JoinPath("auth", name).String(), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("address %s: %w", name, err)
	}
	for key, values := range header {
		r.Header[http.CanonicalHeaderKey(key)] = values
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Request-Id", logging.RequestID(ctx))
	if address := forwarded.AddressFrom(ctx); address != "" {
		c.proofs.Sign(r.Header, address)
	}
	forwarded.TellBrowser(ctx, r.Header)
	// The service compares this text literally; it is not base64-encoded.
	r.Header.Set("Authorization", "Basic "+systemClient+":"+c.secret.Reveal())
	response, err := c.http.Do(r)
	if err != nil {
		return c.unreachable(ctx, err)
	}
	c.outage.Reached()
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "The metadata service broke off. Please try again in a moment.")
	}
	if answer != nil {
		err = json.Unmarshal(text, answer)
	}
	if response.StatusCode != http.StatusOK {
		return refusal(response.StatusCode, text)
	}
	return err
}

// unreachable returns the error of a call without a response.
func (c *Client) unreachable(ctx context.Context, err error) error {
	var timed net.Error
	var op *net.OpError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &timed) && timed.Timeout() && (!errors.As(err, &op) || op.Op != "dial"):
		c.outage.Late()
		return fault.Wrap(err, fault.Unavailable, "The metadata service did not answer in time. Please try again in a moment.")
	}
	missed := c.outage.Missed(err)
	return fault.Wrap(missed, fault.Unavailable, "The metadata service cannot be reached, %s. Please try again in a moment.", missed.Duration())
}

// errExists marks the response for a user that already exists.
var errExists = errors.New("the user exists already")

// errUnknownCall is an internal error for users: the versions of the two programs do not match.
var errUnknownCall = errors.New("the service does not know the call")

func isUnknown(err error) bool { return errors.Is(err, errUnknownCall) }

// refusal converts a status to an error with a kind. It passes on messages only for invalid input;
// other messages of the service are for the log.
func refusal(status int, text []byte) error {
	var said struct {
		Message string `json:"message"`
		Error   string `json:"error"`
	}
	// A response without JSON leaves both empty, which is handled below.
	_ = json.Unmarshal(text, &said)
	message := said.Message
	if message == "" {
		message = said.Error
	}
	cause := fmt.Errorf("the service answered %d %s", status, message)
	switch {
	case status == http.StatusConflict && message != "":
		return fault.Wrap(errors.Join(cause, errExists), fault.Invalid, "%s", message)
	case status == http.StatusBadRequest && message != "":
		return fault.Wrap(cause, fault.Invalid, "%s", message)
	case status == http.StatusBadRequest:
		return fault.Wrap(cause, fault.Invalid, "The metadata service refused the input.")
	case status == http.StatusNotFound:
		return errUnknownCall
	case status == http.StatusServiceUnavailable, status == http.StatusTooManyRequests:
		return fault.Wrap(cause, fault.Unavailable, "The metadata service is not ready. Please try again in a moment.")
	}
	// This includes 401: then the system secrets of the two programs differ.
	return cause
}
