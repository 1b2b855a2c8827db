package openapi_test

import (
	"net/http"
	"strings"
	"testing"
)

// A list of short elements takes many times the memory of its text when all of them are decoded
// before they are counted.
func TestListsThatAreTooLongAreNotDecoded(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	s := newService(t, options{})
	const most = 48 << 20 // 20,000 proposals
	body := "[" + strings.TrimSuffix(strings.Repeat("{},", 500_000), ",") + "]"
	for _, path := range []string{"/openapi/entities/v1/", "/openapi/v2/platform/entities/v1/", "/openapi/v3/entity/tag", "/openapi/v2/entity/tag", "/openapi/v3/entity/tag/batchGet"} {
		answer, bytes := s.allocated(path, body)
		if answer.status != http.StatusBadRequest && answer.status != http.StatusRequestEntityTooLarge || bytes > most {
			t.Errorf("%s: %d, a body of %d bytes allocates %d", path, answer.status, len(body), bytes)
		}
	}
}
