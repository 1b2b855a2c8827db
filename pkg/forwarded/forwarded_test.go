package forwarded_test

import (
	"net/http"
	"testing"

	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/forwarded"
)

const secret config.Secret = "a secret of both programs, long enough"

func signed(k *forwarded.Key) http.Header {
	h := http.Header{"X-Request-Id": {"r1"}, "X-Forwarded-For": {"203.0.113.9"}, forwarded.ProofHeader: {"forged"}}
	k.Sign(h, "192.0.2.7")
	return h
}

func TestAnAddressIsBelievedWithItsProof(t *testing.T) {
	t.Parallel()
	got, ok := forwarded.NewKey(secret).Address(signed(forwarded.NewKey(secret)))
	if got != "192.0.2.7" || !ok {
		t.Errorf("got %q, %v", got, ok)
	}
}

func TestNothingElseIsBelieved(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(http.Header){
		"no proof":                   func(h http.Header) { h.Del(forwarded.ProofHeader) },
		"another address":            func(h http.Header) { h.Set("X-Forwarded-For", "192.0.2.8") },
		"another request":            func(h http.Header) { h.Set("X-Request-Id", "r2") },
		"a proof that is no base64":  func(h http.Header) { h.Set(forwarded.ProofHeader, "?") },
		"the proof of an other text": func(h http.Header) { h.Set(forwarded.ProofHeader, "AAAA") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := signed(forwarded.NewKey(secret))
			change(h)
			if got, ok := forwarded.NewKey(secret).Address(h); ok {
				t.Errorf("believed %q", got)
			}
		})
	}
	for name, pair := range map[string][2]config.Secret{"other secrets": {secret, secret + "x"}, "no secret": {"", ""}, "no secret here": {secret, ""}} {
		if got, ok := forwarded.NewKey(pair[1]).Address(signed(forwarded.NewKey(pair[0]))); ok {
			t.Errorf("%s: believed %q", name, got)
		}
	}
}

func BenchmarkAddress(b *testing.B) {
	k := forwarded.NewKey(secret)
	h := signed(k)
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := k.Address(h); !ok {
			b.Fatal("not believed")
		}
	}
}
