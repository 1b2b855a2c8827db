package seal_test

import (
	"crypto/rand"
	"errors"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/seal"
	"github.com/cartulary/cartulary/pkg/config"
)

func TestWhatIsSealedOpensWithItsKeyAlone(t *testing.T) {
	t.Parallel()
	mine, other := sealer(t), sealer(t)
	for _, text := range []string{"", "s3cret", strings.Repeat("long ", 10_000), "\x00\xff"} {
		sealed := mine.Seal(text)
		if len(text) > 3 && strings.Contains(sealed, text) {
			t.Errorf("the sealed form of %.10q holds it", text)
		}
		if sealed == mine.Seal(text) {
			t.Errorf("sealing %.10q twice gave the same", text)
		}
		if got, err := mine.Open(sealed); err != nil || got != text {
			t.Errorf("Open gave %.10q, %v; want %.10q", got, err, text)
		}
		if _, err := other.Open(sealed); !errors.Is(err, seal.ErrUnreadable) {
			t.Errorf("another key gave %v, want ErrUnreadable", err)
		}
	}
}

func TestDamagedTextsAreRefused(t *testing.T) {
	t.Parallel()
	s := sealer(t)
	good := s.Seal("s3cret")
	for _, text := range []string{"", "v1.", "v2." + good[3:], good[:len(good)-1], good + "A", good[:5] + "!" + good[6:], "plain"} {
		if _, err := s.Open(text); !errors.Is(err, seal.ErrUnreadable) {
			t.Errorf("Open(%q) gave %v, want ErrUnreadable", text, err)
		}
	}
}

func sealer(t *testing.T) *seal.Sealer {
	t.Helper()
	s, err := seal.New(config.Secret(rand.Text() + rand.Text()))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestASealedTextIsToldFromOthersWithoutItsKey(t *testing.T) {
	t.Parallel()
	one, other := sealer(t), sealer(t)
	if !other.Sealed(one.Seal("x")) || !other.Sealed(one.Seal("")) {
		t.Error("a text sealed with another key is not told")
	}
	for _, text := range []string{"", "x", "v1.", "v1.short", "v1.not base64 at all, whatever its length may be!", "v2." + one.Seal("x")[3:]} {
		if one.Sealed(text) {
			t.Errorf("%q is taken for sealed", text)
		}
	}
}
