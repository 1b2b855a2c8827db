package account

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// TypesAspect holds the sub-types of a user.
const TypesAspect = "subTypes"

// ServiceType is the sub-type of service accounts, which are users that represent programs. The
// sub-type alone identifies a service account, not its id.
const ServiceType = "SERVICE_ACCOUNT"

// ServicePrefix is the prefix of the ids of service accounts that this service creates.
const ServicePrefix = "service_"

// IsService reports whether a stored value of TypesAspect belongs to a service account. The error
// is that of decoding the value.
func IsService(value []byte) (bool, error) {
	var types struct {
		Names []string `json:"typeNames"`
	}
	if err := json.Unmarshal(value, &types); err != nil {
		return false, err
	}
	return slices.Contains(types.Names, ServiceType), nil
}

// IsServiceAccount reports whether a user is stored as a service account.
func IsServiceAccount(ctx context.Context, rows Reader, user urn.URN) (bool, error) {
	found, err := rows.Get(ctx, model.Key{URN: user, Aspect: TypesAspect})
	if err != nil {
		return false, fmt.Errorf("read the sub-types of %s: %w", user, err)
	}
	if found[0] == nil {
		return false, nil
	}
	service, err := IsService(found[0].Value)
	if err != nil {
		return false, fmt.Errorf("read the sub-types of %s: %w", user, err)
	}
	return service, nil
}

// NotAService returns the error for a user that is not a service account, with the text that
// clients of this API expect.
func NotAService(u urn.URN) error {
	return fault.New(fault.Malformed, "The specified URN is not a service account: %s", u)
}
