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

// MaxFiles is the maximum number of files in one import.
const MaxFiles = 100

// Purposes of imported files.
const (
	Knowledge = "CONTEXT_DOCUMENT"
	Skill     = "SKILL"
)

// skillSubType is the sub-type of documents with instructions.
const skillSubType = "Skill"

// Import holds files to store as documents.
type Import struct {
	Files   []File
	Shown   *bool  // in the global context; true when nil
	UseCase string // Knowledge when empty
	Parent  string // URN of a document; empty for the top level
}

// File is a text with its name.
type File struct{ Name, Content string }

// Imported is the result of an import.
type Imported struct {
	Created, Updated, Failed int
	Errors                   []string // one for each failed file, with its name
	URNs                     []urn.URN
}

// Import creates a document for each file. A file with the name, purpose and parent of an earlier
// one replaces title and text of its document, and restores a soft-deleted document. Files are
// independent: the result lists the error of a file, and the others are imported. It requires the
// privileges of Create and UpdateContents, and for a restoration those of Delete. If all files are
// refused, it returns the refusal.
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
	// A document of that name may be hidden from the actor. Then Create refuses it.
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

// replace changes the contents of a document, and restores a soft-deleted one, in one write.
func (s *Service) replace(ctx context.Context, u urn.URN, c Contents) error {
	mark, err := s.edit.Stored(ctx, u, status)
	if err != nil {
		return err
	}
	if !jsontree.Bool(mark, removedMember) {
		return s.updateContents(ctx, string(u), c)
	}
	if _, err := s.mayDelete(ctx, u); err != nil {
		return err
	}
	return s.updateContents(ctx, string(u), c, removalChange(false))
}
