package backup

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Format is the version of the file that this program writes, and the newest it reads.
const Format = 1

const (
	manifestName     = "manifest.json"
	maxManifestBytes = 4 << 20
	maxMembers       = 10_000
	sumBytes         = 32
)

// Manifest describes the content of a backup.
type Manifest struct {
	Format  int    `json:"format"`
	Version string `json:"version"` // version of the program that took the backup
	Created string `json:"created"` // RFC 3339
	// Sequence is the number of the last change in the backup.
	Sequence uint64   `json:"sequence"`
	Secrets  bool     `json:"secrets"` // keys and salt are included
	Members  []Member `json:"members"`
}

// Member is a file of the data directory.
type Member struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Bytes is the total size of all members.
func (m *Manifest) Bytes() (sum int64) {
	for _, member := range m.Members {
		sum += member.Bytes
	}
	return sum
}

// readManifest fails for a text that is no manifest, or one that no backup can have.
func readManifest(text []byte) (m Manifest, err error) {
	if err := json.Unmarshal(text, &m); err != nil || m.Format < 1 {
		return m, fault.Wrap(err, fault.Invalid, "%s is not the manifest of a backup; the file is damaged, or is no backup", manifestName)
	}
	if m.Format > Format {
		return m, fault.New(fault.Unsupported, "the backup has format %d, written by version %.40q, and this program reads formats up to %d; use that version or a newer one", m.Format, m.Version, Format)
	}
	return m, m.check()
}

func (m *Manifest) check() error {
	if len(m.Members) == 0 || len(m.Members) > maxMembers {
		return fault.New(fault.Invalid, "members: the backup names %d, and there are 1 to %d", len(m.Members), maxMembers)
	}
	left, seen := int64(math.MaxInt64), map[string]bool{}
	for i, member := range m.Members {
		sum, err := hex.DecodeString(member.SHA256)
		switch {
		case !isDataFile(member.Name):
			return fault.New(fault.Invalid, "members[%d].name: %.80q is no file of a data directory", i, member.Name)
		case seen[member.Name]:
			return fault.New(fault.Invalid, "members[%d].name: %s is there twice", i, member.Name)
		case member.Bytes < 0 || member.Bytes > left:
			return fault.New(fault.Invalid, "members[%d].bytes: %d is no size", i, member.Bytes)
		case err != nil || len(sum) != sumBytes:
			return fault.New(fault.Invalid, "members[%d].sha256: %.80q is no SHA-256", i, member.SHA256)
		}
		seen[member.Name] = true
		left -= member.Bytes
	}
	if !seen[datadir.StoreFile] {
		return fault.New(fault.Invalid, "members: the backup has no %s", datadir.StoreFile)
	}
	return nil
}

// isDataFile reports whether a data directory has a file of that name. No other file is ever
// unpacked, so no name can lead out of the directory.
func isDataFile(name string) bool {
	switch folder, file := path.Split(name); folder {
	case "":
		return slices.Contains([]string{datadir.MarkFile, datadir.StoreFile, datadir.AuditFile, datadir.TasksFile, datadir.RecordsFile}, file)
	case datadir.SecretsFolder + "/":
		return slices.Contains(secrets.Names(), file)
	case datadir.TimeseriesFolder + "/":
		index, ok := strings.CutSuffix(file, ".db")
		return ok && timeseries.CheckIndex(index) == nil
	}
	return false
}
