//go:build unix

package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/modeltest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// The URNs of the two twins of an entity differ only in these marks of equal length: one twin is
// stored and hidden from the actors of the test, the other is absent.
const (
	storedMark = "zzs"
	absentMark = "zza"
)

// twinPairs is a catalog with view authorization that contains a hidden twin of each entity in the
// requests.
type twinPairs struct {
	*matrix
	registry *model.Registry
	hidden   map[urn.URN]bool // the stored twins
	pairs    int
}

func newTwins(t *testing.T) *twinPairs {
	t.Helper()
	cfg := settings(t.TempDir())
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	cfg.Auth.ViewAuthorization, cfg.Auth.ViewUnrestrictedRemove = true, policy.DefaultUnrestricted()
	for _, entity := range registry.Entities() {
		if entity.ViewUnrestricted && !slices.Contains(everybodys, entity.Name) {
			cfg.Auth.ViewUnrestrictedRemove = append(cfg.Auth.ViewUnrestrictedRemove, entity.Name)
		}
	}
	return &twinPairs{matrix: newMatrixOf(t, serve(t, cfg)), registry: registry, hidden: map[urn.URN]bool{}}
}

// TestAnswersDoNotTellWhetherAHiddenEntityExists runs each operation of testdata/authorization.tsv
// and each request of testdata/existence.tsv, with each entity in it replaced by a hidden one and
// by an absent one: as an actor without any right, and as one with the required rights over all
// other entities of the request. The two responses must be equal.
func TestAnswersDoNotTellWhetherAHiddenEntityExists(t *testing.T) {
	t.Parallel()
	w := newTwins(t)
	rows, more := readRows(t), readTable(t, "testdata/existence.tsv")
	w.store(t, append(slices.Clone(rows), more...))
	for i := range rows {
		platform := len(rows[i].over) == 0 || strings.HasPrefix(rows[i].over[0], "type:")
		t.Run(rows[i].api+" "+rows[i].operation, func(t *testing.T) { w.compare(t, &rows[i], !platform) })
	}
	for i := range more {
		t.Run(more[i].api+" "+more[i].operation, func(t *testing.T) { w.compare(t, &more[i], true) })
	}
	t.Logf("%d requests, %d hidden entities, %d pairs", len(rows)+len(more), len(w.hidden), w.pairs)
	if w.pairs < 500 {
		t.Errorf("only %d pairs were compared", w.pairs)
	}
}

// TestToolsDoNotTellWhetherAHiddenEntityExists calls every tool of the Model Context Protocol with
// a hidden entity and with an absent one of each type, as an actor without any right and as one who
// may edit an asset.
func TestToolsDoNotTellWhetherAHiddenEntityExists(t *testing.T) {
	t.Parallel()
	w := newTwins(t)
	w.store(t, readRows(t))
	var listed struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema schema
			}
		}
	}
	text := w.remoteCall(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if err := json.Unmarshal([]byte(text), &listed); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	orders := names.Replace("{orders}")
	ofEachType := slices.SortedFunc(maps.Keys(w.hidden), func(a, b urn.URN) int { return strings.Compare(string(a), string(b)) })
	ofEachType = slices.CompactFunc(ofEachType, func(a, b urn.URN) bool { return a.Type() == b.Type() })
	call := func(name string, arguments any) string {
		w.reset(t)
		text, _ := json.Marshal(arguments)
		return comparable(w.remoteCall(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, name, text)))
	}
	for _, privileges := range [][]string{{}, {"VIEW_ENTITY_PAGE", "EDIT_ENTITY"}} {
		w.grant(t, privileges, []string{orders})
		for _, tool := range listed.Result.Tools {
			for _, stored := range ofEachType {
				absent := strings.ReplaceAll(string(stored), storedMark, absentMark)
				for member, of := range tool.InputSchema.Properties {
					if text, _ := json.Marshal(of.example(member, string(stored))); !strings.Contains(string(text), storedMark) {
						continue // it names no entity
					}
					of := func(twin string) any {
						arguments, _ := tool.InputSchema.example("", orders).(map[string]any)
						arguments[member] = tool.InputSchema.Properties[member].example(member, twin)
						return arguments
					}
					w.pairs++
					if a, b := call(tool.Name, of(string(stored))), call(tool.Name, of(absent)); a != b {
						t.Errorf("%s with %s in %s, %v:\n hidden: %.300s\n absent: %.300s", tool.Name, stored, member, privileges, a, b)
					}
				}
			}
		}
	}
	t.Logf("%d tools, %d hidden entities, %d pairs", len(listed.Result.Tools), len(ofEachType), w.pairs)
	if w.pairs < 500 {
		t.Errorf("only %d pairs were compared", w.pairs)
	}
}

