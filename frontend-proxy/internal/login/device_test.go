package login_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// bringing sends the cookies of an earlier response, except those of its session.
func bringing(cookies []*http.Cookie) func(*http.Request) {
	return func(r *http.Request) {
		for _, c := range cookies {
			if c.Name != "PLAY_SESSION" && c.Name != "actor" {
				r.AddCookie(c)
			}
		}
	}
}

// signIn attempts a sign-in with a password.
func (d *testLogin) signIn(user, password string, change ...func(*http.Request)) *http.Response {
	return d.do(http.MethodPost, "/logIn", fmt.Sprintf(`{"username":%q,"password":%q}`, user, password), change...)
}

// failSignIns causes failures at a user from very many addresses, and from one address until that
// is limited, too.
func failSignIns(t *testing.T, d *testLogin, user, place string) {
	t.Helper()
	for i := range 500 {
		d.signIn(user, "no", from(fmt.Sprintf("10.9.%d.%d", i/250, i%250)))
		d.now = d.now.Add(time.Second)
	}
	for range 40 {
		d.signIn(user, "no", from(place))
	}
	for i := range 50 {
		d.signIn(user, "no", from(fmt.Sprintf("10.8.0.%d", i)))
	}
	for _, client := range []string{place, "10.7.0.1"} {
		if res := d.signIn(user, "right", from(client)); res.StatusCode != http.StatusTooManyRequests {
			t.Fatalf("a browser that nobody knows, at %s: got %d", client, res.StatusCode)
		}
	}
}

func TestFailuresOfOthersKeepNobodyAwayFromAKnownBrowser(t *testing.T) {
	t.Parallel()
	first := newTestLogin(t)
	known := first.signIn("jo", "right", from("10.1.0.1")).Cookies()
	for name, d := range map[string]*testLogin{"the same process": first, "another one, or after a restart": newTestLogin(t)} {
		failSignIns(t, d, "jo", "10.1.0.1")
		for _, place := range []string{"10.1.0.1", "10.1.0.77"} {
			if res := d.signIn("jo", "right", from(place), bringing(known)); res.StatusCode != http.StatusOK {
				t.Errorf("%s: the known browser at %s: got %d, Retry-After %s", name, place, res.StatusCode, res.Header.Get("Retry-After"))
			}
			if !d.service.knownBrowser {
				t.Errorf("%s: the service is not told that it knows the browser", name)
			}
		}
		if res := d.do(http.MethodPost, "/resetNativeUserCredentials", `{"email":"JO","password":"right","resetToken":"reset"}`, from("10.1.0.1"), bringing(known)); res.StatusCode != http.StatusOK {
			t.Errorf("%s: the reset of a password in the known browser: got %d", name, res.StatusCode)
		}
	}
}

func TestAKnownBrowserGuessesNoFasterThanAnAddress(t *testing.T) {
	t.Parallel()
	d := newTestLogin(t)
	known := d.signIn("jo", "right", from("10.1.0.1")).Cookies()
	judged := 0
	for i := range 2400 { // an hour, always from new addresses
		if d.signIn("jo", "no", from(fmt.Sprintf("10.9.%d.%d", i/250, i%250)), bringing(known)).StatusCode == http.StatusBadRequest {
			judged++
		}
		d.now = d.now.Add(1500 * time.Millisecond)
	}
	if judged == 0 || judged > 15 {
		t.Errorf("%d guesses were judged in an hour, want at most 15", judged)
	}
	if res := d.signIn("jo", "right", from("10.1.0.1")); res.StatusCode == http.StatusTooManyRequests {
		t.Error("the failures of a browser keep its user away elsewhere")
	}
}

// TestACopyOfACookieGivesNoFurtherGuesses repeatedly signs in as another user with a copy of a
// browser's cookie, and guesses with each new cookie.
func TestACopyOfACookieGivesNoFurtherGuesses(t *testing.T) {
	t.Parallel()
	d := newTestLogin(t)
	d.service.passwords["urn:li:corpuser:mallory"] = "right"
	known := d.signIn("jo", "right", from("10.1.0.1")).Cookies()
	judged := 0
	for i := range 600 { // an hour, always from new addresses
		at := from(fmt.Sprintf("10.9.%d.%d", i/250, i%250))
		renewed := d.signIn("mallory", "right", at, bringing(known)).Cookies()
		for range 3 {
			if d.signIn("jo", "no", at, bringing(renewed)).StatusCode == http.StatusBadRequest {
				judged++
			}
		}
		d.now = d.now.Add(6 * time.Second)
	}
	if judged == 0 || judged > 15 {
		t.Errorf("%d guesses were judged in an hour, want at most 15", judged)
	}
}

func TestABrowserIsKnownForTheUserWhoSignedInThere(t *testing.T) {
	t.Parallel()
	d := newTestLogin(t)
	d.service.passwords["urn:li:corpuser:mallory"] = "right"
	known := d.signIn("mallory", "right", from("10.1.0.1")).Cookies()
	failSignIns(t, d, "jo", "10.1.0.2")
	if res := d.signIn("jo", "right", from("10.1.0.3"), bringing(known)); res.StatusCode != http.StatusTooManyRequests {
		t.Errorf("at another user: got %d", res.StatusCode)
	}
	// Many users in sequence from one address.
	judged := 0
	for i := range 100 {
		if d.signIn(fmt.Sprintf("user%d", i), "no", from("10.1.0.4"), bringing(known)).StatusCode == http.StatusBadRequest {
			judged++
		}
	}
	if judged > 20 {
		t.Errorf("%d guesses at many users were judged, want the 20 of an address", judged)
	}
	// Both may use the browser, and it has few users.
	d.now = d.now.Add(time.Hour)
	both := d.signIn("jo", "right", from("10.1.0.3"), bringing(known)).Cookies()
	failSignIns(t, d, "jo", "10.1.0.2")
	failSignIns(t, d, "mallory", "10.1.0.2")
	for _, user := range []string{"jo", "mallory"} {
		if res := d.signIn(user, "right", from("10.1.0.2"), bringing(both)); res.StatusCode != http.StatusOK {
			t.Errorf("%s in the browser of both: got %d", user, res.StatusCode)
		}
	}
}

func TestABrowserIsForgottenAndCannotBeMadeUp(t *testing.T) {
	t.Parallel()
	d := newTestLogin(t)
	known := d.signIn("jo", "right", from("10.1.0.1")).Cookies()
	var made []*http.Cookie
	for _, c := range known {
		if c.Name != "PLAY_SESSION" && c.Name != "actor" {
			made = append(made, &http.Cookie{Name: c.Name, Value: known[0].Value}, &http.Cookie{Name: c.Name, Value: c.Value[1:]}, &http.Cookie{Name: c.Name, Value: "e30"})
		}
	}
	failSignIns(t, d, "jo", "10.1.0.1")
	if res := d.signIn("jo", "right", from("10.1.0.1"), bringing(made)); res.StatusCode != http.StatusTooManyRequests || len(made) == 0 {
		t.Errorf("%d cookies that are made up: got %d", len(made), res.StatusCode)
	}
	d.now = d.now.Add(181 * 24 * time.Hour)
	failSignIns(t, d, "jo", "10.1.0.1")
	if res := d.signIn("jo", "right", from("10.1.0.1"), bringing(known)); res.StatusCode != http.StatusTooManyRequests {
		t.Errorf("after half a year: got %d", res.StatusCode)
	}
}
