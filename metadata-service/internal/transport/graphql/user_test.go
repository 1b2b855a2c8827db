package graphql_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

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

func TestAServiceAccountShowsWhenItWasCreatedAndUpdated(t *testing.T) {
	t.Parallel()
	e, w := newEngine(t)
	const account = "urn:li:corpuser:service_one"
	w.Put(t, account, "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`)
	w.Put(t, account, "corpUserInfo", `{"active":true,"displayName":"Loader"}`)
	created := w.Now().UnixMilli()
	w.Pass(time.Hour)
	w.Put(t, account, "corpUserInfo", `{"active":true,"displayName":"Renamed"}`)
	done := e.Exec(w.As(t, servicetest.Root), graphql.Request{Query: `{ getServiceAccount(urn: "` + account + `") { createdAt updatedAt } }`})
	if got, want := string(done.Data), fmt.Sprintf(`{"getServiceAccount":{"createdAt":%d,"updatedAt":%d}}`, created, created+time.Hour.Milliseconds()); got != want {
		t.Errorf("got %s %v, want %s", got, done.Errors, want)
	}
}