// compare runs one operation with each entity in it replaced by its twins, with withRights also as
// an actor with rights. That makes no sense if a right over the platform or a type includes the
// twins.
func (w *twinPairs) compare(t *testing.T, r *row, withRights bool) {
	if r.open == "public" || r.open == "system" {
		return
	}
	for _, u := range urnsIn(r.path + " " + r.body) {
		if !w.hidden[twin(u, storedMark)] {
			continue
		}
		w.pair(t, r, u, "no privilege", w.nobody)
		rest := slices.DeleteFunc(slices.Clone(r.over), func(over string) bool { return over == string(u) })
		if !withRights || len(r.over) > 0 && len(rest) == 0 || slices.Contains(revealedTypes[r.operation], u.Type()) {
			continue
		}
		for _, privileges := range r.needs {
			privileges = slices.Clone(privileges)
			if len(rest) > 0 && !strings.HasPrefix(rest[0], "type:") {
				privileges = append(privileges, "VIEW_ENTITY_PAGE")
			}
			w.grant(t, privileges, rest)
			w.pair(t, r, u, strings.Join(privileges, " & ")+" over the rest", w.holder)
		}
	}
	w.reset(t)
}

// revealedTypes lists by operation the types for which it may reveal whether an entity is stored.
// An operation that creates an entity with a given name, by a right over another entity, must refuse
// an existing name; an actor who assigns forms has a right over all forms.
var revealedTypes = map[string][]string{
	"POST /aspects?action=ingestProposal (version set)": {"versionSet"},
	"mutation upsertIncident":                           {"incident"},
	"mutation upsertIncident (of a column)":             {"incident"},
	"mutation batchAssignForm (to an asset)":            {"form"},
	"mutation batchRemoveForm (from an asset)":          {"form"},
}

// foreign is an entity of a type with a separate read privilege. Operations on assets are also
// tested with it.
const foreign urn.URN = "urn:li:dataHubIngestionSource:foreign"

// pair sends one request about the hidden twin of an entity and one about the absent twin.
func (w *twinPairs) pair(t *testing.T, r *row, u urn.URN, who, credential string) {
	t.Helper()
	w.pairOf(t, r, u, u, who, credential)
	w.pairOf(t, r, u, foreign, who, credential)
}

// pairOf sends the requests with the twins of another entity in place of u.
func (w *twinPairs) pairOf(t *testing.T, r *row, u, other urn.URN, who, credential string) {
	t.Helper()
	w.pairs++
	asked := func(mark string) answer {
		w.reset(t)
		to := twin(other, mark)
		got := ask(t, w.app, credential, r.method, replaceURN(r.path, u, to), w.filled(t, replaceURN(r.body, u, to), credential))
		got.body = comparable(got.body)
		return got
	}
	hidden, absent := asked(storedMark), asked(absentMark)
	if strings.Contains(absent.body, `"classification":"ValidationError"`) || strings.Contains(absent.body, `"classification":"InvalidSyntax"`) {
		t.Errorf("is not asked: %s: %.400s", r.body, absent.body)
	}
	if hidden != absent {
		t.Errorf("%s, another %s in the place of %s:\n hidden: %d %s %.400s\n absent: %d %s %.400s", who, other, u, hidden.status, hidden.challenge, hidden.body, absent.status, absent.challenge, absent.body)
	}
}

var (
	restrictedName = regexp.MustCompile(`urn:li:restricted:[A-Za-z0-9_-]+`)
	newUUID        = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	newTime        = regexp.MustCompile(`\b[12]\d{12}\b`)
	newTrace       = regexp.MustCompile(`\b000[0-9a-f]{29}\b`)
)

// comparable removes from a response the parts that differ between twins or from time to time.
func comparable(text string) string {
	text = strings.NewReplacer(storedMark, "zz", absentMark, "zz").Replace(text)
	for _, fresh := range []*regexp.Regexp{restrictedName, newUUID, newTime, newTrace} {
		text = fresh.ReplaceAllString(text, "*")
	}
	return text
}

// urnsIn returns the distinct URNs in a text, without those nested in others.
func urnsIn(text string) []urn.URN {
	var found []urn.URN
	for at := nextURN(text, 0); at >= 0; {
		end := endOfURN(text, at)
		if u := urn.URN(text[at:end]); !slices.Contains(found, u) {
			found = append(found, u)
		}
		at = nextURN(text, end)
	}
	return found
}

func nextURN(text string, from int) int {
	if at := strings.Index(text[from:], "urn:li:"); at >= 0 {
		return from + at
	}
	return -1
}

// endOfURN returns the index after the URN that begins at an index of a text.
func endOfURN(text string, at int) int {
	depth := 0
	for i := at; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			if depth--; depth == 0 {
				return i + 1
			}
		case depth == 0 && strings.IndexByte("\"\\&?/ ),]", c) >= 0:
			return i
		}
	}
	return len(text)
}

