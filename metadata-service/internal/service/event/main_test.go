package event_test

import (
	"testing"

	"github.com/cartulary/cartulary/pkg/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }
