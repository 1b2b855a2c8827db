package rest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/rest"
	"github.com/cartulary/cartulary/pkg/fault"
)

// envelope is the JSON of a proposal, with changes: given members replace or add members, null
// removes them.
func envelope(t testing.TB, changes string) string {
	t.Helper()
	p := map[string]json.RawMessage{
		"entityType": json.RawMessage(`"tag"`),
		"entityUrn":  json.RawMessage(`"urn:li:tag:a"`),
		"changeType": json.RawMessage(`"UPSERT"`),
		"aspectName": json.RawMessage(`"status"`),
		"aspect":     json.RawMessage(`{"contentType":"application/json","value":"{\"removed\":false}"}`),
	}
	var over map[string]json.RawMessage
	if err := json.Unmarshal([]byte(changes), &over); err != nil {
		t.Fatalf("%s: %v", changes, err)
	}
	for name, value := range over {
		p[name] = value
		if string(value) == "null" {
			delete(p, name)
		}
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func readOne(t *testing.T, changes string) catalog.Proposal {
	t.Helper()
	got, _, err := rest.ReadProposals(strings.NewReader(`{"proposals":[`+envelope(t, changes)+`]}`), "proposals", false)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 {
		t.Fatalf("got %d proposals, want 1", len(got))
	}
	return got[0]
}

func TestProposalMembersArrive(t *testing.T) {
	t.Parallel()
	p := readOne(t, `{"headers":{"If-Version-Match":"3"},"auditHeader":{"any":["thing"]},
		"systemMetadata":{"lastObserved":5,"runId":"r","lastRunId":"q","pipelineName":"p","properties":{"clientId":"c"},
		"aspectCreated":{"time":1,"actor":"urn:li:corpuser:a","message":"m"},"notKnownYet":{}}}`)
	if p.EntityType != "tag" || p.URN != "urn:li:tag:a" || p.Change != model.Upsert || p.Aspect != "status" ||
		string(p.Value) != `{"removed":false}` || p.Conditions.Version == nil || *p.Conditions.Version != 3 {
		t.Errorf("got %+v", p)
	}
	if s := p.System; s.LastObserved != 5 || s.RunID != "r" || s.LastRunID != "q" || s.PipelineName != "p" || s.Properties["clientId"] != "c" {
		t.Errorf("system metadata: got %+v", s)
	}
}

func TestSystemMetadataAsText(t *testing.T) {
	t.Parallel()
	if p := readOne(t, `{"systemMetadata":"{\"lastObserved\": 0, \"runId\": \"r\"}"}`); p.System.RunID != "r" {
		t.Errorf("got run id %q, want r", p.System.RunID)
	}
	if p := readOne(t, `{"systemMetadata":""}`); p.System.RunID != "" {
		t.Errorf("got run id %q, want none", p.System.RunID)
	}
}

func TestKeyAspectInPlaceOfURN(t *testing.T) {
	t.Parallel()
	p := readOne(t, `{"entityUrn":null,"entityKeyAspect":{"contentType":"application/json","value":"{\"name\":\"a\"}"}}`)
	if p.URN != "" || string(p.Key) != `{"name":"a"}` {
		t.Errorf("got urn %q and key %s", p.URN, p.Key)
	}
}

func TestAspectTextIsReadAsUTF8(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ value, want string }{
		"escapes of the inner text stay":        {`"{\"name\":\"b\\u00fcc\"}"`, `{"name":"b\u00fcc"}`},
		"raw characters stay":                   {`"{\"name\":\"büc\"}"`, `{"name":"büc"}`},
		"characters above a byte stay":          {`"{\"name\":\"Ã¼ 日本\"}"`, `{"name":"Ã¼ 日本"}`},
		"bytes seen one by one become text":     {`"{\"name\":\"bÃ¼c\"}"`, `{"name":"büc"}`},
		"escaped bytes become text":             {`"{\"name\":\"\u00e6\u0097\u00a5\"}"`, `{"name":"日"}`},
		"bytes that are no UTF-8 stay as given": {`"{\"name\":\"Ã¼ü\"}"`, `{"name":"Ã¼ü"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := `{"proposals":[{"entityType":"tag","entityUrn":"urn:li:tag:a","changeType":"UPSERT","aspectName":"tagProperties",
				"aspect":{"contentType":"application/json","value":` + c.value + `}}]}`
			got, _, err := rest.ReadProposals(strings.NewReader(body), "proposals", false)
			if err != nil {
				t.Fatal(err)
			}
			if value := string(got[0].Value); value != c.want {
				t.Fatalf("got %s, want %s", value, c.want)
			}
		})
	}
}

func TestAsync(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`"true"`: true, `"True"`: true, `true`: true, `"false"`: false, `false`: false, `null`: false, `""`: false,
	} {
		for _, body := range []string{
			`{"async":` + text + `,"proposals":[]}`,
			`{"proposals":[],"async":` + text + `}`,
		} {
			_, got, err := rest.ReadProposals(strings.NewReader(body), "proposals", false)
			if err != nil || got != want {
				t.Errorf("%s: got %v, %v", body, got, err)
			}
		}
	}
}

func TestUnicodeSequencesAreUndoneInSingleProposalsOnly(t *testing.T) {
	t.Parallel()
	p := envelope(t, `{"entityUrn":"urn:li:tag:b\\u00fcc","systemMetadata":{"runId":"\\u65e5","properties":{"a":"\\ud83d\\ude00"}},
		"aspect":{"value":"{\"name\":\"b\\u00fcc\"}"}}`)
	single, _, err := rest.ReadProposals(strings.NewReader(`{"proposal":`+p+`}`), "proposal", true)
	if err != nil {
		t.Fatal(err)
	}
	if got := single[0]; got.URN != "urn:li:tag:büc" || got.System.RunID != "日" || got.System.Properties["a"] != "😀" || string(got.Value) != `{"name":"b\u00fcc"}` {
		t.Errorf("single: got %+v", got)
	}
	batch, _, err := rest.ReadProposals(strings.NewReader(`{"proposals":[`+p+`]}`), "proposals", false)
	if err != nil {
		t.Fatal(err)
	}
	if got := batch[0].URN; got != `urn:li:tag:b\u00fcc` {
		t.Errorf("batch: got %s", got)
	}
}

func TestUnescapeUnicode(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`plain`: `plain`, `\u00e9`: `é`, `a\u00e9b`: `aéb`, `\u12`: `\u12`, `\uzzzz`: `\uzzzz`, `\n\u0041`: `\nA`,
		`\ud83d\ude00!`: `😀!`, `\ufffd`: "\ufffd", `\u`: `\u`,
	} {
		if got, err := rest.UnescapeUnicode(text); got != want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{`\ud83d`, `\ud83dA`, `\ude00`, `\ude00\ud83d`, `\ud83d\u0041`} {
		if got, err := rest.UnescapeUnicode(text); !errors.Is(err, fault.Malformed) {
			t.Errorf("%s: got %q, %v, want it refused", text, got, err)
		}
	}
}

func TestProposalRefusals(t *testing.T) {
	t.Parallel()
	in := func(changes string) string {
		return `{"proposals":[` + envelope(t, "{}") + "," + envelope(t, changes) + `]}`
	}
	for name, c := range map[string]struct {
		body, want string
		kind       fault.Kind
	}{
		"no body":                      {"", "proposals is required", fault.Malformed},
		"no proposals":                 {`{"async":"true"}`, "proposals is required", fault.Malformed},
		"body is an array":             {`[]`, "must be an object", fault.Malformed},
		"not JSON":                     {`{"proposals":[}`, "not valid JSON", fault.Malformed},
		"cut off":                      {`{"proposals":[{"entityType":"t`, "ends too early", fault.Malformed},
		"text behind the object":       {`{"proposals":[]} x`, "more text", fault.Malformed},
		"proposals is an object":       {`{"proposals":{}}`, "proposals must be an array", fault.Malformed},
		"item is null":                 {`{"proposals":[null]}`, "proposals.0 must be an object, is null", fault.Malformed},
		"item is a number":             {`{"proposals":[7]}`, "proposals.0 must be an object, is number", fault.Malformed},
		"async is a word":              {`{"proposals":[],"async":"soon"}`, `async must be a boolean, is string "soon"`, fault.Malformed},
		"no entity type":               {in(`{"entityType":null}`), "proposals.1: entityType is required", fault.Malformed},
		"no URN":                       {in(`{"entityUrn":null}`), "proposals.1: entityUrn or entityKeyAspect is required", fault.Malformed},
		"no change type":               {in(`{"changeType":null}`), "proposals.1: changeType is required", fault.Malformed},
		"change type not known":        {in(`{"changeType":"MERGE"}`), `proposals.1: changeType must be UPSERT, CREATE, CREATE_ENTITY, UPDATE, PATCH, DELETE or RESTATE, is "MERGE"`, fault.Malformed},
		"no aspect name":               {in(`{"aspectName":null}`), "proposals.1: aspectName is required", fault.Malformed},
		"no aspect":                    {in(`{"aspect":null}`), "proposals.1: aspect with a value is required", fault.Malformed},
		"content type not known":       {in(`{"aspect":{"contentType":"text/xml","value":"<a/>"}}`), `proposals.1: aspect.contentType must be application/json or application/json-patch+json, is "text/xml"`, fault.Malformed},
		"URN is a number":              {in(`{"entityUrn":5}`), "proposals.1.entityUrn must be a string, is number", fault.Malformed},
		"value is an object":           {in(`{"aspect":{"value":{"removed":true}}}`), "proposals.1.aspect.value must be a string, is object", fault.Malformed},
		"headers is a list":            {in(`{"headers":[]}`), "proposals.1.headers must be an object, is array", fault.Malformed},
		"system metadata is a list":    {in(`{"systemMetadata":[]}`), "proposals.1", fault.Malformed},
		"system metadata is bad text":  {in(`{"systemMetadata":"{"}`), "proposals.1", fault.Malformed},
		"run id is a number":           {in(`{"systemMetadata":{"runId":5}}`), "runId must be a string, is number", fault.Malformed},
		"member not known":             {in(`{"aspects":{}}`), "ERROR :: /proposals/1/aspects :: unrecognized field found but not allowed", fault.Malformed},
		"member of aspect not known":   {in(`{"aspect":{"json":{}}}`), "unrecognized field found but not allowed", fault.Malformed},
		"nested beyond reason":         {`{"proposals":[{"auditHeader":` + strings.Repeat("[", 20_000) + `}]}`, "depth", fault.Malformed},
		"undeclared member is no JSON": {`{"x":tru,"proposals":[]}`, "not valid JSON", fault.Malformed},
		"more items than accepted":     {`{"proposals":[` + strings.Repeat(envelope(t, "{}")+",", 10_000) + `{}]}`, "more than 10000", fault.TooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := rest.ReadProposals(strings.NewReader(c.body), "proposals", false)
			if !errors.Is(err, c.kind) || !strings.Contains(fault.Message(err), c.want) {
				t.Fatalf("got %v, want a %v error with %q", err, c.kind, c.want)
			}
		})
	}
}

func TestBodyOverTheLimitIsNoSyntaxError(t *testing.T) {
	t.Parallel()
	body := batchBody(1)
	for _, limit := range []int{1, 14, len(body) / 2, len(body) - 1} {
		limited := http.MaxBytesReader(nil, io.NopCloser(strings.NewReader(body)), int64(limit))
		_, _, err := rest.ReadProposals(limited, "proposals", false)
		var tooLong *http.MaxBytesError
		if !errors.As(err, &tooLong) {
			t.Errorf("limit %d: got %v, want a MaxBytesError", limit, err)
		}
	}
}

func FuzzReadProposals(f *testing.F) {
	f.Add(`{"proposals":[`+envelope(f, "{}")+`],"async":"true"}`, false)
	f.Add(`{"proposal":`+envelope(f, `{"systemMetadata":"{}","entityUrn":"\\u00fc"}`)+`}`, true)
	f.Add(`{"proposals":[{"a":1}]}`, false)
	f.Add(`{"proposal":{"aspect":{"value":"0"},"aspectName":"0","changeType":"UPSERT","entityType":"0","entityUrn":"0","systemMetadata":"{}}}`, true)
	f.Fuzz(func(t *testing.T, body string, single bool) {
		member := "proposals"
		if single {
			member = "proposal"
		}
		proposals, async, err := rest.ReadProposals(strings.NewReader(body), member, single)
		any, anyAsync, anyErr := rest.ReadAny(strings.NewReader(body), member, single)
		if !reflect.DeepEqual(proposals, any) || async != anyAsync || fmt.Sprint(err) != fmt.Sprint(anyErr) {
			t.Fatalf("got %+v, %t, %v, want %+v, %t, %v", proposals, async, err, any, anyAsync, anyErr)
		}
		if err != nil {
			if fault.KindOf(err) == fault.Internal {
				t.Fatalf("%v counts as a defect of the service", err)
			}
			return
		}
		for _, p := range proposals {
			if p.EntityType == "" || !p.Change.Valid() || p.URN == "" && p.Key == nil {
				t.Fatalf("accepted %+v", p)
			}
		}
	})
}

func TestUsualBodiesAreReadAtOnceAndAllAlike(t *testing.T) {
	t.Parallel()
	plain := func(rest string) string {
		return `{"proposals":[{"entityType":"tag","entityUrn":"urn:li:tag:a","changeType":"UPSERT","aspectName":"status","aspect":{"value":"{}"}` + rest + `}]}`
	}
	for name, c := range map[string]struct {
		body  string
		plain bool
	}{
		"a batch of ingestion":           {batchBody(3), true},
		"no proposals":                   {` { "proposals" : [ ] } `, true},
		"async as JSON":                  {`{"async":true,"proposals":[]}`, true},
		"async in capitals":              {`{"async":"TRUE","proposals":[]}`, false},
		"null members":                   {plain(`,"headers":null,"auditHeader":null,"entityKeyAspect":null,"systemMetadata":null`), true},
		"metadata as text":               {plain(`,"systemMetadata":"{\"runId\":\"r\",\"lastObserved\":7}"`), true},
		"metadata as empty text":         {plain(`,"systemMetadata":""`), true},
		"metadata with more members":     {plain(`,"systemMetadata":{"newer":1,"runId":"r"}`), false},
		"metadata with a fraction":       {plain(`,"systemMetadata":{"lastObserved":1.5}`), false},
		"a member in capitals":           {plain(`,"HEADERS":{"a":"b"}`), false},
		"a member twice":                 {plain(`,"aspect":{"contentType":"application/json"}`), false},
		"headers with a null":            {plain(`,"headers":{"a":null}`), false},
		"a member that is not known":     {plain(`,"other":1`), false},
		"an emoji as an escape":          {plain(`,"headers":{"a":"\ud83d\ude00"}`), false},
		"characters outside of ASCII":    {plain(`,"headers":{"a":"\u00e9é"}`), true},
		"UTF-8 seen byte by byte":        {strings.Replace(plain(""), `"{}"`, `"{\"a\":\"\u00c3\u00a9Ã©\"}"`, 1), true},
		"a control character":            {plain(",\"headers\":{\"a\":\"\x01\"}"), false},
		"text behind the object":         {plain("") + "x", false},
		"an end too early":               {plain("")[:60], false},
		"a quote that is escaped at end": {`{"proposals":[{"entityType":"tag\`, false},
		"no type":                        {`{"proposals":[{"entityUrn":"urn:li:tag:a"}]}`, false},
		"another change type":            {strings.Replace(plain(""), "UPSERT", "MERGE", 1), false},
		"a large batch":                  {batchBody(600), true},
		"more than is held as a whole":   {strings.Replace(plain(""), `"{}"`, `"{}`+strings.Repeat(" ", 4<<20)+`"`, 1), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _, ok := rest.ReadPlain([]byte(c.body), "proposals", false)
			want, _, err := rest.ReadAny(strings.NewReader(c.body), "proposals", false)
			if ok != c.plain || ok && (err != nil || !reflect.DeepEqual(got, want)) {
				t.Errorf("got %t, %+v, want %t, %+v, %v", ok, got, c.plain, want, err)
			}
			again, _, againErr := rest.ReadProposals(iotest.HalfReader(strings.NewReader(c.body)), "proposals", false)
			if !reflect.DeepEqual(again, want) || fmt.Sprint(againErr) != fmt.Sprint(err) {
				t.Errorf("from a stream got %+v, %v, want %+v, %v", again, againErr, want, err)
			}
		})
	}
}

func TestBodiesOfAFewMegabytesAreHeldAsAWhole(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]bool{0: true, 100: true, 300 << 10: true, 3 << 20: true, 5 << 20: false} {
		body := strings.Repeat("x", size)
		head, whole, rest := rest.ReadHead(iotest.HalfReader(strings.NewReader(body)))
		if whole != want || whole && string(head) != body {
			t.Errorf("%d bytes: whole %t, %d bytes held", size, whole, len(head))
		}
		if cap(head) > 2*len(head)+4<<10 && len(head) > 300<<10 {
			t.Errorf("%d bytes take a buffer of %d", len(head), cap(head))
		}
		if again, err := io.ReadAll(rest); err != nil || string(again) != body {
			t.Errorf("%d bytes: %d come again, %v", size, len(again), err)
		}
	}
}

// batchBody is a batch in the form that ingestion sends.
func batchBody(n int) string {
	var b strings.Builder
	b.WriteString(`{"proposals": [`)
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, `{"entityType": "dataset", "entityUrn": "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders_%d,PROD)", "changeType": "UPSERT",
			"aspectName": "datasetProperties", "aspect": {"value": "{\"customProperties\": {\"encoding\": \"utf-8\", \"owner\": \"sales\"}, \"name\": \"orders_%d\", \"description\": \"One row for each order that was placed, with its state and the total in cents.\", \"tags\": []}", "contentType": "application/json"},
			"systemMetadata": {"lastObserved": 1765000000000, "runId": "file-2026_08_13-10_00_00-abc123", "lastRunId": "no-run-id-provided", "properties": {"clientId": "acryl-datahub", "clientVersion": "1.7.0"}}}`, i, i)
	}
	b.WriteString(`], "async": "true"}`)
	return b.String()
}

// BenchmarkReadBatchOf100 reads a batch in its usual form, and with the function that accepts
// every form.
func BenchmarkReadBatchOf100(b *testing.B) {
	body := batchBody(100)
	for name, read := range map[string]func(io.Reader, string, bool) ([]catalog.Proposal, bool, error){
		"usual": rest.ReadProposals, "any form": rest.ReadAny,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := read(strings.NewReader(body), "proposals", false); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