// replaceURN replaces each occurrence of u by another URN.
func replaceURN(text string, u, to urn.URN) string {
	var b strings.Builder
	from := 0
	for at := nextURN(text, 0); at >= 0; at = nextURN(text, from) {
		end := endOfURN(text, at)
		b.WriteString(text[from:at])
		if text[at:end] == string(u) {
			b.WriteString(string(to))
		} else {
			b.WriteString(text[at:end])
		}
		from = end
	}
	return b.String() + text[from:]
}

// twin returns the URN with a mark after the first part that is a plain text; for a column, with
// the mark in its dataset.
func twin(u urn.URN, mark string) urn.URN {
	parts := u.Parts()
	if len(parts) < 2 {
		return u + urn.URN(mark)
	}
	for i, part := range parts {
		if u.Type() == "schemaField" && urn.Looks(part) {
			parts[i] = string(twin(urn.URN(part), mark))
			break
		}
		if !urn.Looks(part) {
			parts[i] += mark
			break
		}
	}
	return urn.Make(u.Type(), parts...)
}

// everybodys are entity types that every actor views. Platforms, data types and entity types are
// the same in each catalog. Values of structured properties are validated against their
// definitions, so any actor who may write a value can find out which are defined.
var everybodys = []string{"dataPlatform", "dataType", "entityType", "structuredProperty"}

// uniquelyNamed are aspects with a name that is unique among the entities of the type at the same
// place.
var uniquelyNamed = []string{"domainProperties", "glossaryTermInfo", "glossaryNodeInfo", "businessAttributeInfo"}

// mayHide reports whether an entity can be hidden from some actors.
func (w *twinPairs) mayHide(u urn.URN) bool {
	entity, known := w.registry.Entity(u.Type())
	if !known {
		return false
	}
	return !slices.Contains(everybodys, entity.Name)
}

// store writes the hidden twins of all entities of authorization.json and of the requests.
func (w *twinPairs) store(t *testing.T, rows []row) {
	t.Helper()
	var facts []struct {
		URN, Aspect string
		Value       json.RawMessage
	}
	text := readFile(t, "testdata/authorization.json")
	if err := json.Unmarshal(text, &facts); err != nil {
		t.Fatal(err)
	}
	for _, f := range facts {
		if f.Aspect == "subTypes" {
			continue // a user gets it at its creation
		}
		if u := urn.URN(f.URN); w.mayHide(u) {
			value := string(f.Value)
			if slices.Contains(uniquelyNamed, f.Aspect) {
				value = strings.Replace(value, `"name": "`, `"name": "`+storedMark, 1)
			}
			for _, named := range urnsIn(value) {
				if w.mayHide(named) && named.Type() != "corpuser" {
					value = replaceURN(value, named, twin(named, storedMark))
				}
			}
			value = strings.Replace(value, `"type": "GLOBAL"`, `"type": "PERSONAL"`, 1) // every actor sees global views
			put(t, w.app, string(twin(u, storedMark)), f.Aspect, value)
			w.hidden[twin(u, storedMark)] = true
		}
	}
	for i := range rows {
		for _, u := range urnsIn(rows[i].path + " " + rows[i].body) {
			if stored := twin(u, storedMark); w.mayHide(u) && !w.hidden[stored] {
				w.hidden[stored] = w.put(t, stored)
			}
		}
	}
	put(t, w.app, string(twin(foreign, storedMark)), "dataHubIngestionSourceInfo", `{"name":"s","type":"mysql","config":{"recipe":"{}","executorId":"default"}}`)
	w.asBefore = 0
	w.reset(t)
}

// put writes the first aspect of an entity that the rules accept. Entities about assets refer to a
// hidden asset.
func (w *twinPairs) put(t *testing.T, u urn.URN) bool {
	t.Helper()
	if aboutAssets[u.Type()] != nil {
		writeAbout(t, w.app, u, twin(urn.URN(names.Replace("{orders}")), storedMark), "x")
		return true
	}
	entity, _ := w.registry.Entity(u.Type())
	for _, spec := range entity.All() {
		if spec.IsKey || spec.Timeseries || spec.Managed {
			continue
		}
		g := modeltest.Generator{Registry: w.registry, Aspect: spec, URN: func(_ string, allowed []string) string {
			if len(allowed) > 0 {
				if of, ok := w.registry.Entity(allowed[0]); ok {
					return of.Example
				}
			}
			return elsewhere
		}}
		path := "/openapi/v3/entity/" + strings.ToLower(u.Type()) + "/" + url.PathEscape(string(u)) + "/" + spec.Name + "?async=false&createIfNotExists=false"
		if got := ask(t, w.app, asTheSystem, http.MethodPost, path, `{"value":`+string(jsontree.Encode(g.Value()))+`}`); got.status < 300 {
			return true
		}
	}
	t.Logf("%s is not stored", u)
	return false
}
