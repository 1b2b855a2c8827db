package backup_test

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/cartulary/cartulary/metadata-service/internal/backup"
	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	"github.com/cartulary/cartulary/pkg/fault"
)

var moment = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

func now() time.Time { return moment }

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func expect(t testing.TB, err error, kind fault.Kind, says string) {
	t.Helper()
	if err == nil || fault.KindOf(err) != kind || !strings.Contains(err.Error(), says) {
		t.Errorf("got %v (%v), want %v: %q", err, fault.KindOf(err), kind, says)
	}
}

// files is a small data directory, by name.
func files() map[string]string {
	return map[string]string{
		"catalog.db": strings.Repeat("catalog", 100_000), "timeseries/dataset_datasetprofileaspect_v1.db": "series", "audit.db": "events",
		"secrets/token-salt": "salt", "data-format": `{"format":1,"complete":true,"version":"test","secrets":["token-salt"]}`,
	}
}

func sources(content map[string]string, closed *int) (all []backup.Source) {
	for _, name := range slices.Sorted(maps.Keys(content)) {
		all = append(all, backup.Source{
			Name: name, Size: int64(len(content[name])),
			WriteTo: func(w io.Writer) (int64, error) { return io.Copy(w, strings.NewReader(content[name])) },
			Close:   func() error { *closed++; return nil },
		})
	}
	return all
}

// take takes a backup of files.
func take(t testing.TB, content map[string]string) []byte {
	t.Helper()
	closed := 0
	taken, err := backup.Take(t.Context(), backup.Config{Spool: t.TempDir(), Version: "test", Sequence: 7, Secrets: true, Now: now}, sources(content, &closed))
	check(t, err)
	var out bytes.Buffer
	check(t, errors.Join(taken.WriteTo(t.Context(), &out), taken.Close()))
	if closed != len(content) {
		t.Errorf("%d of %d states were let go", closed, len(content))
	}
	return out.Bytes()
}

// restore restores to a directory.
func restore(t testing.TB, from []byte, target backup.Target) (aside string, err error) {
	t.Helper()
	target.Now = now
	s, finished, err := target.Stage(t.Context(), bytes.NewReader(from), nil)
	if err != nil {
		return "", err
	}
	if finished != nil {
		t.Fatalf("finished %+v", finished)
	}
	aside, err = s.Publish()
	return aside, errors.Join(err, s.Close())
}

// content reads all files of a directory.
func content(t testing.TB, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	check(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		found[filepath.ToSlash(name)] = string(text)
		info, _ := e.Info()
		if info != nil && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has the mode %v", name, info.Mode())
		}
		return err
	}))
	return found
}

func TestWhatIsBackedUpIsRestored(t *testing.T) {
	t.Parallel()
	from := take(t, files())
	var steps []string
	m, err := backup.Check(t.Context(), bytes.NewReader(from), func(done, total int64, member string) {
		if done == total {
			steps = append(steps, member)
		}
	})
	check(t, err)
	if m.Sequence != 7 || m.Version != "test" || m.Created != "2026-01-31T12:00:00Z" || len(m.Members) != len(files()) || len(steps) == 0 {
		t.Errorf("manifest %+v, steps %v", m, steps)
	}
	for name, dir := range map[string]string{"an absent directory": filepath.Join(t.TempDir(), "deep", "data"), "an empty one": t.TempDir()} {
		aside, err := restore(t, from, backup.Target{Dir: dir})
		if err != nil || aside != "" || !maps.Equal(content(t, dir), files()) {
			t.Errorf("%s: %q, %v, %v", name, aside, err, slices.Sorted(maps.Keys(content(t, dir))))
		}
	}
}

func TestADirectoryThatHoldsSomethingIsReplacedOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	from, dir := take(t, files()), t.TempDir()
	check(t, os.WriteFile(filepath.Join(dir, "catalog.db"), []byte("former"), 0o600))
	_, err := restore(t, from, backup.Target{Dir: dir})
	expect(t, err, fault.Precondition, "--replace")
	if got := content(t, dir); len(got) != 1 || got["catalog.db"] != "former" {
		t.Errorf("the directory has %v", got)
	}
	aside, err := restore(t, from, backup.Target{Dir: dir, Replace: true})
	check(t, err)
	again, err := restore(t, from, backup.Target{Dir: dir, Replace: true}) // within the same second
	check(t, err)
	want := files()
	want[filepath.Base(aside)+"/catalog.db"] = "former"
	for name, text := range files() {
		want[filepath.Base(again)+"/"+name] = text
	}
	if got := content(t, dir); !maps.Equal(got, want) {
		t.Errorf("the directory has %v", slices.Sorted(maps.Keys(got)))
	}
}

