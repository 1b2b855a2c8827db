package timeline_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/timeline"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	orders urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)"
	term   urn.URN = "urn:li:glossaryTerm:revenue"
	minute         = int64(60_000)
	// defaults are the rows of the aspects that the first write of a dataset adds.
	defaults = "browsePathsV2:0;dataPlatformInstance:0;datasetKey:0;"
	// begin is the start time of the clock of a World.
	begin = int64(1_772_445_600_000)
)

type fixture struct {
	*timeline.Service
	w   *servicetest.World
	ctx context.Context
}

func setUp(t *testing.T) fixture {
	t.Helper()
	w := servicetest.New(t)
	return fixture{timeline.New(w.Registry, w.Catalog, w.Discover, nil), w, w.As(t, servicetest.Root)}
}

// put writes an aspect one minute after the previous write.
func (f fixture) put(t *testing.T, u urn.URN, aspect, value string) {
	t.Helper()
	f.w.Pass(time.Minute)
	f.w.Put(t, u, aspect, value)
}

// schema returns a schema aspect. Columns are given as "name Type native"; ? after the type marks a
// nullable column, ! a column of the key.
func schema(columns ...string) string {
	fields := make([]string, len(columns))
	for i, c := range columns {
		parts := strings.Fields(c)
		kind := strings.TrimRight(parts[1], "?!")
		fields[i] = fmt.Sprintf(`{"fieldPath":%q,"nullable":%t,"isPartOfKey":%t,"nativeDataType":%q,"type":{"type":{"com.linkedin.schema.%sType":{}}}}`,
			parts[0], strings.Contains(parts[1], "?"), strings.Contains(parts[1], "!"), parts[2], kind)
	}
	return `{"schemaName":"orders","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"fields":[` +
		strings.Join(fields, ",") + `]}`
}

