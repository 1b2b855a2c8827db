package signin_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest/doctest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
)

// withGeneratedValues replaces the placeholders in angle brackets on a page by generated values
// of the service.
func withGeneratedValues(t *testing.T, f *fixture) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", string(bytes.ReplaceAll([]byte(r.Header.Get("Authorization")), []byte("<system secret>"), []byte(system))))
		if r.Body != nil {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			if bytes.Contains(body, []byte("<invitation>")) {
				body = bytes.ReplaceAll(body, []byte("<invitation>"), []byte(f.invite()))
			}
			if bytes.Contains(body, []byte("<session epoch>")) {
				v, err := f.credentials.Verify(r.Context(), "urn:li:corpuser:demo@example.org", "correct horse")
				if err != nil {
					t.Error(err)
				}
				body = bytes.ReplaceAll(body, []byte("<session epoch>"), []byte(v.Epoch))
			}
			if bytes.Contains(body, []byte("<reset token>")) {
				text, _, err := f.credentials.CreateReset(authtest.As(t, authtest.Root), "urn:li:corpuser:demo@example.org")
				if err != nil {
					t.Error(err)
				}
				body = bytes.ReplaceAll(body, []byte("<reset token>"), []byte(text.Reveal()))
			}
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		}
		f.server.ServeHTTP(w, r)
	})
}

func TestThePagesShowWhatIsAnswered(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"sign-in.md", "tokens.md"} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			doctest.Run(t, "../../../../docs/api/"+page, withGeneratedValues(t, setUp(t)))
		})
	}
}
