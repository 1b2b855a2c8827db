package rule_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ruleCase is a write after others, with the expected decision of the rules.
type ruleCase struct {
	name   string
	before []catalog.Proposal
	as     urn.URN // the administrator when empty
	write  catalog.Proposal
	kind   fault.Kind // Invalid if refused is set and kind is 0
	// refused is part of the message; empty if the write is to pass.
	refused string
	// then is the value stored afterwards, not checked if empty.
	then string
}

func runRules(t *testing.T, cases []ruleCase) {
	t.Helper()
	t.Parallel()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := catalogtest.New(t, catalogtest.InMemory())
			for _, p := range c.before {
				f.MustAs(model.SystemActor, p)
			}
			actor := c.as
			if actor == "" {
				actor = root
			}
			if c.refused != "" {
				kind := c.kind
				if kind == 0 {
					kind = fault.Invalid
				}
				f.RefuseAs(f.As(actor), kind, c.refused, c.write)
				return
			}
			f.MustAs(actor, c.write)
			if c.then != "" {
				f.WantValue(urn.URN(c.write.URN), c.write.Aspect, c.then)
			}
		})
	}
}

func schema(paths ...string) string {
	fields := make([]string, len(paths))
	for i, path := range paths {
		fields[i] = fmt.Sprintf(`{"fieldPath":%q,"type":{"type":{"com.linkedin.schema.StringType":{}}},"nativeDataType":"text"}`, path)
	}
	return `{"schemaName":"s","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"fields":[` +
		strings.Join(fields, ",") + `]}`
}

func TestFieldPaths(t *testing.T) {
	editable := func(paths ...string) string {
		fields := make([]string, len(paths))
		for i, path := range paths {
			fields[i] = fmt.Sprintf(`{"fieldPath":%q}`, path)
		}
		return `{"editableSchemaFieldInfo":[` + strings.Join(fields, ",") + `]}`
	}
	runRules(t, []ruleCase{
		{name: "different paths pass", write: catalogtest.Proposal(dataset, "schemaMetadata", schema("a", "b"))},
		{name: "an empty path is refused", write: catalogtest.Proposal(dataset, "schemaMetadata", schema("a", "")), refused: "/fields/*/fieldPath :: must not be empty"},
		{name: "a repeated path is refused", write: catalogtest.Proposal(dataset, "schemaMetadata", schema("a", "a")), refused: `found "a" twice`},
		{name: "edited paths pass", write: catalogtest.Proposal(dataset, "editableSchemaMetadata", editable("a", "b"))},
		{name: "an empty edited path is refused", write: catalogtest.Proposal(dataset, "editableSchemaMetadata", editable("")), refused: "must not be empty"},
		{name: "a repeated edited path is refused", write: catalogtest.Proposal(dataset, "editableSchemaMetadata", editable("a", "a")), refused: "twice"},
		{
			name:    "a patch with an empty path is refused",
			write:   catalogtest.Proposal(dataset, "editableSchemaMetadata", `[{"op":"add","path":"/editableSchemaFieldInfo/","value":{"fieldPath":""}}]`, model.Patch),
			refused: "must not be empty",
		},
		{
			name: "a patch keeps the first of repeated paths",
			write: catalogtest.Proposal(dataset, "editableSchemaMetadata", `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/editableSchemaFieldInfo",
				"value":[{"fieldPath":"a","description":"1"},{"fieldPath":"a","description":"2"}]}]}`, model.Patch),
			then: `{"editableSchemaFieldInfo":[{"description":"1","fieldPath":"a"}],"created":{"actor":"urn:li:corpuser:__datahub_system","time":1800000000000},"lastModified":{"actor":"urn:li:corpuser:__datahub_system","time":1800000000000}}`,
		},
	})
}