func (f fixture) timeline(t *testing.T, q timeline.Query) timeline.Timeline {
	t.Helper()
	found, err := f.Timeline(f.ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// told formats the events of a timeline, each with the version of its transaction.
func told(found timeline.Timeline) (out []string) {
	for _, tx := range found.Transactions {
		for _, e := range tx.Events {
			out = append(out, fmt.Sprintf("%s %s %s %s %s", tx.Version, e.Grade, e.Operation, e.Category, e.Description))
		}
	}
	return out
}

func want(t *testing.T, got any, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestChangesOfASchemaRaiseVersions(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	withKey := func(keys string, columns ...string) string {
		return strings.TrimSuffix(schema(columns...), "}") + `,"primaryKeys":[` + keys + `],"foreignKeys":[{"name":"k","foreignFields":[],"sourceFields":[],"foreignDataset":"` + string(orders) + `"}]}`
	}
	for _, value := range []string{
		schema("note String? text", "id Number! int"),
		schema("note String? varchar", "id Number! int"),
		schema("note String? varchar", "id Number! int", "at Date date"),
		schema("note String varchar", "id Number! int", "at Date date"), // no longer nullable
		schema("note String varchar", "at Date date"),
		schema("at Date date", "remark String varchar"),
		withKey(`"at"`, "at Date date", "remark String varchar"),
		schema("at Date date", "a.remark String varchar"), // under another parent
	} {
		f.put(t, orders, "schemaMetadata", value)
	}
	found := f.timeline(t, timeline.Query{URN: orders, Categories: []timeline.Category{timeline.Schema}})
	want(t, told(found), []string{
		"0.0.0-computed MINOR ADD TECHNICAL_SCHEMA Added column id.",
		"0.0.0-computed MINOR ADD TECHNICAL_SCHEMA Added column note.",
		"1.0.0-computed MAJOR MODIFY TECHNICAL_SCHEMA Changed column note from text to varchar.",
		"1.1.0-computed MINOR ADD TECHNICAL_SCHEMA Added column at.",
		"2.0.0-computed MAJOR REMOVE TECHNICAL_SCHEMA Removed column id.",
		"2.1.0-computed MINOR MODIFY TECHNICAL_SCHEMA Renamed column note to remark.",
		"3.0.0-computed MAJOR MODIFY TECHNICAL_SCHEMA Changed the primary key by column at.",
		"4.0.0-computed MINOR ADD TECHNICAL_SCHEMA Added column a.remark.",
		"4.0.0-computed MAJOR REMOVE TECHNICAL_SCHEMA Removed column remark.",
		"4.0.0-computed MAJOR MODIFY TECHNICAL_SCHEMA Changed the primary key by column at.",
	})
	first := found.Transactions[0]
	want(t, first.Events[0], timeline.Event{
		URN: orders, Category: timeline.Schema, Operation: timeline.Add, Modifier: "urn:li:schemaField:(" + string(orders) + ",id)",
		Parameters: []timeline.Parameter{
			{"fieldPath", "id"}, {"fieldUrn", "urn:li:schemaField:(" + string(orders) + ",id)"}, {"nullable", false}, {"modificationCategory", "OTHER"},
		},
		Time: begin + minute, Actor: "urn:li:corpuser:__datahub_system", Grade: timeline.Minor, Description: "Added column id.",
	})
	renamed := found.Transactions[4].Events[0]
	want(t, []any{renamed.Modifier, renamed.Parameters[0].Value, renamed.Parameters[3].Value}, []any{"urn:li:schemaField:(" + string(orders) + ",note)", "note", "RENAME"})
}

// A stamp names all versioned aspects: the current value is row 0, former ones are rows from 1.
func TestStampsNameEveryVersionedAspectInForce(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.put(t, orders, "schemaMetadata", schema("id Number int"))
	f.put(t, orders, "status", `{"removed":true}`)
	f.put(t, orders, "schemaMetadata", schema("id Number int", "at Date date"))
	f.put(t, orders, "status", `{"removed":false}`)
	f.put(t, orders, "globalTags", `{"tags":[{"tag":"urn:li:tag:a"}]}`)
	f.put(t, orders, "schemaMetadata", schema("at Date date"))
	found := f.timeline(t, timeline.Query{URN: orders, Categories: []timeline.Category{timeline.Schema}})
	var stamps []string
	for _, tx := range found.Transactions {
		stamps = append(stamps, tx.Stamp)
	}
	rows := func(text string) string { // omits the aspects that the first write adds
		var out []string
		for part := range strings.SplitSeq(text, ";") {
			if name, _, _ := strings.Cut(part, ":"); name == "datasetKey" || name == "status" || name == "globalTags" || name == "schemaMetadata" {
				out = append(out, part)
			}
		}
		return strings.Join(out, ";")
	}
	for i := range stamps {
		stamps[i] = rows(stamps[i])
	}
	want(t, stamps, []string{"datasetKey:0;schemaMetadata:1", "datasetKey:0;schemaMetadata:2;status:1", "datasetKey:0;globalTags:0;schemaMetadata:0;status:0"})
	versions, err := f.SchemaVersions(f.ctx, orders)
	if err != nil || len(versions) != 3 || rows(versions[1].Stamp) != stamps[1] {
		t.Errorf("got %v, %v", versions, err)
	}
}

func TestEveryAspectTellsItsChanges(t *testing.T) {
	t.Parallel()
	const stamp = `{"time":0,"actor":"urn:li:corpuser:jo"}`
	column := `{"editableSchemaFieldInfo":[{"fieldPath":"id",%s}]}`
	for name, c := range map[string]struct {
		u             urn.URN
		aspect        string
		before, after string
		want          []string
	}{
		"tags": {orders, "globalTags", `{"tags":[{"tag":"urn:li:tag:a"},{"tag":"urn:li:tag:b"}]}`, `{"tags":[{"tag":"urn:li:tag:b"},{"tag":"urn:li:tag:c"}]}`,
			[]string{"0.1.0-computed MINOR ADD TAG Added tag urn:li:tag:c.", "0.1.0-computed MINOR REMOVE TAG Removed tag urn:li:tag:a."}},
		"terms": {orders, "glossaryTerms", `{"terms":[],"auditStamp":` + stamp + `}`, `{"terms":[{"urn":"urn:li:glossaryTerm:a"}],"auditStamp":` + stamp + `}`,
			[]string{"0.0.0-computed MINOR ADD GLOSSARY_TERM Added glossary term urn:li:glossaryTerm:a."}},
		"owners": {orders, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"DATAOWNER"}]}`,
			`{"owners":[{"owner":"urn:li:corpuser:jo","type":"NONE","typeUrn":"urn:li:ownershipType:__system__none"}]}`,
			[]string{"0.1.0-computed MINOR ADD OWNERSHIP Added owner urn:li:corpuser:jo of type urn:li:ownershipType:__system__none.",
				"0.1.0-computed MINOR REMOVE OWNERSHIP Removed owner urn:li:corpuser:jo of type urn:li:ownershipType:__system__dataowner."}},
		"domains": {orders, "domains", `{"domains":["urn:li:domain:a"]}`, `{"domains":["urn:li:domain:b"]}`,
			[]string{"0.1.0-computed MINOR ADD DOMAIN Added domain urn:li:domain:b.", "0.1.0-computed MINOR REMOVE DOMAIN Removed domain urn:li:domain:a."}},
		"applications": {orders, "applications", `{"applications":[]}`, `{"applications":["urn:li:application:a"]}`,
			[]string{"0.0.0-computed MINOR ADD APPLICATION Added application urn:li:application:a."}},
		"deprecation": {orders, "deprecation", `{"deprecated":true,"note":"old","actor":"urn:li:corpuser:jo"}`, `{"deprecated":false,"note":"","actor":"urn:li:corpuser:jo"}`,
			[]string{"0.1.0-computed MINOR REMOVE DEPRECATION Removed the deprecation."}},
		"a description":         {orders, "datasetProperties", `{"description":"a"}`, `{"description":"b","name":"n"}`, []string{"0.0.1-computed PATCH MODIFY DOCUMENTATION Changed the description."}},
		"an edited description": {orders, "editableDatasetProperties", `{"description":"a"}`, `{}`, []string{"0.1.0-computed MINOR REMOVE DOCUMENTATION Removed the description."}},
		"links": {orders, "institutionalMemory", `{"elements":[]}`, `{"elements":[{"url":"https://a.example","description":"A","createStamp":` + stamp + `}]}`,
			[]string{"0.0.0-computed MINOR ADD DOCUMENTATION Added link https://a.example."}},
		"a link with another text": {orders, "institutionalMemory", `{"elements":[{"url":"https://a.example","description":"A","createStamp":` + stamp + `}]}`,
			`{"elements":[{"url":"https://a.example","description":"B","createStamp":` + stamp + `}]}`,
			[]string{"0.0.1-computed PATCH MODIFY DOCUMENTATION Changed link https://a.example."}},
		"two copies of a new link": {orders, "institutionalMemory", `{"elements":[]}`,
			`{"elements":[{"url":"https://b.example","description":"B","createStamp":` + stamp + `},{"url":"https://a.example","description":"A","createStamp":` + stamp + `},{"url":"https://b.example","description":"B","createStamp":` + stamp + `}]}`,
			[]string{"0.0.0-computed MINOR ADD DOCUMENTATION Added link https://a.example.", "0.0.0-computed MINOR ADD DOCUMENTATION Added link https://b.example.",
				"0.0.0-computed MINOR ADD DOCUMENTATION Added link https://b.example."}},
		"documentation": {orders, "documentation", `{"documentations":[]}`, `{"documentations":[{"documentation":"a"}]}`,
			[]string{"0.0.0-computed MINOR ADD DOCUMENTATION Added the documentation."}},
		"an edited column": {orders, "editableSchemaMetadata", fmt.Sprintf(column, `"description":"a"`),
			fmt.Sprintf(column, `"description":"b","globalTags":{"tags":[{"tag":"urn:li:tag:a"}]}`),
			[]string{"0.1.0-computed PATCH MODIFY DOCUMENTATION Changed the description of column id.", "0.1.0-computed MINOR ADD TAG Added tag urn:li:tag:a of column id."}},
		"a container": {orders, "container", `{"container":"urn:li:container:a"}`, `{"container":"urn:li:container:b"}`,
			[]string{"0.0.1-computed PATCH MODIFY PARENT Changed the parent from urn:li:container:a to urn:li:container:b."}},
		"a glossary term": {term, "glossaryTermInfo", `{"definition":"a","termSource":"INTERNAL"}`, `{"definition":"b","termSource":"INTERNAL","parentNode":"urn:li:glossaryNode:n"}`,
			[]string{"0.1.0-computed PATCH MODIFY DOCUMENTATION Changed the definition.", "0.1.0-computed MINOR ADD PARENT Added the parent."}},
		"related terms": {term, "glossaryRelatedTerms", `{"isRelatedTerms":["urn:li:glossaryTerm:a"]}`, `{"hasRelatedTerms":["urn:li:glossaryTerm:a"]}`,
			[]string{"0.1.0-computed MINOR ADD GLOSSARY_TERM Added relationship Has A with urn:li:glossaryTerm:a.", "0.1.0-computed MINOR REMOVE GLOSSARY_TERM Removed relationship Is A with urn:li:glossaryTerm:a."}},
		"a data product": {"urn:li:dataProduct:p", "dataProductProperties", `{"name":"p","assets":[]}`, `{"name":"p","description":"d","assets":[{"destinationUrn":"` + string(orders) + `"}]}`,
			[]string{"0.0.0-computed MINOR ADD DOCUMENTATION Added the description.", "0.0.0-computed MINOR ADD ASSET_MEMBERSHIP Added asset " + string(orders) + "."}},
		"a document": {"urn:li:document:d", "documentInfo", document("a", ""), document("b", `,"parentDocument":{"document":"urn:li:document:p"},"relatedAssets":[{"asset":"urn:li:tag:t"}],"relatedDocuments":[{"document":"urn:li:document:r"}]`),
			[]string{"0.1.0-computed PATCH MODIFY DOCUMENTATION Changed the text.", "0.1.0-computed MINOR ADD PARENT Added the parent.",
				"0.1.0-computed MINOR ADD RELATED_ENTITIES Added relatedAssets urn:li:tag:t.", "0.1.0-computed MINOR ADD RELATED_ENTITIES Added relatedDocuments urn:li:document:r."}},
		"nothing told": {orders, "datasetProperties", `{"name":"a"}`, `{"name":"b"}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setUp(t)
			f.put(t, c.u, c.aspect, c.before)
			f.w.Pass(time.Minute)
			second := f.w.Now().UnixMilli() + minute
			f.put(t, c.u, c.aspect, c.after)
			want(t, told(f.timeline(t, timeline.Query{URN: c.u, From: second})), c.want)
		})
	}
}

