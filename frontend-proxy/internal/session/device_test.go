package session_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/cartulary/cartulary/frontend-proxy/internal/session"
	"github.com/cartulary/cartulary/pkg/urn"
)

// remember makes the browser of a request known, and returns its next request.
func remember(t testing.TB, j *session.Jar, r *http.Request, user urn.URN) (*http.Cookie, *http.Request) {
	t.Helper()
	w := httptest.NewRecorder()
	if err := j.RememberDevice(w, r, user); err != nil {
		t.Fatal(err)
	}
	cookies := w.Result().Cookies()
	if len(cookies) != 1 || cookies[0].Name != session.DeviceCookieName {
		t.Fatalf("cookies: %v", cookies)
	}
	next := httptest.NewRequest(http.MethodGet, "/", nil)
	next.AddCookie(cookies[0])
	return cookies[0], next
}

func TestADeviceIsKnownForThoseWhoSignedInThereLast(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	j := jar(t, session.Config{Lifetime: time.Hour, Secure: true, BasePath: "/catalog", Now: func() time.Time { return now }})
	first, r := remember(t, j, httptest.NewRequest(http.MethodGet, "/", nil), "urn:li:corpuser:Jo")
	if !first.HttpOnly || !first.Secure || first.Path != "/catalog" || first.SameSite != http.SameSiteLaxMode || first.MaxAge != 180*24*60*60 {
		t.Errorf("got %v", first)
	}
	id := j.Device(r).ID()
	if _, again := remember(t, j, r, "urn:li:corpuser:jo"); id == "" || j.Device(again).ID() != id {
		t.Errorf("the same user again: %q becomes %+v", id, j.Device(again))
	}
	now = now.Add(100 * 24 * time.Hour)
	for i := range 4 {
		_, r = remember(t, j, r, urn.URN(fmt.Sprintf("urn:li:corpuser:user%d", i)))
	}
	d := j.Device(r)
	if d.ID() == id || d.ID() == "" || d.IDOf("urn:li:corpuser:JO") != id || d.IDOf("urn:li:corpuser:al") != "" || !d.Knows("urn:li:corpuser:jo") || !d.Knows("urn:li:corpuser:USER0") || d.Knows("urn:li:corpuser:al") || d.Knows("") {
		t.Errorf("got %+v", d)
	}
	_, sixth := remember(t, j, r, "urn:li:corpuser:user4")
	if d := j.Device(sixth); d.Knows("urn:li:corpuser:jo") || !d.Knows("urn:li:corpuser:user0") {
		t.Errorf("after a sixth user: %+v", d)
	}
	now = now.Add(80 * 24 * time.Hour)
	if d := j.Device(r); d.Knows("urn:li:corpuser:jo") || !d.Knows("urn:li:corpuser:user0") || d.ID() == "" {
		t.Errorf("after half a year: %+v", d)
	}
	now = now.Add(100 * 24 * time.Hour)
	if d := j.Device(r); d.ID() != "" || len(d.Users) > 0 {
		t.Errorf("after another: %+v", d)
	}
	if other, _ := remember(t, j, httptest.NewRequest(http.MethodGet, "/", nil), "urn:li:corpuser:jo"); other.Value == first.Value {
		t.Error("two browsers are one")
	}
}

func TestADeviceIsNoSessionAndNoSessionADevice(t *testing.T) {
	t.Parallel()
	j := jar(t, session.Config{})
	device, _ := remember(t, j, httptest.NewRequest(http.MethodGet, "/", nil), jo)
	if _, err := j.Open(request(device.Value)); err == nil {
		t.Error("a device opens a session")
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.AddCookie(&http.Cookie{Name: session.DeviceCookieName, Value: start(t, j, jo)[0].Value})
	if d := j.Device(r); d.ID() != "" {
		t.Errorf("a session is a device: %+v", d)
	}
}

func FuzzDevice(f *testing.F) {
	j := jar(f, session.Config{})
	good, _ := remember(f, j, httptest.NewRequest(http.MethodGet, "/", nil), jo)
	for _, value := range []string{good.Value, "", good.Value[1:], good.Value + "A"} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Cookie", session.DeviceCookieName+"="+value)
		if d := j.Device(r); d.ID() != "" && !d.Knows(jo) {
			t.Errorf("forged device %+v from %q", d, value)
		}
	})
}
