package session

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cartulary/cartulary/pkg/urn"
)

// DeviceCookieName is the name of the cookie by which a browser is recognised after its session.
const DeviceCookieName = "cartulary_device"

const (
	// deviceLifetime is how long a browser is known after a sign-in.
	deviceLifetime = 180 * 24 * time.Hour
	// maxDeviceUsers is the maximum number of users for which a browser is known.
	maxDeviceUsers = 5
)

// Device is a browser in which users have signed in before. It proves only that, and grants no
// access. The zero Device is an unknown browser.
type Device struct {
	Users []deviceUser `json:"u"` // ordered by the last sign-in, newest first
}

// deviceUser is a user with an ID of the device that is specific to this user. The ID is created
// when the user first signs in with the device, and stays when other users sign in. A copy of the
// cookie therefore yields no later IDs of other users, and an attacker who planted the cookie does
// not have the ID that the user gets.
type deviceUser struct {
	ID      string    `json:"i"`
	Name    string    `json:"n"`
	Expires time.Time `json:"e"`
}

// ID returns the ID for the user who signed in last; empty for an unknown browser.
func (d Device) ID() string {
	if len(d.Users) == 0 {
		return ""
	}
	return d.Users[0].ID
}

// IDOf returns the ID of the device for a user, ignoring the case of the name; empty if the user
// has not signed in there.
func (d Device) IDOf(user urn.URN) string {
	if i := d.find(user); i >= 0 {
		return d.Users[i].ID
	}
	return ""
}

// Knows reports whether a user has signed in with the device.
func (d Device) Knows(user urn.URN) bool { return d.find(user) >= 0 }

func (d Device) find(user urn.URN) int {
	return slices.IndexFunc(d.Users, func(known deviceUser) bool { return known.Name == deviceName(user) })
}

func deviceName(user urn.URN) string { return strings.ToLower(string(user)) }

// Device returns the device of a request, with its unexpired users. It ignores cookies that are
// damaged, foreign or expired.
func (j *Jar) Device(r *http.Request) Device {
	for _, cookie := range r.CookiesNamed(DeviceCookieName) {
		if d := j.openDevice(cookie.Value); len(d.Users) > 0 {
			return d
		}
	}
	return Device{}
}

func (j *Jar) openDevice(value string) Device {
	if len(value) > maxCookie {
		return Device{}
	}
	plain, err := j.keys.Open(DeviceCookieName, value)
	if err != nil {
		return Device{}
	}
	var d Device
	if err := json.Unmarshal(plain, &d); err != nil {
		return Device{}
	}
	now := j.cfg.Now()
	d.Users = slices.DeleteFunc(d.Users, func(known deviceUser) bool { return known.ID == "" || !now.Before(known.Expires) })
	return d
}

// RememberDevice makes the browser of a request known for a user who has just signed in, in
// addition to at most four other users.
func (j *Jar) RememberDevice(w http.ResponseWriter, r *http.Request, user urn.URN) error {
	d, name := j.Device(r), deviceName(user)
	id := d.IDOf(user)
	if id == "" {
		id = rand.Text()
	}
	d.Users = slices.DeleteFunc(d.Users, func(known deviceUser) bool { return known.Name == name })
	d.Users = slices.Insert(d.Users, 0, deviceUser{id, name, j.cfg.Now().Add(deviceLifetime)})
	d.Users = d.Users[:min(len(d.Users), maxDeviceUsers)]
	plain, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("encode the device of %s: %w", user, err)
	}
	cookie := j.cookie(DeviceCookieName, j.keys.Seal(DeviceCookieName, plain), true)
	cookie.MaxAge = int(deviceLifetime / time.Second)
	http.SetCookie(w, cookie)
	return nil
}