func TestExecutionResults(t *testing.T) {
	const run = urn.URN("urn:li:dataHubExecutionRequest:r1")
	result := func(status string) catalog.Proposal {
		return catalogtest.Proposal(run, "dataHubExecutionRequestResult", `{"status":"`+status+`","durationMs":1}`)
	}
	again := catalogtest.Proposal(run, "dataHubExecutionRequestResult", `{"status":"SUCCESS","durationMs":2}`)
	runRules(t, []ruleCase{
		{name: "a running execution may succeed", before: []catalog.Proposal{result("RUNNING")}, write: result("SUCCESS")},
		{name: "a finished one does not run again", before: []catalog.Proposal{result("SUCCESS")}, write: result("RUNNING"), refused: "ended as SUCCESS cannot become RUNNING"},
		{name: "an aborted one does not succeed", before: []catalog.Proposal{result("ABORTED")}, write: result("SUCCESS"), refused: "cannot become"},
		{name: "a cancelled one does not fail", before: []catalog.Proposal{result("CANCELLED")}, write: result("FAILURE"), refused: "cannot become"},
		{name: "a duplicate does not run", before: []catalog.Proposal{result("DUPLICATE")}, write: result("RUNNING"), refused: "cannot become"},
		{name: "a failed one may run again", before: []catalog.Proposal{result("FAILURE")}, write: result("RUNNING")},
		{name: "a finished one may be rolled back", before: []catalog.Proposal{result("SUCCESS")}, write: result("ROLLING_BACK")},
		{name: "the same final state is dropped", before: []catalog.Proposal{result("SUCCESS")}, write: again, then: `{"status":"SUCCESS","durationMs":1}`},
	})
}

func TestPropertySettings(t *testing.T) {
	const a, b = urn.URN("urn:li:structuredProperty:a"), urn.URN("urn:li:structuredProperty:b")
	badge := `{"showAsAssetBadge":true}`
	runRules(t, []ruleCase{
		{name: "hidden alone passes", write: catalogtest.Proposal(a, "structuredPropertySettings", `{"isHidden":true}`)},
		{name: "shown passes", write: catalogtest.Proposal(a, "structuredPropertySettings", `{"showInSearchFilters":true,"showInColumnsTable":true}`)},
		{name: "hidden and in filters is refused", write: catalogtest.Proposal(a, "structuredPropertySettings", `{"isHidden":true,"showInSearchFilters":true}`), refused: "/showInSearchFilters"},
		{name: "hidden and in the summary is refused", write: catalogtest.Proposal(a, "structuredPropertySettings", `{"isHidden":true,"showInAssetSummary":true}`), refused: "/showInAssetSummary"},
		{name: "hidden and a badge is refused", write: catalogtest.Proposal(a, "structuredPropertySettings", `{"isHidden":true,"showAsAssetBadge":true}`), refused: "/showAsAssetBadge"},
		{name: "hidden and a column is refused", write: catalogtest.Proposal(a, "structuredPropertySettings", `{"isHidden":true,"showInColumnsTable":true}`), refused: "/showInColumnsTable"},
		{name: "one badge passes", before: []catalog.Proposal{catalogtest.Proposal(a, "structuredPropertySettings", `{}`)}, write: catalogtest.Proposal(b, "structuredPropertySettings", badge)},
		{name: "the badge may be written again", before: []catalog.Proposal{catalogtest.Proposal(a, "structuredPropertySettings", badge)}, write: catalogtest.Proposal(a, "structuredPropertySettings", badge)},
		{name: "a second badge is refused", before: []catalog.Proposal{catalogtest.Proposal(a, "structuredPropertySettings", badge)}, write: catalogtest.Proposal(b, "structuredPropertySettings", badge), refused: string(a)},
	})
}

func TestFormPrompts(t *testing.T) {
	form := func(ids ...string) string {
		prompts := make([]string, len(ids))
		for i, id := range ids {
			prompts[i] = fmt.Sprintf(`{"id":%q,"title":"t","type":"STRUCTURED_PROPERTY"}`, id)
		}
		return `{"name":"f","prompts":[` + strings.Join(prompts, ",") + `]}`
	}
	runRules(t, []ruleCase{
		{name: "different ids pass", write: catalogtest.Proposal("urn:li:form:f", "formInfo", form("a", "b"))},
		{name: "repeated ids are refused", write: catalogtest.Proposal("urn:li:form:f", "formInfo", form("a", "a")), refused: `"a" twice`},
	})
}

