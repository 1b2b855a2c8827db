package catalog_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// repository is the root of the repository, relative to this package.
const repository = "../../../"

// recipe is a section of docs/recipes.md.
type recipe struct{ title, text string }

// recipes reads docs/recipes.md.
func recipes(t *testing.T) []recipe {
	t.Helper()
	page, err := os.ReadFile(repository + "docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []recipe
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		title, text, _ := strings.Cut(section, "\n")
		all = append(all, recipe{title, text})
	}
	return all
}

// find returns the recipe with a title.
func find(t *testing.T, title string) recipe {
	t.Helper()
	all := recipes(t)
	i := slices.IndexFunc(all, func(r recipe) bool { return r.title == title })
	if i < 0 {
		t.Fatalf("docs/recipes.md has no recipe %q", title)
	}
	return all[i]
}

// blocks lists the fenced blocks of a language, without the indentation of the surrounding list.
func (r recipe) blocks(language string) []string {
	var found []string
	fence := regexp.MustCompile("(?ms)^( *)```" + language + "\n(.*?)^ *```$")
	for _, match := range fence.FindAllStringSubmatch(r.text, -1) {
		lines := strings.Split(strings.TrimRight(match[2], "\n"), "\n")
		for i := range lines {
			lines[i] = strings.TrimPrefix(lines[i], match[1])
		}
		found = append(found, strings.Join(lines, "\n"))
	}
	return found
}

// rows decodes the JSON blocks and fails the test unless there are want of them.
func (r recipe) rows(t *testing.T, want int) []model.Object {
	t.Helper()
	var rows []model.Object
	for _, block := range r.blocks("json") {
		row, err := jsontree.DecodeObject([]byte(block))
		if err != nil {
			t.Fatalf("%s: %v in\n%s", r.title, err, block)
		}
		rows = append(rows, row)
	}
	if len(rows) != want {
		t.Fatalf("%s: %d JSON blocks, want %d", r.title, len(rows), want)
	}
	return rows
}

// modelCopy is a copy of the registry's files, to add rows to.
type modelCopy struct {
	t     *testing.T
	files fstest.MapFS
}

func copyModel(t *testing.T) modelCopy {
	t.Helper()
	const folder = "../model/registry"
	files := fstest.MapFS{}
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(folder, name)
		files[filepath.ToSlash(relative)] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return modelCopy{t, files}
}

// edit changes the rows of a file.
func (m modelCopy) edit(file string, change func(rows []model.Object) []model.Object) {
	m.t.Helper()
	var rows []model.Object
	if err := json.Unmarshal(m.files[file].Data, &rows); err != nil {
		m.t.Fatalf("%s: %v", file, err)
	}
	data, err := json.Marshal(change(rows))
	if err != nil {
		m.t.Fatal(err)
	}
	m.files[file] = &fstest.MapFile{Data: data}
}

func (m modelCopy) add(file string, row model.Object) {
	m.t.Helper()
	m.edit(file, func(rows []model.Object) []model.Object { return append(rows, row) })
}

// carry adds an aspect to those of an entity type.
func (m modelCopy) carry(entityType, aspect string) {
	m.t.Helper()
	m.edit("entities.json", func(rows []model.Object) []model.Object {
		i := slices.IndexFunc(rows, func(row model.Object) bool { return row["name"] == entityType })
		rows[i]["aspects"] = append(rows[i]["aspects"].([]any), aspect)
		return rows
	})
}

// start starts a catalog on the model, in which every actor may do anything that the policy tables
// permit.
func (m modelCopy) start() *catalogtest.Fixture {
	m.t.Helper()
	registry, err := model.LoadFrom(m.files)
	if err != nil {
		m.t.Fatalf("the registry with the rows of the recipe: %v", err)
	}
	rows := memory.NewStore()
	return catalogtest.New(m.t, catalogtest.Drivers{
		Store: rows, Documents: memory.NewTimeseries(), Authorizer: authtest.Plain{}, Registry: registry,
	})
}

