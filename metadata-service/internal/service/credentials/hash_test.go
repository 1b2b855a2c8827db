package credentials_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestUnknownUserCostsARealHash(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp("")
	row, err := f.catalog.Get(t.Context(), newbie, credentials.Aspect)
	if err != nil {
		t.Fatal(err)
	}
	var stored struct{ Salt, HashedPassword string }
	if err := json.Unmarshal(row.Value, &stored); err != nil {
		t.Fatal(err)
	}
	shape := func(encoded string) string {
		parts := strings.Split(encoded, "$")
		if len(parts) != 6 {
			t.Fatalf("encoded hash has %d parts", len(parts))
		}
		return parts[1] + parts[2] + parts[3] + strings.Repeat("s", len(parts[4])) + strings.Repeat("h", len(parts[5]))
	}
	if shape(stored.HashedPassword) != shape(f.Decoy()) || stored.Salt == "" {
		t.Error("what is computed for unknown users has other parameters")
	}
	release := f.Occupy()
	defer release()
	ctx, cancel := context.WithCancel(f.system())
	cancel()
	for _, u := range []urn.URN{newbie, "urn:li:corpuser:nobody"} {
		if _, err := f.Verify(ctx, u, password); !errors.Is(err, context.Canceled) {
			t.Errorf("%s was answered without computing: %v", u, err)
		}
	}
}

func TestQueueIsBounded(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	release := f.Occupy()
	ctx, cancel := context.WithCancel(f.system())
	answers := make(chan error)
	const queue, more = 3, 4
	for range queue + more {
		go func() {
			_, err := f.Verify(ctx, authtest.Jo, password)
			answers <- err
		}()
	}
	for range more { // the queue is full: these return at once
		expect(t, <-answers, fault.Throttled, "try again")
	}
	cancel()
	for range queue {
		if err := <-answers; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	release()
	if n := f.Waiting(); n != 0 {
		t.Errorf("%d places are still taken", n)
	}
	f.verdict(authtest.Jo, password)
}

func TestDamagedHashIsAnErrorThatQuotesNothing(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	for _, stored := range []string{
		"plain-text", "$argon2i$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA", "$argon2id$v=18$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
		"$argon2id$v=19$m=4000000,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA", "$argon2id$v=19$m=64,t=100,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
		"$argon2id$v=19$m=64,t=1,p=0$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA", "$argon2id$v=19$m=64,t=1,p=1$!$aGFzaGhhc2hoYXNoaGFzaA",
		"$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$", "$argon2id$v=19$m=x,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
	} {
		if ok, err := f.MatchEncoded(t.Context(), stored); err == nil || ok || strings.Contains(err.Error(), stored[1:]) {
			t.Errorf("%s: %v, %v", stored, ok, err)
		}
	}
}