func TestPictureLinks(t *testing.T) {
	link := func(text string) catalog.Proposal {
		return catalogtest.Proposal(jo, "corpUserEditableInfo", fmt.Sprintf(`{"pictureLink":%q}`, text))
	}
	var cases []ruleCase
	for _, good := range []string{
		"", "  ", "https://pictures.example.com/a.png", "https://pictures.example.com./a.png", "https://8.8.8.8/a", "https://[2606:4700::1]/a",
		"assets/platforms/default_avatar.png", "/assets/platforms/default_avatar.png", "assets/platforms/hive.svg?v=1",
	} {
		cases = append(cases, ruleCase{name: "passes: " + good, write: link(good)})
	}
	for _, bad := range []string{
		"http://pictures.example.com/a", "ftp://pictures.example.com/a", "https:///a", "https://localhost/a", "https://db/a", "https://db.internal/a",
		"https://127.0.0.1/a", "https://10.1.2.3/a", "https://192.168.1.1/", "https://169.254.169.254/latest", "https://[::1]/a", "https://[fe80::1%25eth0]/",
		"https://100.64.0.1/", "https://[::ffff:10.0.0.1]/", "https://2130706433/", "https://0x7f.1/", "https://example.com../a", "https://a..b/c", "https://../",
		"assets/../../etc", "assets/%2e%2e/api", "/assets/..%2fapi", "//assets/a.png", "/\\assets/a.png", "assets/\\..\\a.png", "assets", "other/assets/a.png", "x@assets/a.png", "javascript:alert(1)", "https://%zz/", "https://[2001:db8::1]/",
	} {
		cases = append(cases, ruleCase{name: "is refused: " + bad, write: link(bad), refused: "/pictureLink"})
	}
	cases = append(cases, ruleCase{
		name:    "groups are checked, too",
		write:   catalogtest.Proposal("urn:li:corpGroup:g", "corpGroupEditableInfo", `{"pictureLink":"http://example.com/a"}`),
		refused: "https link",
	})
	runRules(t, cases)
}

func TestPrivilegedFlags(t *testing.T) {
	info := func(extra string) string { return `{"active":true` + extra + `}` }
	boss := catalogtest.Proposal(root, "corpUserInfo", info(`,"system":true`))
	helper := catalogtest.Proposal(root, "corpUserInfo", info(`,"isSupportUser":true`))
	runRules(t, []ruleCase{
		{name: "a plain user passes", write: catalogtest.Proposal(jo, "corpUserInfo", info(""))},
		{name: "a system user may raise the system flag", before: []catalog.Proposal{boss}, write: catalogtest.Proposal(jo, "corpUserInfo", info(`,"system":true`))},
		{name: "another user may not", write: catalogtest.Proposal(jo, "corpUserInfo", info(`,"system":true`)), kind: fault.Forbidden, refused: "only a system user"},
		{name: "a support user may make support users", before: []catalog.Proposal{helper}, write: catalogtest.Proposal(jo, "corpUserInfo", info(`,"isSupportUser":true`))},
		{name: "a support user may not make system users", before: []catalog.Proposal{helper}, write: catalogtest.Proposal(jo, "corpUserInfo", info(`,"system":true`)), kind: fault.Forbidden, refused: "only a system user"},
		{name: "another user may not make support users", write: catalogtest.Proposal(jo, "corpUserInfo", info(`,"isSupportUser":true`)), kind: fault.Forbidden, refused: "support user"},
		{name: "a flag that stands may stay", before: []catalog.Proposal{catalogtest.Proposal(jo, "corpUserInfo", info(`,"system":true`))}, write: catalogtest.Proposal(jo, "corpUserInfo", info(`,"system":true,"title":"x"`))},
	})
}

const statusStamp = `"lastModified":{"time":1,"actor":"urn:li:corpuser:datahub"}}`

