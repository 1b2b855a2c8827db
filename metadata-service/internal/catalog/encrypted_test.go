package catalog_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	settings urn.URN = "urn:li:globalSettings:0"

	settingsInfo = "globalSettingsInfo"
	clientSecret = "/sso/oidcSettings/clientSecret"
)

// signOn returns single sign-on settings with a secret of the identity provider.
func signOn(client, secret string) string {
	return fmt.Sprintf(`{"sso":{"baseUrl":"https://catalog.example","oidcSettings":{"enabled":true,"clientId":%q,"clientSecret":%q,"discoveryUri":"https://id.example"}}}`, client, secret)
}

// patched returns a patch that replaces one member.
func patched(path, value string) string {
	return fmt.Sprintf(`{"forceGenericPatch":true,"patch":[{"op":"replace","path":%q,"value":%q}]}`, path, value)
}

// settingsRows returns all rows of the settings as stored, oldest first.
func settingsRows(f *catalogtest.Fixture) []model.Record {
	f.T.Helper()
	key := store.Key{URN: settings, Aspect: settingsInfo}
	rows, err := f.Store.Rows(f.T.Context(), key)
	if err != nil {
		f.T.Fatal(err)
	}
	var all []model.Record
	for _, row := range append(rows, 0) {
		rec, err := f.Store.Row(f.T.Context(), key, row)
		if err != nil {
			f.T.Fatal(err)
		}
		all = append(all, *rec)
	}
	return all
}

// revealed returns the secret as the service itself reads it.
func revealed(f *catalogtest.Fixture) string {
	f.T.Helper()
	value, err := f.Decrypted(f.As(model.SystemActor), settings, settingsInfo)
	if err != nil {
		f.T.Fatal(err)
	}
	return model.At(value, clientSecret)
}

func TestTheSecretOfTheIdentityProviderIsStoredEncryptedAndShownMasked(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		written := f.Must(catalogtest.Proposal(settings, settingsInfo, signOn("a", "provider-secret")))
		if shown := string(written[0].Record.Value); strings.Contains(shown, "provider-secret") || !strings.Contains(shown, catalog.Mask) {
			t.Errorf("the answer to the write holds %s", shown)
		}
		f.Must(catalogtest.Proposal(settings, settingsInfo, signOn("b", "other-secret")))
		for _, row := range settingsRows(f) {
			if strings.Contains(string(row.Value), "-secret") {
				t.Errorf("version %s is stored as %s", row.System.Version, row.Value)
			}
		}
		if got := revealed(f); got != "other-secret" {
			t.Errorf("the service reads %q", got)
		}
		for _, version := range []int64{0, 1, -1} {
			a, err := f.Aspect(f.As(root), settings, settingsInfo, version, catalog.Concealed)
			if err != nil || !strings.Contains(string(a.Value), `"clientSecret":"`+catalog.Mask+`"`) {
				t.Errorf("version %d is shown as %s, %v", version, a.Value, err)
			}
		}
		found, err := f.Entities(f.As(root), []urn.URN{settings}, catalog.EntityQuery{})
		if err != nil {
			t.Fatal(err)
		}
		if a, _ := found[0].Find(settingsInfo); !strings.Contains(string(a.Value), catalog.Mask) {
			t.Errorf("the entity is shown with %s", a.Value)
		}
		for a, err := range f.History(f.As(root), settings, settingsInfo, 10) {
			if err != nil || !strings.Contains(string(a.Value), catalog.Mask) {
				t.Errorf("history holds %s, %v", a.Value, err)
			}
		}
		rows, err := f.Runs.Describe(f.As(root), model.DefaultRunID, 0, 100, true)
		if err != nil || len(rows) == 0 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		for _, row := range rows {
			if sso := string(row.Record.Value); strings.Contains(sso, "clientSecret") && !strings.Contains(sso, catalog.Mask) {
				t.Errorf("the run holds %s", sso)
			}
		}
		if _, err := f.Decrypted(f.As(root), settings, settingsInfo); !errors.Is(err, fault.Forbidden) {
			t.Errorf("the administrator reads it in clear: %v", err)
		}
	})
}

