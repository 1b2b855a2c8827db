package upstream

import (
	"context"
	"errors"
	"fmt"

	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Guest is the identity of a user as reported by an identity provider, in the form of the service's
// API.
type Guest struct {
	URN       urn.URN `json:"userUrn"`
	Create    bool    `json:"create"` // create a user that does not exist
	Update    bool    `json:"update"` // update the profile of an existing user
	FullName  string  `json:"fullName,omitempty"`
	FirstName string  `json:"firstName,omitempty"`
	LastName  string  `json:"lastName,omitempty"`
	Email     string  `json:"email,omitempty"`
	Picture   string  `json:"picture,omitempty"`
	// Groups: nil leaves them unchanged, an empty list removes them.
	Groups []string `json:"groups,omitzero"`
}

// Provision makes sure that the user exists with its groups. It returns a DeniedError for a user
// who may not sign in, an error of kind fault.Invalid if the service rejects the user, and
// fault.Conflict for a name that is another spelling of an existing one.
func (c *Client) Provision(ctx context.Context, g Guest) error {
	var answer struct {
		Reason DenialReason `json:"loginDenialReason"`
	}
	err := c.call(ctx, "provisionUser", nil, g, &answer)
	if answer.Reason != "" {
		return denialError(answer.Reason)
	}
	if errors.Is(err, errExists) {
		return fault.Wrap(err, fault.Conflict, "%s", fault.Message(err))
	}
	if err != nil {
		return fmt.Errorf("provision %s: %w", g.URN, err)
	}
	return nil
}

// ReportFailure records a refused sign-in in the audit log of the service. reason is a code; user
// may be empty.
func (c *Client) ReportFailure(ctx context.Context, user urn.URN, reason string) error {
	request := map[string]any{"reason": reason}
	if user != "" {
		request["userUrn"] = user
	}
	if err := c.call(ctx, "reportFailedLogIn", nil, request, nil); err != nil {
		return fmt.Errorf("report a failed sign-in: %w", err)
	}
	return nil
}

// maxSecret is above the size of the secrets that providers issue.
const maxSecret = 4096

// ProviderSecret returns the client secret of the identity provider that the service keeps
// encrypted in its global settings, or an empty secret if there is none.
func (c *Client) ProviderSecret(ctx context.Context) (config.Secret, error) {
	var answer struct {
		Secret string `json:"clientSecret"`
	}
	err := c.call(ctx, "getSsoSettings", nil, map[string]any{}, &answer)
	switch {
	case isUnknown(err):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("read the settings of single sign-on: %w", err)
	case len(answer.Secret) > maxSecret:
		return "", fault.New(fault.Invalid, "the client secret in the global settings has more than %d bytes", maxSecret)
	}
	return config.Secret(answer.Secret), nil
}
