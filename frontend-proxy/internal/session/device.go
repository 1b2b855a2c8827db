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

// DeviceCookieName is the cookie by which a browser is known again after its session.
const DeviceCookieName = "cartulary_device"

const (
	// deviceLifetime is how long a browser is known after somebody signed in there.
	deviceLifetime = 180 * 24 * time.Hour
	// maxDeviceUsers bounds the users that one browser is known for.
	maxDeviceUsers = 5
)

// Device is a browser in which users have signed in before. It proves nothing but
// that, and gives no access. The zero Device is a browser that is not known.
type Device struct {
	Users []deviceUser `json:"u"` // who signed in last comes first
}

// deviceUser is a user with an ID of the device for that user alone. It is made when the user first
// signs in there and stays whoever else does: a copy of the cookie gives no further IDs of a
// user, and whoever planted the cookie does not have the ID that the user gets.
type deviceUser struct {
	ID      string    `json:"i"`
	Name    string    `json:"n"`
	Expires time.Time `json:"e"`
}

// ID is that of the user who signed in last; empty where the browser is not known.
func (d Device) ID() string {
	if len(d.Users) == 0 {
		return ""
	}
	return d.Users[0].ID
}

// IDOf is the ID of the device for a user, in whatever case the name is written; empty for
// one who has not signed in there.
func (d Device) IDOf(user urn.URN) string {
	if i := d.find(user); i >= 0 {
		return d.Users[i].ID
	}
	return ""
}

// Knows reports whether a user has signed in at the device.
func (d Device) Knows(user urn.URN) bool { return d.find(user) >= 0 }

func (d Device) find(user urn.URN) int {
	return slices.IndexFunc(d.Users, func(known deviceUser) bool { return known.Name == deviceName(user) })
}

func deviceName(user urn.URN) string { return strings.ToLower(string(user)) }

// Device is the device that a request comes from, with the users that are not expired.
// Cookies that are damaged, foreign or expired count as none.
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

// RememberDevice makes the browser of a request known for a user who has just signed
// in, beside at most four others.
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