// Each of the four lists of a term is compared separately.
func TestRelationshipsOfTermsTellTheirKind(t *testing.T) {
	t.Parallel()
	for member, kind := range map[string]string{"isRelatedTerms": "Is A", "hasRelatedTerms": "Has A", "values": "Has Value", "relatedTerms": "Is Related To"} {
		f := setUp(t)
		f.put(t, term, "glossaryRelatedTerms", `{"`+member+`":["urn:li:glossaryTerm:a"]}`)
		f.put(t, term, "glossaryRelatedTerms", `{"`+member+`":[]}`)
		var got []timeline.Event
		for _, tx := range f.timeline(t, timeline.Query{URN: term, Categories: []timeline.Category{timeline.Terms}}).Transactions {
			got = append(got, tx.Events...)
		}
		if len(got) != 2 || got[0].Operation != timeline.Add || got[1].Operation != timeline.Remove {
			t.Fatalf("%s: %+v", member, got)
		}
		for _, e := range got {
			want(t, []any{e.Category, e.Grade, e.Modifier}, []any{timeline.Category("GLOSSARY_TERM"), timeline.Minor, "urn:li:glossaryTerm:a"})
			want(t, e.Parameters, []timeline.Parameter{{"termUrn", "urn:li:glossaryTerm:a"}, {"relationshipType", kind}})
		}
	}
}

