package run_test

import (
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	root         = model.RootUser
	jo   urn.URN = "urn:li:corpuser:jo"

	dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)"
	chart   = "urn:li:chart:(looker,c1)"
)

var rollbackHard = run.Options{Hard: true}

func properties(description string) string {
	return fmt.Sprintf(`{"name":"pii","description":%q}`, description)
}

func profile(at, rows int) string {
	return fmt.Sprintf(`{"timestampMillis":%d,"rowCount":%d}`, at, rows)
}
