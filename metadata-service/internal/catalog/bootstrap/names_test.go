package bootstrap_test

import (
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	root         = model.RootUser
	jo   urn.URN = "urn:li:corpuser:jo"
	day          = catalogtest.Day
)