func TestTheRecipeOfANewAspectWorksAsWritten(t *testing.T) {
	t.Parallel()
	rows := find(t, "A new aspect").rows(t, 2)
	m := copyModel(t)
	m.add("types/dataset.json", rows[0])
	m.add("aspects/dataset.json", rows[1])
	m.carry("dataset", "dataLicence")
	f := m.start()

	f.Put(dataset, "dataLicence", `{"name":"CC0","link":"https://creativecommons.org/publicdomain/zero/1.0/"}`)
	f.WantValue(dataset, "dataLicence", `{"name":"CC0","link":"https://creativecommons.org/publicdomain/zero/1.0/"}`)
	read, err := f.Entities(f.As(jo), []urn.URN{dataset}, catalog.EntityQuery{Aspects: []string{"dataLicence"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := read[0].Find("dataLicence"); !ok {
		t.Errorf("the aspect is not read: %+v", read)
	}
	f.Refuse(fault.Invalid, "/name", catalogtest.Proposal(dataset, "dataLicence", `{"link":"https://example.org"}`))
	f.Refuse(fault.Invalid, "/link", catalogtest.Proposal(dataset, "dataLicence", `{"name":"CC0","link":"javascript:alert(1)"}`))
	f.Refuse(fault.Invalid, "Unknown aspect dataLicence", catalogtest.Proposal("urn:li:tag:pii", "dataLicence", `{"name":"CC0"}`))

	// The tables of the binary do not name the aspect, so no privilege for writing it is defined.
	f.RefuseAs(f.As(jo), fault.Forbidden, "MANAGE_SYSTEM_OPERATIONS", catalogtest.Proposal(dataset, "dataLicence", `{"name":"CC-BY"}`))
}

func TestTheRecipeOfANewSearchFieldWorksAsWritten(t *testing.T) {
	t.Parallel()
	aspect := find(t, "A new aspect").rows(t, 2)
	field := find(t, "A new search field").rows(t, 1)[0]
	aspect[1]["search"] = []any{field}
	m := copyModel(t)
	m.add("types/dataset.json", aspect[0])
	m.add("aspects/dataset.json", aspect[1])
	m.carry("dataset", "dataLicence")
	f := m.start()

	f.Put(dataset, "dataLicence", `{"name":"CC0"}`)
	for licence, want := range map[string]int{"CC0": 1, "MIT": 0} {
		if got := f.Found(search.Filter{{{Field: "licence", Values: []string{licence}}}}); got != want {
			t.Errorf("%d datasets are found by the licence %s, want %d", got, licence, want)
		}
	}
}

func TestTheRecipeOfANewEntityTypeWorksAsWritten(t *testing.T) {
	t.Parallel()
	rows := find(t, "A new entity type").rows(t, 3)
	m := copyModel(t)
	m.add("types/metadata.json", rows[0])
	m.add("aspects/keys.json", rows[1])
	m.add("entities.json", rows[2])
	f := m.start()

	ticket := urn.URN("urn:li:ticket:x1")
	f.Put(ticket, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"DATAOWNER"}]}`)
	f.WantValue(ticket, "ticketKey", `{"id":"x1"}`)
	if got := f.Found(search.Filter{{{Field: "id", Values: []string{"x1"}}}}); got != 1 {
		t.Errorf("%d tickets are found, want 1", got)
	}
	f.Refuse(fault.Invalid, "Unknown aspect tagProperties", catalogtest.Proposal(ticket, "tagProperties", `{"name":"x"}`))
	f.RefuseAs(f.As(jo), fault.Forbidden, "MANAGE_SYSTEM_OPERATIONS", catalogtest.Proposal(ticket, "status", `{"removed":true}`))
}

func TestTheRecipeOfARuleShowsTheRuleAndTheTestThatItLedTo(t *testing.T) {
	t.Parallel()
	blocks := find(t, "A rule about one aspect").blocks("go")
	files := []string{"rule/property.go", "rule/property.go", "rule/property_test.go"}
	if len(blocks) != len(files) {
		t.Fatalf("%d Go blocks, want %d", len(blocks), len(files))
	}
	for i, block := range blocks {
		source, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(withoutIndent(string(source)), withoutIndent(block)) {
			t.Errorf("%s does not hold what the recipe shows:\n%s", files[i], block)
		}
	}
}

func withoutIndent(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

func TestRecipesNameFilesThatExist(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile("`((?:metadata-service|frontend-proxy|deploy|docs|pkg)/[^` ]*)`")
	places := 0
	for _, r := range recipes(t) {
		for _, match := range named.FindAllStringSubmatch(r.text, -1) {
			places++
			if _, err := os.Stat(repository + match[1]); err != nil {
				t.Errorf("%s: %s is not there", r.title, match[1])
			}
		}
	}
	if places < 20 {
		t.Errorf("only %d files are named", places)
	}
}
