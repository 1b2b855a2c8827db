package knowledge

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/google/uuid"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// MaxFiles is how many files one import may bring.
const MaxFiles = 100

// Purposes of imported files.
const (
	Knowledge = "CONTEXT_DOCUMENT"
	Skill     = "SKILL"
)

// skillSubType marks documents that are instructions.
const skillSubType = "Skill"

// Import is files to make documents of.
type Import struct {
	Files   []File
	Shown   *bool  // in the global context; true when nil
	UseCase string // Knowledge when empty
	Parent  string // URN of a document; empty for the top
}

// File is a text with its name.
type File struct{ Name, Content string }

// Imported is what became of the files.
type Imported struct {
	Created, Updated, Failed int
	Errors                   []string // one for each file that failed, with its name
	URNs                     []urn.URN
}

// Import makes a document of each file. A file of the same name, purpose and parent
// as before replaces title and text of its document, and restores it if it was
// soft-deleted. Each file stands for itself: what goes wrong with one is told and does
// not keep the others back. Rights are those of Create and UpdateContents, to restore
// also those of Delete; who may write none of the documents gets the refusal.
func (s *Service) Import(ctx context.Context, in Import) (Imported, error) {
	out := Imported{Errors: []string{}, URNs: []urn.URN{}}
	if _, err := edit.Actor(ctx); err != nil {
		return out, err
	}
	if n := len(in.Files); n > MaxFiles {
		return out, fault.New(fault.TooLarge, "documents: %d entries, at most %d are allowed", n, MaxFiles)
	}
	switch in.UseCase {
	case "":
		in.UseCase = Knowledge
	case Knowledge, Skill:
	default:
		return out, fault.New(fault.Malformed, "useCase: %.60q is neither %s nor %s", in.UseCase, Knowledge, Skill)
	}
	var refused error
	others := false
	for _, f := range in.Files {
		u, created, err := s.importFile(ctx, in, f)
		switch kind := fault.KindOf(err); {
		case err == nil && created:
			out.Created++
		case err == nil:
			out.Updated++
		case kind == fault.Internal || kind == fault.Canceled || kind == fault.Unavailable || errors.Is(err, fault.Unauthenticated):
			return out, err
		default:
			if kind == fault.Forbidden && refused == nil {
				refused = err
			}
			others = others || kind != fault.Forbidden
			out.Failed++
			out.Errors = append(out.Errors, fmt.Sprintf("%.200s: %s", f.Name, fault.Message(err)))
			continue
		}
		out.URNs = append(out.URNs, u)
	}
	if refused != nil && len(out.URNs) == 0 && !others {
		return out, refused
	}
	return out, nil
}

func (s *Service) importFile(ctx context.Context, in Import, f File) (u urn.URN, created bool, err error) {
	if err := edit.Text("fileName", f.Name, maxTitle, true); err != nil {
		return "", false, err
	}
	title := strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name))
	if title == "" {
		title = f.Name
	}
	id := uuid.NewSHA1(uuid.NameSpaceURL, []byte(strings.Join([]string{in.UseCase, in.Parent, f.Name}, "\x00"))).String()
	u = urn.Make(EntityType, id)
	// Another document of that name may be hidden from whoever imports: it is one that cannot be created then.
	there, err := s.edit.Catalog.ShownEntities(ctx, u)
	if err != nil {
		return "", false, err
	}
	if there[0] {
		return u, false, s.replace(ctx, u, Contents{Title: &title, Text: &f.Content})
	}
	d := Draft{ID: id, Title: title, Text: f.Content, Parent: in.Parent, Shown: in.Shown}
	if in.UseCase == Skill {
		d.SubType = skillSubType
	}
	u, err = s.Create(ctx, d)
	return u, true, err
}

// replace changes the contents of a document and restores one that is soft-deleted, in
// one write.
func (s *Service) replace(ctx context.Context, u urn.URN, c Contents) error {
	mark, err := s.edit.Stored(ctx, u, status)
	if err != nil {
		return err
	}
	if !jsontree.Bool(mark, removed) {
		return s.updateContents(ctx, string(u), c)
	}
	if _, err := s.mayDelete(ctx, u); err != nil {
		return err
	}
	return s.updateContents(ctx, string(u), c, marked(false))
}
