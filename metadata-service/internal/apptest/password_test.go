package apptest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

// signUp creates a user with a password by a new invitation and returns the status and body of the
// response.
func signUp(t *testing.T, s *apptest.Service, user, password string) (int, string) {
	t.Helper()
	var made struct {
		Data struct {
			CreateInviteToken struct{ InviteToken string }
		}
	}
	s.JSON(http.MethodPost, "/api/graphql", `{"query":"mutation { createInviteToken(input: {}) { inviteToken } }"}`, &made)
	return s.Call(http.MethodPost, "/auth/signUp", `{"userUrn":"`+user+`","fullName":"Ada","email":"ada@example.org","title":"Engineer","password":"`+
		password+`","inviteToken":"`+made.Data.CreateInviteToken.InviteToken+`"}`)
}

func TestTheShortestPasswordIsASetting(t *testing.T) {
	t.Parallel()
	const user, other = "urn:li:corpuser:ada@example.org", "urn:li:corpuser:ben@example.org"
	for name, tt := range map[string]struct {
		least           int
		refused, stored string
		says            string
	}{
		"the default":    {app.Defaults().Auth.MinPassword, "1234567", "12345678", "at least 8 characters"},
		"a shorter one":  {4, "123", "1234", "at least 4 characters"},
		"a longer one":   {12, "12345678901", "123456789012", "at least 12 characters"},
		"not in bytes":   {4, "üüü", "üüüü", "at least 4 characters"},
		"one is least":   {1, "", "x", "password"},
		"the longest is": {1024, strings.Repeat("x", 1023), strings.Repeat("x", 1024), "at least 1024 characters"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := apptest.Start(t, t.TempDir(), func(c *app.Config) { c.Auth.MinPassword = tt.least })
			if status, body := signUp(t, s, other, tt.refused); status != http.StatusBadRequest || !strings.Contains(body, tt.says) {
				t.Errorf("%q: got %d %s, want a refusal that says %q", tt.refused, status, body, tt.says)
			}
			if status, body := signUp(t, s, user, tt.stored); status != http.StatusOK {
				t.Fatalf("%q: got %d %s, want it stored", tt.stored, status, body)
			}
			var reset struct {
				Data struct {
					CreateNativeUserResetToken struct{ ResetToken string }
				}
			}
			s.JSON(http.MethodPost, "/api/graphql", `{"query":"mutation { createNativeUserResetToken(input: {userUrn: \"`+user+`\"}) { resetToken } }"}`, &reset)
			renew := func(password string) (int, string) {
				return s.Call(http.MethodPost, "/auth/resetNativeUserCredentials",
					`{"userUrn":"`+user+`","password":"`+password+`","resetToken":"`+reset.Data.CreateNativeUserResetToken.ResetToken+`"}`)
			}
			if status, body := renew(tt.refused); status != http.StatusBadRequest || !strings.Contains(body, tt.says) {
				t.Errorf("reset to %q: got %d %s, want a refusal that says %q", tt.refused, status, body, tt.says)
			}
			if status, body := renew(tt.stored); status != http.StatusOK {
				t.Errorf("reset to %q: got %d %s, want it stored", tt.stored, status, body)
			}
		})
	}
}