func document(text, more string) string {
	const stamp = `{"time":0,"actor":"urn:li:corpuser:jo"}`
	return `{"status":{"state":"PUBLISHED"},"contents":{"text":"` + text + `"},"created":` + stamp + `,"lastModified":` + stamp + more + `}`
}

func TestStructuredProperties(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	const property urn.URN = "urn:li:structuredProperty:tier"
	f.put(t, property, "propertyDefinition", `{"qualifiedName":"tier","valueType":"urn:li:dataType:datahub.string","entityTypes":["urn:li:entityType:datahub.dataset"],"cardinality":"MULTIPLE"}`)
	for _, value := range []string{"gold", "silver"} {
		f.put(t, orders, "structuredProperties", `{"properties":[{"propertyUrn":"`+string(property)+`","values":[{"string":"`+value+`"}]}]}`)
	}
	want(t, told(f.timeline(t, timeline.Query{URN: orders, Categories: []timeline.Category{timeline.Properties}})), []string{
		"0.0.0-computed MINOR ADD STRUCTURED_PROPERTY Added structured property urn:li:structuredProperty:tier.",
		`0.0.1-computed PATCH MODIFY STRUCTURED_PROPERTY Changed structured property urn:li:structuredProperty:tier from ["gold"] to ["silver"].`,
	})
}

