package graphql_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
)

func TestServiceAccountsAreNotListedAmongUsers(t *testing.T) {
	t.Parallel()
	e, w := newEngine(t)
	w.Put(t, "urn:li:corpuser:service_one", "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`)
	w.Put(t, "urn:li:corpuser:service_one", "corpUserInfo", `{"active":true,"displayName":"Loader"}`)
	w.Put(t, servicetest.Jo, "subTypes", `{"typeNames":["CONTRACTOR"]}`)
	for _, document := range []string{
		`{ found: listUsers(input: {}) { total users { urn } } }`,
		`{ found: searchUsers(input: {query: "*"}) { total searchResults { entity { urn } } } }`,
	} {
		done := e.Exec(w.As(t, servicetest.Root), graphql.Request{Query: document})
		if answer := string(done.Data); !strings.Contains(answer, `"total":3`) || strings.Contains(answer, "service_one") {
			t.Errorf("%s\n%s %v", document, answer, done.Errors)
		}
	}
}
