package app_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// A cache between clients and the service must not send the response for one caller to another.
func TestAnswersAreNotStoredByCaches(t *testing.T) {
	t.Parallel()
	a := open(t, settings(t.TempDir()))
	defer shut(t, a)
	token := newToken(t, a, "urn:li:corpuser:datahub")
	for _, path := range []string{"/openapi/v3/entity/tag", "/entitiesV2/urn:li:corpuser:datahub", "/openapi/v3/entity/tag/urn:li:tag:none", "/config"} {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		a.Handler().ServeHTTP(w, r)
		if got := w.Header().Get("Cache-Control"); got != "no-store" {
			t.Errorf("%s: %d with Cache-Control %q", path, w.Code, got)
		}
	}
}
