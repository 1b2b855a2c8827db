package account_test

import (
	"errors"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const stamp = `,"lastModified":{"time":1,"actor":"urn:li:corpuser:datahub"}}`

// robot is the user of a service account without the usual prefix of its id.
const robot urn.URN = "urn:li:corpuser:etlbot"

func TestStatus(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		user    urn.URN
		aspects map[string]string
		want    account.DenialReason
		mayAct  bool
	}{
		"user with info may sign in":         {authtest.Jo, map[string]string{"corpUserInfo": `{"active":true}`}, "", true},
		"user with a state may sign in":      {authtest.Jo, map[string]string{"corpUserStatus": `{"status":"ACTIVE"` + stamp}, "", true},
		"user with a key alone may only act": {authtest.Jo, map[string]string{"globalTags": `{"tags":[]}`}, account.NotProvisioned, true},
		"soft-deleted user is denied":        {authtest.Jo, map[string]string{"corpUserInfo": `{"active":true}`, "status": `{"removed":true}`}, account.SoftDeleted, false},
		"user brought back may sign in":      {authtest.Jo, map[string]string{"corpUserInfo": `{"active":true}`, "status": `{"removed":false}`}, "", true},
		"suspended user is denied":           {authtest.Jo, map[string]string{"corpUserStatus": `{"status":"SUSPENDED"` + stamp}, account.IsSuspended, false},
		"user that is nowhere is denied":     {authtest.Jo, nil, account.HardDeleted, false},
		"service account may only act":       {robot, map[string]string{"subTypes": `{"typeNames":["SERVICE_ACCOUNT"]}`, "corpUserInfo": `{"active":true}`}, account.ServiceAccount, true},
		"service account of a key alone":     {robot, map[string]string{"subTypes": `{"typeNames":["SERVICE_ACCOUNT"]}`}, account.ServiceAccount, true},
		"suspended service account":          {robot, map[string]string{"subTypes": `{"typeNames":["SERVICE_ACCOUNT"]}`, "corpUserStatus": `{"status":"SUSPENDED"` + stamp}, account.IsSuspended, false},
		"user with another sub-type":         {authtest.Jo, map[string]string{"subTypes": `{"typeNames":["Contractor"]}`, "corpUserInfo": `{"active":true}`}, "", true},
		"entity that is no user is denied":   {"urn:li:corpGroup:admins", map[string]string{"status": `{"removed":false}`}, account.HardDeleted, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := authtest.New(t)
			if types, ok := tc.aspects["subTypes"]; ok { // set when the user is created
				c.Set(t, tc.user, "subTypes", types)
			}
			for aspect, value := range tc.aspects {
				c.Set(t, tc.user, aspect, value)
			}
			d := account.NewDirectory(c.Reader())
			for range 2 { // once read from the store, and once from the cache
				got, err := d.Status(t.Context(), tc.user)
				if err != nil || got != tc.want {
					t.Fatalf("got %q, %v; want %q", got, err, tc.want)
				}
				if got.MayAct() != tc.mayAct {
					t.Errorf("may act: %v", got.MayAct())
				}
			}
		})
	}
}

func TestChangesHoldAtOnce(t *testing.T) {
	t.Parallel()
	c := authtest.New(t, authtest.Jo)
	d := account.NewDirectory(c.Reader())
	c.OnChange(d.Changed)
	expect := func(want account.DenialReason) {
		t.Helper()
		if got, err := d.Status(t.Context(), authtest.Jo); err != nil || got != want {
			t.Fatalf("got %q, %v; want %q", got, err, want)
		}
	}
	expect("")
	c.Set(t, authtest.Jo, "corpUserStatus", `{"status":"SUSPENDED"`+stamp)
	expect(account.IsSuspended)
	c.Set(t, authtest.Jo, "corpUserStatus", `{"status":"ACTIVE"`+stamp)
	expect("")
	c.Set(t, authtest.Jo, "status", `{"removed":true}`)
	expect(account.SoftDeleted)
	c.Set(t, authtest.Jo, "status", `{"removed":false}`)
	expect("")
	c.Remove(t, authtest.Jo)
	expect(account.HardDeleted)
	c.Set(t, authtest.Jo, "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`)
	expect(account.ServiceAccount)
	c.Set(t, authtest.Jo, "corpUserInfo", `{"active":true}`)
	c.Set(t, authtest.Jo, "subTypes", `{"typeNames":["Contractor"]}`)
	expect("")
}

func TestFailureOfTheStoreIsNoStatus(t *testing.T) {
	t.Parallel()
	c := authtest.New(t, authtest.Jo)
	d := account.NewDirectory(c.Reader())
	c.Fail(fault.New(fault.Unavailable, "closed"))
	if _, err := d.Status(t.Context(), authtest.Jo); !errors.Is(err, fault.Unavailable) {
		t.Fatalf("got %v", err)
	}
	c.Fail(nil)
	if got, err := d.Status(t.Context(), authtest.Jo); err != nil || got != "" {
		t.Fatalf("got %q, %v after the failure", got, err)
	}
}

func TestDeniedErrorIsForbiddenAndSaysWhy(t *testing.T) {
	t.Parallel()
	err := error(&account.DeniedError{User: authtest.Jo, Reason: account.IsSuspended})
	if fault.KindOf(err) != fault.Forbidden || fault.Message(err) != "urn:li:corpuser:jo: the user is suspended" {
		t.Errorf("kind %v, message %q", fault.KindOf(err), fault.Message(err))
	}
}
