package account

import (
	"encoding/json"
	"slices"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// TypesAspect says what sort of user one is.
const TypesAspect = "subTypes"

// ServiceType is the sub-type of service accounts, the users that stand for
// programs. It decides; the id does not.
const ServiceType = "SERVICE_ACCOUNT"

// ServicePrefix begins the ids of the service accounts that are made here.
const ServicePrefix = "service_"

// IsService tells of the stored value of TypesAspect whether the user that has it
// is a service account.
func IsService(value []byte) (bool, error) {
	var types struct {
		Names []string `json:"typeNames"`
	}
	if err := json.Unmarshal(value, &types); err != nil {
		return false, err
	}
	return slices.Contains(types.Names, ServiceType), nil
}

// NotAService refuses a user that is no service account, in words that clients know.
func NotAService(u urn.URN) error {
	return fault.New(fault.Malformed, "The specified URN is not a service account: %s", u)
}
