package catalog_test

import (
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	root         = model.RootUser
	jo   urn.URN = "urn:li:corpuser:jo"
	day          = catalogtest.Day

	dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)"
	chart   = "urn:li:chart:(looker,c1)"
)

var rollbackHard = run.Options{Hard: true}
