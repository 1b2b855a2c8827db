package patch_test

import (
	"strings"
	"testing"
)

// group returns a stored element of fine-grained lineage.
func group(operation, down, query, score string, ups ...string) string {
	o := `{"upstreamType":"FIELD_SET","downstreamType":"FIELD","downstreams":["` + down + `"],"upstreams":["` + strings.Join(ups, `","`) + `"]`
	if operation != "" {
		o += `,"transformOperation":"` + operation + `"`
	}
	if query != "" {
		o += `,"query":"` + query + `"`
	}
	return o + `,"confidenceScore":` + score + `}`
}

func lineage(groups ...string) string {
	return `{"upstreams":[],"fineGrainedLineages":[` + strings.Join(groups, ",") + `]}`
}

const loose = `{"upstreamType":"NONE","downstreamType":"FIELD","downstreams":["` + fieldB + `"]}`

func TestFineGrainedLineage(t *testing.T) {
	t.Parallel()
	add := func(operation, down, query, up, value string) string {
		return `{"op":"add","path":"/fineGrainedLineages/` + operation + `/` + down + `/` + query + `/` + up + `","value":` + value + `}`
	}
	tell(t, []story{
		{"the first edge", "upstreamLineage", ``, `[` + add("NONE", fieldB, "NONE", fieldA, `{"confidenceScore":1.0}`) + `]`,
			lineage(group("", fieldB, "", "1", fieldA))},
		{"operation and query", "upstreamLineage", ``, `[` + add("COPY", fieldB, queryA, fieldA, `{"confidenceScore":0.5,"upstreamType":"FIELD_SET","downstreamType":"FIELD_SET"}`) + `]`,
			strings.Replace(lineage(group("COPY", fieldB, queryA, "0.5", fieldA)), `"FIELD"`, `"FIELD_SET"`, 1)},
		{"the lowest confidence of a group counts", "upstreamLineage", lineage(group("", fieldB, "", "0.9", fieldA)),
			`[` + add("NONE", fieldB, "NONE", fieldC, `{"confidenceScore":0.2}`) + `]`,
			lineage(group("", fieldB, "", "0.2", fieldA, fieldC))},
		{"a higher confidence does not raise it", "upstreamLineage", lineage(group("", fieldB, "", "0.2", fieldA)),
			`[` + add("NONE", fieldB, "NONE", fieldC, `{"confidenceScore":0.9}`) + `]`,
			lineage(group("", fieldB, "", "0.2", fieldA, fieldC))},
		{"confidence as text", "upstreamLineage", ``, `[` + add("NONE", fieldB, "NONE", fieldA, `{"confidenceScore":"0.25"}`) + `]`,
			lineage(group("", fieldB, "", "0.25", fieldA))},
		{"an upstream goes", "upstreamLineage", lineage(group("", fieldB, "", "1", fieldA, fieldC)),
			`[{"op":"remove","path":"/fineGrainedLineages/NONE/` + fieldB + `/NONE/` + fieldA + `"}]`,
			lineage(group("", fieldB, "", "1", fieldC))},
		{"a group without upstreams disappears", "upstreamLineage", lineage(group("", fieldB, "", "1", fieldA), group("COPY", fieldB, "", "1", fieldA)),
			`[{"op":"remove","path":"/fineGrainedLineages/NONE/` + fieldB + `/NONE/` + fieldA + `"}]`,
			lineage(group("COPY", fieldB, "", "1", fieldA))},
		{"a whole downstream goes", "upstreamLineage", lineage(group("", fieldB, "", "1", fieldA), group("", fieldC, "", "1", fieldA)),
			`[{"op":"remove","path":"/fineGrainedLineages/NONE/` + fieldB + `"}]`,
			lineage(group("", fieldC, "", "1", fieldA))},
		{"what is not there goes too", "upstreamLineage", ``, `[{"op":"remove","path":"/fineGrainedLineages/NONE/` + fieldB + `/NONE/` + fieldA + `"}]`, lineage()},
		{"a stored element with two downstreams is split", "upstreamLineage",
			strings.Replace(lineage(group("", fieldB, "", "0.7", fieldA)), `"downstreams":["`+fieldB+`"]`, `"downstreams":["`+fieldB+`","`+fieldC+`"]`, 1), `[]`,
			lineage(group("", fieldB, "", "0.7", fieldA), group("", fieldC, "", "0.7", fieldA))},
		{"elements without both sides are kept", "upstreamLineage", lineage(loose, group("", fieldB, "", "1", fieldA), loose), `[]`,
			lineage(loose, group("", fieldB, "", "1", fieldA), loose)},
		{"what is stored keeps its place, whatever its operation", "upstreamLineage",
			lineage(group("B", fieldB, "", "1", fieldA), group("A", fieldB, "", "1", fieldA), group("B", fieldC, "", "1", fieldA)),
			`[` + add("B", fieldA, "NONE", fieldB, `{}`) + `,` + add("B", fieldC, "NONE", fieldB, `{}`) + `]`,
			lineage(group("B", fieldB, "", "1", fieldA), group("A", fieldB, "", "1", fieldA), group("B", fieldC, "", "1", fieldA, fieldB), group("B", fieldA, "", "1", fieldB))},
		{"the reserved key takes nothing", "upstreamLineage", lineage(loose),
			`[{"op":"add","path":"/fineGrainedLineages/\u0000/x/y/z","value":{}},{"op":"add","path":"/fineGrainedLineages/\u0000/0/y/z","value":{}},{"op":"remove","path":"/fineGrainedLineages/\u0000/9"}]`,
			lineage()},
		{"the whole array is replaced", "upstreamLineage", lineage(group("", fieldB, "", "1", fieldA)),
			`[{"op":"replace","path":"/fineGrainedLineages","value":[` + group("", fieldC, "", "0.4", fieldA) + `]},` + add("NONE", fieldC, "NONE", fieldB, `{}`) + `]`,
			lineage(group("", fieldC, "", "0.4", fieldA, fieldB))},
		{"several upstreams at once", "upstreamLineage", ``,
			`[{"op":"add","path":"/fineGrainedLineages/NONE/` + fieldB + `/NONE","value":{"` + fieldA + `":{"confidenceScore":0.5},"` + fieldC + `":{}}}]`,
			lineage(group("", fieldB, "", "0.5", fieldA, fieldC))},
		{"a copy of a downstream", "upstreamLineage", lineage(group("", fieldB, "", "1", fieldA)),
			`[{"op":"copy","from":"/fineGrainedLineages/NONE/` + fieldB + `","path":"/fineGrainedLineages/COPY/` + fieldB + `"}]`,
			lineage(group("", fieldB, "", "1", fieldA), group("COPY", fieldB, "", "1", fieldA))},
		{"lineage of a job", "dataJobInputOutput", `{"inputDatasets":[],"outputDatasets":[],"inputDatasetFields":["` + fieldA + `"]}`,
			`[` + add("COPY", fieldB, "NONE", fieldA, `{"confidenceScore":1}`) + `]`,
			`{"inputDatasets":[],"outputDatasets":[],"inputDatasetFields":["` + fieldA + `"],"fineGrainedLineages":[` + group("COPY", fieldB, "", "1", fieldA) + `]}`},
	})
}
