package token_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token/tokentest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// many creates tokens of Jo and Mia, and uses of these tokens, in a store on disk.
func many(t *testing.T, each int) *tokentest.Fixture {
	t.Helper()
	rows, err := bolt.Open(t.Context(), filepath.Join(t.TempDir(), "catalog.db"), bolt.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	})
	f := tokentest.NewOn(t, rows)
	var batch []catalog.Proposal
	for i := range 2 * each {
		user := []urn.URN{authtest.Jo, authtest.Mia}[i%2]
		value, err := json.Marshal(map[string]any{
			"name": fmt.Sprintf("token %d", i), "actorUrn": user, "ownerUrn": user,
			"createdAt": tokentest.Start.UnixMilli() + int64(i), "expiresAt": tokentest.Start.Add(time.Hour).UnixMilli() + int64(i%7),
		})
		if err != nil {
			t.Fatal(err)
		}
		batch = append(batch, catalog.Proposal{
			URN: fmt.Sprintf("urn:li:dataHubAccessToken:t%06d", i), Aspect: token.InfoAspect, Change: model.Upsert, Value: value,
		})
	}
	for len(batch) > 0 {
		n := min(500, len(batch))
		if err := f.Catalog.Write(f.System(), batch[:n]); err != nil {
			t.Fatal(err)
		}
		batch = batch[n:]
	}
	_, err = rows.Update(f.System(), func(tx store.Tx) error {
		for i := range 2 * each {
			use := urn.Make("dataHubTokenUse", fmt.Sprintf("t%06d", i), "001772366400")
			if err := tx.AddTerm(t.Context(), store.Term{Index: "tokenUse", Value: "last"}, use); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// listing is a query and the actor that sends it.
type listing struct {
	caller urn.URN
	query  token.Query
}

func TestAPageOfTokensCostsItsOwnSize(t *testing.T) {
	t.Parallel()
	few := many(t, 1_000)
	lot := many(t, 10_000)
	for name, l := range map[string]listing{
		"own tokens":                   {authtest.Jo, token.Query{Owner: authtest.Jo, Count: 20}},
		"own tokens behind others":     {authtest.Jo, token.Query{Owner: authtest.Jo, Start: 900, Count: 20}},
		"tokens of all":                {authtest.Root, token.Query{Count: 20}},
		"tokens that represent a user": {authtest.Root, token.Query{Actor: authtest.Mia, Count: 20}},
		"tokens of all, by expiry":     {authtest.Root, token.Query{Count: 20, Order: token.LongestFirst}},
	} {
		cost := func(f *tokentest.Fixture) (bytes uint64, records int64, total int) {
			ask := func() {
				page, err := f.List(authtest.As(t, l.caller), l.query)
				if err != nil || len(page.Infos) != 20 || page.Infos[0].LastUsedAt == 0 {
					t.Fatalf("%s: %d tokens, %v", name, len(page.Infos), err)
				}
				total = page.Total
			}
			ask() // the first listing of a process reads all records once
			var before, after runtime.MemStats
			readBefore := f.Aspects.Reads.Load()
			runtime.ReadMemStats(&before)
			ask()
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc, f.Aspects.Reads.Load() - readBefore, total
		}
		fewBytes, fewRecords, fewTotal := cost(few)
		lotBytes, lotRecords, lotTotal := cost(lot)
		t.Logf("%s: of %d tokens %d bytes and %d reads, of %d tokens %d bytes and %d reads", name, fewTotal, fewBytes, fewRecords, lotTotal, lotBytes, lotRecords)
		if lotTotal != 10*fewTotal {
			t.Errorf("%s: %d tokens in all, want %d", name, lotTotal, 10*fewTotal)
		}
		if lotRecords > 20 || lotBytes > 3*fewBytes {
			t.Errorf("%s: a page of ten times as many tokens costs %d bytes in place of %d, and %d reads", name, lotBytes, fewBytes, lotRecords)
		}
	}
}

func TestRevokingTheTokensOfAUserReadsTheseAlone(t *testing.T) {
	t.Parallel()
	f := many(t, 1_000)
	text, _ := f.Own(authtest.Root, time.Hour)
	f.Accepts(text)
	before := f.Aspects.Reads.Load()
	if n, err := f.RevokeAll(f.As(authtest.Root), authtest.Root, true); err != nil || n != 1 {
		t.Errorf("revoked %d, %v", n, err)
	}
	if reads := f.Aspects.Reads.Load() - before; reads > 10 {
		t.Errorf("%d reads for one token of a user", reads)
	}
	f.Refuses(text, "revoked")
}