// craft creates an archive of a manifest and members that need not match.
func craft(t testing.TB, manifest any, members ...tar.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	packed, err := zstd.NewWriter(&out)
	check(t, err)
	archive := tar.NewWriter(packed)
	text, err := json.Marshal(manifest)
	check(t, err)
	put := func(h tar.Header, text string) {
		h.Size, h.Mode = int64(len(text)), 0o600
		check(t, archive.WriteHeader(&h))
		if h.Typeflag == tar.TypeReg {
			_, err := archive.Write([]byte(text))
			check(t, err)
		}
	}
	put(tar.Header{Name: "manifest.json", Typeflag: tar.TypeReg}, string(text))
	for _, m := range members {
		content := "content"
		if m.Typeflag != tar.TypeReg {
			content = ""
		}
		put(m, content)
	}
	check(t, errors.Join(archive.Close(), packed.Close()))
	return out.Bytes()
}

func member(name string) backup.Member {
	sum := sha256.Sum256([]byte("content"))
	return backup.Member{Name: name, Bytes: 7, SHA256: hex.EncodeToString(sum[:])}
}

func manifest(members ...backup.Member) backup.Manifest {
	return backup.Manifest{Format: 1, Members: append([]backup.Member{member("catalog.db")}, members...)}
}

func TestWhatIsNoWholeBackupIsRefusedAndChangesNothing(t *testing.T) {
	t.Parallel()
	good := take(t, files())
	catalog := tar.Header{Name: "catalog.db", Typeflag: tar.TypeReg}
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 1
	newer, huge, other := manifest(), manifest(), manifest()
	newer.Format = 2
	huge.Members[0].Bytes = math.MaxInt64
	other.Members[0].SHA256 = strings.Repeat("0", 64)
	for name, c := range map[string]struct {
		from []byte
		kind fault.Kind
		says string
	}{
		"nothing":                       {nil, fault.Invalid, "beginning"},
		"another file":                  {[]byte("PK and what follows, which is long enough"), fault.Invalid, "no backup"},
		"an archive of something else":  {craftOther(t), fault.Invalid, "does not begin with manifest.json"},
		"half a backup":                 {good[:len(good)/2], fault.Invalid, "cut off"},
		"all but the end":               {good[:len(good)-1], fault.Invalid, "cut off"},
		"a bit that flipped":            {flipped, fault.Invalid, "damaged"},
		"a newer format":                {craft(t, newer, catalog), fault.Unsupported, "newer one"},
		"no manifest":                   {craft(t, []int{1}, catalog), fault.Invalid, "manifest"},
		"a manifest of nothing":         {craft(t, backup.Manifest{Format: 1}, catalog), fault.Invalid, "members"},
		"no catalog":                    {craft(t, backup.Manifest{Format: 1, Members: []backup.Member{member("audit.db")}}), fault.Invalid, "no catalog.db"},
		"a name that leads out":         {craft(t, manifest(member("../catalog.db")), catalog), fault.Invalid, "members[1].name"},
		"a name from the root":          {craft(t, manifest(member("/etc/passwd")), catalog), fault.Invalid, "members[1].name"},
		"a name that leads out below":   {craft(t, manifest(member("timeseries/../../x.db")), catalog), fault.Invalid, "members[1].name"},
		"a file of another purpose":     {craft(t, manifest(member("secrets/authorized_keys")), catalog), fault.Invalid, "members[1].name"},
		"a member twice":                {craft(t, manifest(member("catalog.db")), catalog), fault.Invalid, "twice"},
		"a size that no disk has":       {craft(t, huge, catalog), fault.StorageFull, "the disk of "},
		"another checksum":              {craft(t, other, catalog), fault.Invalid, "checksum"},
		"a member that is missing":      {craft(t, manifest(member("audit.db")), catalog), fault.Invalid, "audit.db is missing"},
		"a member that is not named":    {craft(t, manifest(), catalog, catalog), fault.Invalid, "more than its manifest"},
		"a link in the place of a file": {craft(t, manifest(), tar.Header{Name: "catalog.db", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}), fault.Invalid, "in the place of catalog.db"},
		"a member of another size":      {craft(t, sized(9), catalog), fault.Invalid, "in the place of catalog.db"},
		"negative size":                 {craft(t, sized(-1), catalog), fault.Invalid, "bytes"},
		"sizes whose sum wraps around":  {craft(t, manifest(backup.Member{Name: "audit.db", Bytes: math.MaxInt64, SHA256: other.Members[0].SHA256}), catalog), fault.Invalid, "no size"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			check(t, os.WriteFile(filepath.Join(dir, "catalog.db"), []byte("former"), 0o600))
			_, err := restore(t, c.from, backup.Target{Dir: dir, Replace: true, Free: func(string) (int64, error) { return 1 << 40, nil }})
			expect(t, err, c.kind, c.says)
			if got := content(t, dir); len(got) != 1 || got["catalog.db"] != "former" {
				t.Errorf("the directory has %v", got)
			}
			absent := filepath.Join(t.TempDir(), "data")
			_, err = restore(t, c.from, backup.Target{Dir: absent, Free: func(string) (int64, error) { return 1 << 40, nil }})
			expect(t, err, c.kind, c.says)
			if _, err := os.Stat(absent); !os.IsNotExist(err) {
				t.Errorf("a directory stays behind: %v", err)
			}
		})
	}
}

func sized(n int64) backup.Manifest {
	m := manifest()
	m.Members[0].Bytes = n
	return m
}

