//go:build unix

package secrets_test

import (
	"errors"
	"os"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	"github.com/cartulary/cartulary/metadata-service/internal/disk/disktest"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestASecretOnAFullDiskStaysWhatItWas(t *testing.T) {
	if !disktest.Alone(t) {
		return
	}
	dir, err := secrets.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	before, err := dir.ReadOrCreate(secrets.SigningKey)
	if err != nil {
		t.Fatal(err)
	}
	lift := disktest.Full(t, 0)
	if err := dir.Replace(secrets.SigningKey, secrets.Generate()); !errors.Is(err, fault.StorageFull) {
		t.Errorf("replace: got %v, want storage full", err)
	}
	if _, err := dir.ReadOrCreate(secrets.Salt); !errors.Is(err, fault.StorageFull) {
		t.Errorf("create: got %v, want storage full", err)
	}
	if now, err := secrets.ReadFile(dir.Path(secrets.SigningKey)); err != nil || now != before {
		t.Errorf("the secret before is gone: %v", err)
	}
	lift()
	if _, err := dir.ReadOrCreate(secrets.Salt); err != nil {
		t.Errorf("once there is room: %v", err)
	}
	if files, err := os.ReadDir(dir.Path("")); err != nil || len(files) != 2 {
		t.Errorf("%d files are left, want two secrets: %v", len(files), err)
	}
}
