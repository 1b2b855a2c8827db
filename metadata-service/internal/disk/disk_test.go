package disk_test

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestFailuresOfTheFileSystemHaveAKindAndSayWhatToDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cause error
		kind  fault.Kind
		says  string
	}{
		"a full disk":               {syscall.ENOSPC, fault.StorageFull, "make room there"},
		"a used up quota":           {syscall.EDQUOT, fault.StorageFull, "quota"},
		"a file size limit":         {syscall.EFBIG, fault.StorageFull, "ulimit -f"},
		"a read-only file system":   {syscall.EROFS, fault.Unavailable, "read-only"},
		"a broken disk is internal": {syscall.EIO, fault.Internal, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := disk.Translate(&fs.PathError{Op: "write", Path: "/private/place", Err: c.cause})
			if fault.KindOf(err) != c.kind || !errors.Is(err, c.cause) {
				t.Errorf("got kind %v of %v, want %v", fault.KindOf(err), err, c.kind)
			}
			if said := fault.Message(err); !strings.Contains(said, c.says) || strings.Contains(said, "/private") {
				t.Errorf("users read %q, want %q and no path", said, c.says)
			}
		})
	}
}

func TestErrorsWithAKindKeepIt(t *testing.T) {
	t.Parallel()
	given := fault.Wrap(syscall.ENOSPC, fault.Conflict, "exists")
	if got := disk.Translate(given); got != error(given) {
		t.Errorf("got %v", got)
	}
	if got := disk.Translate(nil); got != nil {
		t.Errorf("nil became %v", got)
	}
}

func TestAFullDiskThatIsNotOfTheDataFolderIsNamed(t *testing.T) {
	t.Parallel()
	for _, cause := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EROFS} {
		said := fault.Message(disk.TranslateAt(cause, "/backups"))
		if !strings.Contains(said, "of /backups ") || strings.Contains(said, "data folder") {
			t.Errorf("%v: users read %q", cause, said)
		}
		if fault.KindOf(disk.TranslateAt(cause, "/backups")) != fault.KindOf(disk.Translate(cause)) {
			t.Errorf("%v: the kind depends on the place", cause)
		}
	}
}