func craftOther(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	packed, err := zstd.NewWriter(&out)
	check(t, err)
	archive := tar.NewWriter(packed)
	check(t, archive.WriteHeader(&tar.Header{Name: "holiday.jpg", Typeflag: tar.TypeReg}))
	check(t, errors.Join(archive.Close(), packed.Close()))
	return out.Bytes()
}

func TestWithoutRoomNothingIsWritten(t *testing.T) {
	t.Parallel()
	little := func(string) (int64, error) { return 64<<20 + 1000, nil }
	spool, closed := t.TempDir(), 0
	_, err := backup.Take(t.Context(), backup.Config{Spool: spool, Now: now, Free: little}, sources(files(), &closed))
	expect(t, err, fault.StorageFull, "the disk of the data folder has 64.0 MiB")
	if closed != len(files()) || len(content(t, spool)) != 0 {
		t.Errorf("%d states were let go, the spool has %v", closed, content(t, spool))
	}
	dir := filepath.Join(t.TempDir(), "data")
	_, err = restore(t, take(t, files()), backup.Target{Dir: dir, Free: little})
	expect(t, err, fault.StorageFull, "the disk of "+dir+" has 64.0 MiB")
}

func TestABackupThatIsGivenUpLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	spool, closed := t.TempDir(), 0
	ctx, cancel := context.WithCancel(t.Context())
	all := sources(files(), &closed)
	all[1].WriteTo = func(w io.Writer) (int64, error) {
		cancel()
		n, err := w.Write([]byte("part"))
		return int64(n), err
	}
	_, err := backup.Take(ctx, backup.Config{Spool: spool, Now: now}, all)
	if !errors.Is(err, context.Canceled) || closed != len(files()) || len(content(t, spool)) != 0 {
		t.Errorf("got %v, %d states were let go, the spool has %v", err, closed, content(t, spool))
	}
}

// A restore that is interrupted while it moves files leaves a directory on which no service starts,
// and which the next restore completes, wherever it was interrupted.
func TestAnInterruptedRestoreIsFinishedByTheNext(t *testing.T) {
	t.Parallel()
	from := take(t, files())
	for name, harm := range map[string]func(dir, aside string){
		"before anything was moved": func(string, string) {},
		"while the former files were moved": func(dir, aside string) {
			check(t, os.MkdirAll(aside, 0o700))
			check(t, os.Rename(filepath.Join(dir, "catalog.db"), filepath.Join(aside, "catalog.db")))
		},
		"while the new files were moved": func(dir, aside string) {
			check(t, os.MkdirAll(aside, 0o700))
			for _, name := range []string{"catalog.db", "tasks.db"} {
				check(t, os.Rename(filepath.Join(dir, name), filepath.Join(aside, name)))
			}
			check(t, os.WriteFile(filepath.Join(dir, ".restore", "old-is-aside"), nil, 0o600))
			check(t, os.Rename(filepath.Join(dir, ".restore", "new", "catalog.db"), filepath.Join(dir, "catalog.db")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, file := range []string{"catalog.db", "tasks.db"} {
				check(t, os.WriteFile(filepath.Join(dir, file), []byte("former"), 0o600))
			}
			target := backup.Target{Dir: dir, Replace: true, Now: now}
			s, _, err := target.Stage(t.Context(), bytes.NewReader(from), nil)
			check(t, err)
			const aside = "set-aside-20260131T120000Z"
			mark, err := json.Marshal(map[string]any{"aside": aside, "manifest": s.Manifest})
			check(t, err)
			check(t, os.WriteFile(filepath.Join(dir, ".restore", "under-way"), mark, 0o600))
			harm(dir, filepath.Join(dir, aside))
			_, err = datadir.Open(datadir.Config{Path: dir, Version: "test", Now: now})
			expect(t, err, fault.Precondition, "run metadata-service restore again")
			_, _, err = target.Stage(t.Context(), bytes.NewReader(from), nil)
			expect(t, err, fault.Unavailable, "restored to")
			check(t, s.Abandon())

			_, finished, err := target.Stage(t.Context(), bytes.NewReader(nil), nil)
			check(t, err)
			want := files()
			want[aside+"/catalog.db"], want[aside+"/tasks.db"] = "former", "former"
			if got := content(t, dir); finished == nil || finished.Sequence != 7 || !maps.Equal(got, want) {
				t.Errorf("finished %+v, the directory has %v", finished, slices.Sorted(maps.Keys(got)))
			}
		})
	}
}

func TestBarShowsHowFarItIs(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	bar := backup.Bar(&out)
	bar(0, 2<<20, "catalog.db")
	bar(1, 2<<20, "catalog.db")
	bar(1<<20, 2<<20, "audit.db")
	if got := out.String(); strings.Count(got, "\r") != 2 || !strings.Contains(got, "[============            ] 1.0 MiB of 2.0 MiB  audit.db") {
		t.Errorf("got %q", got)
	}
	if backup.NewProgress(&out) != nil {
		t.Error("a bar is drawn where there is no terminal")
	}
}
