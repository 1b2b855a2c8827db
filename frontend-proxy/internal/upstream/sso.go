package upstream

import (
	"context"
	"errors"
	"fmt"

	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Guest is somebody whom an identity provider has identified, as the service makes a
// user of it.
type Guest struct {
	URN       urn.URN `json:"userUrn"`
	Create    bool    `json:"create"` // a user who does not exist
	Update    bool    `json:"update"` // the profile of one who does
	FullName  string  `json:"fullName,omitempty"`
	FirstName string  `json:"firstName,omitempty"`
	LastName  string  `json:"lastName,omitempty"`
	Email     string  `json:"email,omitempty"`
	Picture   string  `json:"picture,omitempty"`
	// Groups are left alone when nil, and end when empty.
	Groups []string `json:"groups,omitzero"`
}

// Provision sees to it that somebody is a user with its groups. One who may not sign in
// gives a DeniedError, one whom the service makes no user of fault.Invalid, and one whose
// name is another spelling of a user's fault.Conflict.
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

// ReportFailure tells the audit log of a sign-in that was turned down here. The reason is a
// code; user may be empty.
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

// maxSecret is beyond what providers give to clients.
const maxSecret = 4096

// ProviderSecret reads the client secret of the identity provider that the service keeps
// encrypted in its global settings, empty when there is none.
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
