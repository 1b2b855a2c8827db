package encryption_test

import (
	"crypto/rand"
	"errors"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/pkg/config"
)

func TestWhatIsEncryptedIsDecryptedWithItsKeyAlone(t *testing.T) {
	t.Parallel()
	mine, other := cipher(t), cipher(t)
	for _, text := range []string{"", "s3cret", strings.Repeat("long ", 10_000), "\x00\xff"} {
		encrypted := mine.Encrypt(text)
		if len(text) > 3 && strings.Contains(encrypted, text) {
			t.Errorf("the encrypted form of %.10q holds it", text)
		}
		if encrypted == mine.Encrypt(text) {
			t.Errorf("encrypting %.10q twice gave the same", text)
		}
		if got, err := mine.Decrypt(encrypted); err != nil || got != text {
			t.Errorf("Decrypt gave %.10q, %v; want %.10q", got, err, text)
		}
		if _, err := other.Decrypt(encrypted); !errors.Is(err, encryption.ErrUnreadable) {
			t.Errorf("another key gave %v, want ErrUnreadable", err)
		}
	}
}

func TestDamagedTextsAreRefused(t *testing.T) {
	t.Parallel()
	s := cipher(t)
	good := s.Encrypt("s3cret")
	for _, text := range []string{"", "v1.", "v2." + good[3:], good[:len(good)-1], good + "A", good[:5] + "!" + good[6:], "plain"} {
		if _, err := s.Decrypt(text); !errors.Is(err, encryption.ErrUnreadable) {
			t.Errorf("Decrypt(%q) gave %v, want ErrUnreadable", text, err)
		}
	}
}

func cipher(t *testing.T) *encryption.Cipher {
	t.Helper()
	s, err := encryption.New(config.Secret(rand.Text() + rand.Text()))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAnEncryptedTextIsToldFromOthersWithoutItsKey(t *testing.T) {
	t.Parallel()
	one, other := cipher(t), cipher(t)
	if !other.Encrypted(one.Encrypt("x")) || !other.Encrypted(one.Encrypt("")) {
		t.Error("a text encrypted with another key is not told")
	}
	for _, text := range []string{"", "x", "v1.", "v1.short", "v1.not base64 at all, whatever its length may be!", "v2." + one.Encrypt("x")[3:]} {
		if one.Encrypted(text) {
			t.Errorf("%q is taken for encrypted", text)
		}
	}
}