func TestASecretThatIsWrittenBackAsItWasShownStays(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.RefuseAs(f.As(root), fault.Invalid, "must be the secret itself", catalogtest.Proposal(settings, settingsInfo, signOn("a", catalog.Mask)))
		f.Must(catalogtest.Proposal(settings, settingsInfo, signOn("a", "provider-secret")))
		for name, c := range map[string]struct {
			p    catalog.Proposal
			want catalog.Outcome
		}{
			"the same again":  {catalogtest.Proposal(settings, settingsInfo, signOn("a", "provider-secret")), catalog.NoOp},
			"the mask":        {catalogtest.Proposal(settings, settingsInfo, signOn("a", catalog.Mask)), catalog.NoOp},
			"another setting": {catalogtest.Proposal(settings, settingsInfo, patched("/sso/baseUrl", "https://catalog.example"), model.Patch), catalog.NoOp},
		} {
			if got := f.Must(c.p)[0].Outcome; got != c.want {
				t.Errorf("%s: outcome %d, want %d", name, got, c.want)
			}
			if got := revealed(f); got != "provider-secret" {
				t.Errorf("%s: the secret is %q", name, got)
			}
		}
		f.Must(catalogtest.Proposal(settings, settingsInfo, signOn("b", catalog.Mask)))
		if got := revealed(f); got != "provider-secret" {
			t.Errorf("after a change beside the mask: the secret is %q", got)
		}
		f.Must(catalogtest.Proposal(settings, settingsInfo, patched(clientSecret, "patched-secret"), model.Patch))
		if got := revealed(f); got != "patched-secret" || strings.Contains(string(f.Record(settings, settingsInfo).Value), got) {
			t.Errorf("after a patch: the secret is %q", got)
		}
	})
}

func TestSecretsThatWereStoredInClearAreEncryptedInAllVersions(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Must(catalogtest.Proposal(settings, settingsInfo, signOn("a", "x")), catalogtest.Proposal(settings, settingsInfo, signOn("b", "x")), catalogtest.Proposal(settings, settingsInfo, signOn("c", "x")))
		key := store.Key{URN: settings, Aspect: settingsInfo}
		_, err := f.Store.Update(t.Context(), func(tx store.Tx) error {
			rows, err := tx.Rows(t.Context(), key)
			if err != nil {
				return err
			}
			for _, row := range append(rows, 0) {
				rec, err := tx.Row(t.Context(), key, row)
				if err != nil {
					return err
				}
				value, err := jsontree.DecodeObject(rec.Value)
				if err != nil {
					return err
				}
				rec.Value = jsontree.Encode(model.WithText(value, clientSecret, fmt.Sprintf("clear-%d", row)))
				if err := tx.Put(t.Context(), *rec); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		before := settingsRows(f)
		if len(before) != 3 || !strings.Contains(string(before[0].Value), "clear-1") {
			t.Fatalf("the store holds %d versions, the first is %s", len(before), before[0].Value)
		}
		last, _ := f.Store.Last()
		for range 2 {
			if err := f.Boot.EncryptStored(f.As(model.SystemActor)); err != nil {
				t.Fatal(err)
			}
		}
		after := settingsRows(f)
		for i, rec := range after {
			if strings.Contains(string(rec.Value), "clear-") {
				t.Errorf("version %s is still stored as %s", rec.System.Version, rec.Value)
			}
			if rec.System.Version != before[i].System.Version || rec.CreatedOn != before[i].CreatedOn || rec.Sequence != before[i].Sequence {
				t.Errorf("encrypting made another version of %+v: %+v", before[i].System, rec.System)
			}
		}
		if got := revealed(f); got != "clear-0" {
			t.Errorf("the secret is %q", got)
		}
		if now, _ := f.Store.Last(); now != last {
			t.Errorf("encrypting wrote %d entries of the log", now-last)
		}
	})
}