func TestWhatIsWrittenTogetherIsOneTransaction(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.put(t, orders, "globalTags", `{"tags":[{"tag":"urn:li:tag:a"}]}`)
	f.w.Put(t, orders, "domains", `{"domains":["urn:li:domain:a"]}`)
	f.w.Put(t, orders, "globalTags", `{"tags":[]}`) // at the same moment, but after the first
	found := f.timeline(t, timeline.Query{URN: orders})
	var got []string
	for _, tx := range found.Transactions {
		got = append(got, fmt.Sprint(tx.Version, " ", tx.Operation, " ", tx.Stamp, " ", len(tx.Events)))
	}
	if len(got) != 2 || !strings.HasPrefix(got[0], "0.0.0-computed ADD ") || !strings.HasSuffix(got[0], " 2") || !strings.HasPrefix(got[1], "0.1.0-computed REMOVE ") {
		t.Errorf("got %q", got)
	}
	if !strings.Contains(got[1], "domains:0;globalTags:0") {
		t.Errorf("the stamp is %q", got[1])
	}
}

func TestTimeNarrowsWhatIsToldAndNotHowItIsNumbered(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	for _, tags := range []string{"a", "b", "c"} {
		f.put(t, orders, "globalTags", `{"tags":[{"tag":"urn:li:tag:`+tags+`"}]}`)
	}
	for name, c := range map[string]struct {
		from, to int64
		want     string
	}{
		"all":           {0, 0, "[0.0.0-computed 0.1.0-computed 0.2.0-computed]"},
		"from":          {begin + 2*minute, 0, "[0.1.0-computed 0.2.0-computed]"},
		"to":            {0, begin + 2*minute, "[0.0.0-computed 0.1.0-computed]"},
		"one":           {begin + 2*minute, begin + 2*minute, "[0.1.0-computed]"},
		"none":          {begin + 4*minute, 0, "[]"},
		"before it all": {0, begin, "[]"},
	} {
		versions := []string{}
		for _, tx := range f.timeline(t, timeline.Query{URN: orders, Categories: []timeline.Category{timeline.Tags}, From: c.from, To: c.to}).Transactions {
			versions = append(versions, tx.Version)
		}
		if got := fmt.Sprint(versions); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestVersionsThatAreGoneAreSkipped(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	for i := range 23 {
		f.put(t, orders, "schemaMetadata", schema("id Number int", fmt.Sprintf("c%d String text%d", i, i)))
	}
	found := f.timeline(t, timeline.Query{URN: orders, Categories: []timeline.Category{timeline.Schema}})
	// 20 versions are stored. The changes of the oldest one are unknown.
	if found.Skipped != 3 || len(found.Transactions) != 19 || found.Transactions[0].Version != "1.0.0-computed" {
		t.Errorf("got %d skipped, %d transactions, first %v", found.Skipped, len(found.Transactions), found.Transactions[0])
	}
	blame, err := f.Blame(f.ctx, orders, "")
	if err != nil || len(blame.Columns) != 2 || blame.Version.Version != "19.0.0" {
		t.Fatalf("got %v, %v", blame, err)
	}
	want(t, blame.Columns[0], timeline.ColumnBlame{
		Path: "id", Version: timeline.SchemaVersion{Version: "0.0.0", Stamp: defaults + "schemaMetadata:4", Time: begin + 4*minute}, Operation: timeline.Add,
		Description: "Added column id in this version or before it.",
	})
}

func TestBlame(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	for _, columns := range [][]string{
		{"id Number int", "a String text"}, {"id Number int", "a Number int"}, {"b String text", "id Number int", "a Number int"}, {"c String text", "id Number int", "a Number int"},
	} {
		f.put(t, orders, "schemaMetadata", schema(columns...))
	}
	for version, c := range map[string]struct{ shown, columns string }{
		"":                 {"1.2.0", "c MODIFY 1.2.0, id ADD 0.0.0, a MODIFY 1.0.0"},
		"1.1.0":            {"1.1.0", "b ADD 1.1.0, id ADD 0.0.0, a MODIFY 1.0.0"},
		"schemaMetadata:0": {"1.2.0", "c MODIFY 1.2.0, id ADD 0.0.0, a MODIFY 1.0.0"},
		"1.0.0":            {"1.0.0", "id ADD 0.0.0, a MODIFY 1.0.0"},
		"schemaMetadata:1": {"0.0.0", "id ADD 0.0.0, a ADD 0.0.0"},
	} {
		found, err := f.Blame(f.ctx, orders, version)
		if err != nil {
			t.Fatal(err)
		}
		var columns []string
		for _, column := range found.Columns {
			columns = append(columns, fmt.Sprint(column.Path, " ", column.Operation, " ", column.Version.Version))
		}
		want(t, []string{found.Version.Version, strings.Join(columns, ", ")}, []string{c.shown, c.columns})
	}
	if _, err := f.Blame(f.ctx, orders, "9.0.0"); !errors.Is(err, fault.NotFound) {
		t.Errorf("an unknown version gave %v", err)
	}
	versions, err := f.SchemaVersions(f.ctx, orders)
	if err != nil || len(versions) != 4 || versions[3] != (timeline.SchemaVersion{Version: "1.2.0", Stamp: defaults + "schemaMetadata:0", Time: begin + 4*minute}) {
		t.Errorf("got %v, %v", versions, err)
	}
}

func TestWhatHasNoHistory(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	if found := f.timeline(t, timeline.Query{URN: orders, VersionSet: true}); len(found.Transactions) != 0 || found.Skipped != 0 {
		t.Errorf("got %v", found)
	}
	if found, err := f.Blame(f.ctx, orders, ""); err != nil || found.Version != nil || len(found.Columns) != 0 {
		t.Errorf("got %v, %v", found, err)
	}
	if _, err := f.Timeline(f.ctx, timeline.Query{URN: "urn:li:nothing:a"}); !errors.Is(err, fault.Malformed) {
		t.Errorf("an unknown type gave %v", err)
	}
	if _, err := f.Timeline(t.Context(), timeline.Query{URN: orders}); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("nobody got %v", err)
	}
}

func TestVersionSetsAreToldTogether(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	for i, u := range []urn.URN{orders, "urn:li:dataset:(urn:li:dataPlatform:hive,orders2,PROD)"} {
		f.put(t, u, "versionProperties", fmt.Sprintf(`{"versionSet":"urn:li:versionSet:(orders,dataset)","version":{"versionTag":"v%d"},"sortId":"AAAAAAA%c","versioningScheme":"ALPHANUMERIC_GENERATED_BY_DATAHUB"}`, i, 'A'+i))
		f.put(t, u, "globalTags", `{"tags":[{"tag":"urn:li:tag:a"}]}`)
	}
	for together, n := range map[bool]int{false: 1, true: 2} {
		found := f.timeline(t, timeline.Query{URN: orders, Categories: []timeline.Category{timeline.Tags}, VersionSet: together})
		if len(found.Transactions) != n {
			t.Errorf("together %v: got %q", together, told(found))
		}
	}
	found := told(f.timeline(t, timeline.Query{URN: orders, Categories: []timeline.Category{timeline.Versioning}}))
	if len(found) == 0 || found[0] != "0.0.0-computed MINOR ADD VERSIONING Added version v0 in urn:li:versionSet:(orders,dataset)." {
		t.Errorf("got %q", found)
	}
}

func TestCategoriesAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]timeline.Category{
		"TAG": timeline.Tags, "glossary term": timeline.Terms, "technical-schema": timeline.Schema, " Owner": timeline.Ownership, "OWNERSHIP": timeline.Ownership,
	} {
		if got, err := timeline.ParseCategory(text); err != nil || got != want {
			t.Errorf("%q: got %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "TAGS", strings.Repeat("x", 1000)} {
		if _, err := timeline.ParseCategory(text); !errors.Is(err, fault.Malformed) || len(fault.Message(err)) > 500 {
			t.Errorf("%.10q: got %v", text, err)
		}
	}
}

func TestLongTextsAreCut(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.put(t, orders, "datasetProperties", `{"description":"`+strings.Repeat("é", 5000)+`"}`)
	found := f.timeline(t, timeline.Query{URN: orders})
	if got := found.Transactions[0].Events[0].Parameters[0].Value; got != strings.Repeat("é", 2048)+"…" {
		t.Errorf("got %v", got)
	}
}

func TestDiffsTellWhatChangedInAnAspect(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	for _, value := range []string{
		`{"tags":[{"tag":"urn:li:tag:a"},{"tag":"urn:li:tag:b"},{"tag":"urn:li:tag:c"}]}`,
		`{"tags":[{"tag":"urn:li:tag:b","context":"x"}]}`,
		`{"tags":[{"tag":"urn:li:tag:b"},{"tag":"urn:li:tag:d"}]}`,
	} {
		f.put(t, orders, "globalTags", value)
	}
	var got []string
	for _, tx := range f.timeline(t, timeline.Query{URN: orders, Diffs: true}).Transactions {
		for _, d := range tx.Diffs {
			got = append(got, fmt.Sprintf("%s %d %v", d.Aspect, d.Version, d.Patch))
		}
	}
	want(t, got, []string{
		"globalTags 1 [{add  map[tags:[map[tag:urn:li:tag:a] map[tag:urn:li:tag:b] map[tag:urn:li:tag:c]]]}]",
		"globalTags 2 [{add /tags/0/context x} {replace /tags/0/tag urn:li:tag:b} {remove /tags/2 <nil>} {remove /tags/1 <nil>}]",
		"globalTags 3 [{remove /tags/0/context <nil>} {add /tags/- map[tag:urn:li:tag:d]}]",
	})
}
