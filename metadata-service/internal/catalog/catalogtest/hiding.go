package catalogtest

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// HidingOnDrivers runs a test on each driver with some entities hidden.
func HidingOnDrivers(t *testing.T, hidden []urn.URN, story func(t *testing.T, f *Fixture)) {
	t.Helper()
	t.Parallel()
	for name, open := range map[string]func(testing.TB) Drivers{"memory": func(testing.TB) Drivers { return InMemory() }, "bolt": OnDisk} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			on := open(t)
			on.Authorizer = authtest.Hiding{Hidden: hidden}
			story(t, New(t, on))
		})
	}
}
