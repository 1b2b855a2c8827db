package encryption_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/pkg/config"
)

func names(t *testing.T, secret config.Secret) *encryption.Names {
	t.Helper()
	n, err := encryption.NewNames(secret)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNamesAreStableAndTellNothing(t *testing.T) {
	t.Parallel()
	mine, again, other := names(t, "a secret for tests"), names(t, "a secret for tests"), names(t, "another secret")
	seen := map[string]string{}
	for _, text := range []string{"", "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)", "urn:li:dataset:(urn:li:dataPlatform:hive,orderz,PROD)", strings.Repeat("x", 1000), "\x00"} {
		name := mine.Conceal("urn", text)
		if name != again.Conceal("urn", text) {
			t.Errorf("%.20q has two names", text)
		}
		if before, twice := seen[name]; twice {
			t.Errorf("%.20q and %.20q have one name", text, before)
		}
		seen[name] = text
		if name == mine.Conceal("scroll", text) || name == other.Conceal("urn", text) {
			t.Errorf("%.20q has the same name for another purpose, or by another key", text)
		}
		if got, err := mine.Reveal("urn", name); err != nil || got != text {
			t.Errorf("%.20q comes back as %.20q, %v", text, got, err)
		}
		if _, err := mine.Reveal("scroll", name); !errors.Is(err, encryption.ErrUnreadable) {
			t.Errorf("another purpose: %v", err)
		}
		if _, err := other.Reveal("urn", name); !errors.Is(err, encryption.ErrUnreadable) {
			t.Errorf("another key: %v", err)
		}
	}
	if short, long := mine.Conceal("urn", "urn:li:tag:a"), mine.Conceal("urn", "urn:li:tag:"+strings.Repeat("a", 60)); len(short) != len(long) {
		t.Errorf("names tell lengths: %d and %d", len(short), len(long))
	}
}

func TestForgedNamesAreRefused(t *testing.T) {
	t.Parallel()
	n := names(t, "a secret for tests")
	good := n.Conceal("urn", "urn:li:tag:pii")
	changed := []byte(good)
	for i := range changed {
		at := changed[i]
		changed[i] = 'A'
		if at == 'A' {
			changed[i] = 'B'
		}
		if text, err := n.Reveal("urn", string(changed)); !errors.Is(err, encryption.ErrUnreadable) {
			t.Errorf("with letter %d changed: %q, %v", i, text, err)
		}
		changed[i] = at
	}
	for _, forged := range []string{"", "A", good[:len(good)-1], good + "A", good[:20], "!" + good[1:], strings.Repeat("A", 200)} {
		if _, err := n.Reveal("urn", forged); !errors.Is(err, encryption.ErrUnreadable) {
			t.Errorf("%q: %v", forged, err)
		}
	}
}