func TestSystemUsersStay(t *testing.T) {
	system := catalogtest.Proposal(jo, "corpUserInfo", `{"active":true,"system":true}`)
	plain := catalogtest.Proposal(jo, "corpUserInfo", `{"active":true}`)
	runRules(t, []ruleCase{
		{name: "a system user cannot be deleted", before: []catalog.Proposal{system}, write: catalogtest.Proposal(jo, "corpUserKey", "", model.Delete), refused: "System users can not be deleted"},
		{name: "nor can the aspect that says so", before: []catalog.Proposal{system}, write: catalogtest.Proposal(jo, "corpUserInfo", "", model.Delete), refused: "System users can not be deleted"},
		{name: "another user can", before: []catalog.Proposal{plain}, write: catalogtest.Proposal(jo, "", "", model.Delete)},
		{name: "it cannot be soft-deleted", before: []catalog.Proposal{system}, write: catalogtest.Proposal(jo, "status", `{"removed":true}`), refused: "is a system user and cannot be suspended"},
		{name: "it cannot be suspended", before: []catalog.Proposal{system}, write: catalogtest.Proposal(jo, "corpUserStatus", `{"status":"SUSPENDED",`+statusStamp), refused: "is a system user and cannot be suspended"},
		{name: "it stays part of the system", before: []catalog.Proposal{system}, write: plain, then: `{"active":true,"system":true}`},
		{name: "it can be active", before: []catalog.Proposal{system}, write: catalogtest.Proposal(jo, "corpUserStatus", `{"status":"ACTIVE",`+statusStamp)},
		{name: "another user can be soft-deleted", before: []catalog.Proposal{plain}, write: catalogtest.Proposal(jo, "status", `{"removed":true}`)},
		{name: "another user can be suspended", before: []catalog.Proposal{plain}, write: catalogtest.Proposal(jo, "corpUserStatus", `{"status":"SUSPENDED",`+statusStamp)},
	})
}

func TestColumnLinks(t *testing.T) {
	const other = "urn:li:dataset:(urn:li:dataPlatform:hive,sales.parent,PROD)"
	column := func(of, path string) urn.URN { return urn.URN("urn:li:schemaField:(" + of + "," + path + ")") }
	link := func(to urn.URN) string {
		return `{"parent":{"destinationUrn":"` + string(to) + `"}}`
	}
	both := []catalog.Proposal{catalogtest.Proposal(dataset, "schemaMetadata", schema("a")), catalogtest.Proposal(other, "schemaMetadata", schema("b"))}
	runRules(t, []ruleCase{
		{name: "columns that exist may be linked", before: both, write: catalogtest.Proposal(column(dataset, "a"), "logicalParent", link(column(other, "b")))},
		{name: "an absent column is refused", before: both, write: catalogtest.Proposal(column(dataset, "x"), "logicalParent", link(column(other, "b"))), refused: `no column "x"`},
		{name: "an absent parent is refused", before: both, write: catalogtest.Proposal(column(dataset, "a"), "logicalParent", link(column(other, "y"))), refused: `no column "y"`},
		{name: "a parent of another kind is refused", before: both, write: catalogtest.Proposal(column(dataset, "a"), "logicalParent", link(other)), refused: "must be"},
		{name: "no parent passes", write: catalogtest.Proposal(column(dataset, "a"), "logicalParent", `{}`)},
		{name: "a column for the parent of a dataset is refused", before: both, write: catalogtest.Proposal(dataset, "logicalParent", link(column(other, "b"))), refused: "must be a dataset"},
		{name: "an own parent is refused", before: both, write: catalogtest.Proposal(dataset, "logicalParent", link(dataset)), refused: "cannot implement itself"},
		{name: "datasets are not compared", write: catalogtest.Proposal(dataset, "logicalParent", link(other))},
	})
}

func TestServiceDefinitions(t *testing.T) {
	zip := func(text string) []byte {
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return zipped.Bytes()
	}
	encode := base64.StdEncoding.EncodeToString
	zipped := zip(strings.Repeat("a", 1000))
	definition := func(compression, blob string) catalog.Proposal {
		return catalogtest.Proposal("urn:li:service:s", "serviceDefinition", fmt.Sprintf(`{"format":"OPENAPI","rawSpec":{"compression":%q,"blob":%q}}`, compression, blob))
	}
	runRules(t, []ruleCase{
		{name: "plain text passes", write: definition("NONE", "openapi: 3")},
		{name: "gzip passes", write: definition("GZIP", encode(zipped))},
		{name: "what is not base64 is refused", write: definition("GZIP", "***"), refused: "/rawSpec/blob"},
		{name: "what is not gzip is refused", write: definition("GZIP", encode([]byte("plain"))), refused: "base64 of gzip"},
		{name: "a cut text is refused", write: definition("GZIP", encode(zipped[:len(zipped)-6])), refused: "base64 of gzip"},
		{name: "a text that unfolds to a thousand times its length is refused", write: definition("GZIP", encode(zip(strings.Repeat("a", 10<<20)))), refused: "100 times its length"},
	})
}
