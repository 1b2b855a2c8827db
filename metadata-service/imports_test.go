package main_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const internal = "github.com/cartulary/cartulary/metadata-service/internal/"

// mayImport says which packages of this module each package may import. A
// package that is not listed, or an edge that is not, fails the test: the
// architecture is this table. Arrows go one way: transports to services and the
// catalog, the catalog to the ports, ports to the model. Transports do not know
// each other, nor any driver; drivers know the ports alone.
var mayImport = map[string][]string{
	"jsontree":    {},
	"yamltree":    {"jsontree"},
	"model":       {"jsontree"},
	"model/patch": {"jsontree", "model"},
	// Values of every aspect, for tests.
	"model/modeltest": {"jsontree", "model"},
	// Values without the URNs that an actor must not see.
	"model/redact": {"jsontree", "model"},
	// What became of columns, for change events and timelines.
	"model/columns": {"jsontree"},
	"auth":          {"search"},

	// What happened, for people who look after the catalog.
	"audit":           {"auth", "background", "disk", "idle", "model", "projection", "store"},
	"audit/audittest": {"audit"},

	// What every package that writes files says when that fails.
	"disk":          {},
	"disk/disktest": {},

	// Contexts that end in the middle of a loop, for the suites.
	"canceltest": {},

	// Times in which a request waits and computes nothing.
	"idle": {},

	// How large regular expressions become before they are compiled.
	"regexpsize": {},

	// Who starts goroutines owns them by this.
	"background": {},

	// Long work, with the port that keeps it and its suite.
	"task":          {"auth", "background", "disk", "idle"},
	"task/tasktest": {"auth", "task"},

	// Small operational state that is no metadata.
	"records":             {"disk"},
	"records/recordstest": {"records"},

	// Ports, with the suites that every driver passes.
	"store":                     {"jsontree", "model"},
	"store/storetest":           {"model", "store"},
	"graph":                     {"model"},
	"graph/graphtest":           {"canceltest", "graph", "model", "store"},
	"graph/lineage":             {"graph", "idle", "model"},
	"search":                    {"search/analysis"},
	"search/analysis":           {},
	"search/query":              {"regexpsize", "search", "search/analysis"},
	"webhook":                   {"idle"},
	"metatest/starter":          {},
	"metatest":                  {"jsontree", "model", "regexpsize", "search", "search/document", "webhook", "yamltree"},
	"search/document":           {"jsontree", "model", "search"},
	"search/relevance":          {"jsontree", "model", "search", "search/sample", "store"},
	"search/sample":             {"search"},
	"search/searchtest":         {"canceltest", "search"},
	"timeseries":                {"model"},
	"timeseries/timeseriestest": {"model", "timeseries"},

	// Drivers, which never import each other; those of one technology share what is below their internal.
	"driver/bolt":                            {"disk", "driver/bolt/internal/dbfile", "graph", "idle", "model", "store"},
	"driver/bolt/trail":                      {"audit", "disk", "driver/bolt/internal/auxfile"},
	"driver/bolt/tasks":                      {"disk", "driver/bolt/internal/auxfile", "task"},
	"driver/bolt/records":                    {"disk", "driver/bolt/internal/auxfile", "records"},
	"driver/bolt/internal/auxfile":           {"disk", "driver/bolt/internal/dbfile"},
	"driver/bolt/series":                     {"disk", "driver/bolt/internal/dbfile", "timeseries"},
	"driver/bolt/internal/dbfile":            {"background", "disk"},
	"driver/bolt/internal/dbfile/dbfiletest": {},
	"driver/memory":                          {"audit", "disk", "graph", "model", "store", "task", "timeseries"},
	"driver/roaring":                         {"background", "disk", "idle", "search", "search/analysis", "search/query"},

	// The kernel, and what follows its log.
	// The kernel knows the rule book, the rules know nobody but the model.
	"catalog":            {"auth", "catalog/failure", "catalog/proposal", "catalog/rule", "graph", "idle", "jsontree", "model", "model/patch", "model/redact", "store", "timeseries"},
	"catalog/failure":    {"records"},
	"catalog/proposal":   {"catalog/rule", "jsontree", "model", "model/patch", "store"},
	"catalog/rule":       {"jsontree", "metatest", "model", "model/patch"},
	"catalog/retention":  {"catalog", "jsontree", "model", "store"},
	"catalog/run":        {"auth", "catalog", "model", "store", "timeseries"},
	"catalog/seriessink": {"catalog", "model", "store", "timeseries"},
	"catalog/bootstrap":  {"auth", "catalog", "catalog/rule", "graph", "jsontree", "model", "store"},
	"catalog/catalogtest": {
		"auth", "auth/authtest", "auth/encryption", "auth/policy", "catalog", "catalog/bootstrap", "catalog/failure", "catalog/retention", "catalog/rule", "catalog/run", "catalog/seriessink", "driver/bolt", "driver/bolt/records", "driver/bolt/series", "driver/memory", "driver/roaring",
		"graph", "indexing", "jsontree", "model", "projection", "records", "search", "search/document", "store", "store/storetest", "timeseries",
	},
	// What finds reads through the kernel, never the other way.
	"catalog/discover": {
		"auth", "catalog", "catalog/rule", "graph", "graph/lineage", "idle", "jsontree", "model", "model/redact", "search", "search/document", "search/query", "store",
	},
	"projection": {"background", "idle", "model", "store"},
	"indexing":   {"background", "graph", "model", "search", "search/document", "store"},
	// Spans around the ports.
	"porttrace": {"graph", "model", "search", "store", "timeseries"},
	"metrics":   {"admission", "audit", "projection", "store"},

	// What requests may take.
	"admission": {"auth", "idle"},

	// Who is it, and may they.
	"datadir":         {"auth/secrets", "disk"},
	"backup":          {"auth/secrets", "datadir", "disk", "timeseries"},
	"history":         {"auth/secrets"},
	"export":          {"jsontree", "model", "store", "timeseries"},
	"auth/cache":      {},
	"auth/secrets":    {"disk"},
	"auth/encryption": {},
	"auth/account":    {"auth/cache", "jsontree", "model"},
	"auth/policy":     {"auth", "auth/account", "auth/cache", "jsontree", "model", "search", "search/document", "store"},
	"auth/token":      {"auth", "auth/account", "auth/cache", "auth/secrets", "catalog", "catalog/rule", "model", "store"},
	"auth/authn":      {"auth", "auth/account", "auth/token", "model"},

	"service/credentials": {"auth", "auth/account", "auth/secrets", "catalog", "idle", "jsontree", "model"},
	"service/auditlog":    {"audit", "auth", "auth/encryption", "model"},
	"service/event":       {"auth", "auth/account", "background", "catalog", "idle", "jsontree", "model", "model/columns", "store"},
	"service/eventhook":   {"auth", "auth/encryption", "background", "disk", "model", "records", "service/event", "webhook"},
	"service/timeline":    {"auth", "catalog", "catalog/discover", "graph", "jsontree", "model", "model/columns"},
	"service/ops":         {"auth", "catalog", "catalog/discover", "history", "indexing", "jsontree", "model", "search", "service/statistics", "store", "task", "timeseries"},
	"service/edit":        {"auth", "catalog", "catalog/discover", "idle", "jsontree", "model", "search"},
	"service/servicetest": {
		"auth", "auth/account", "auth/authtest", "auth/encryption", "auth/policy", "auth/secrets", "auth/token", "catalog", "catalog/bootstrap", "catalog/discover", "catalog/seriessink", "driver/memory", "driver/roaring", "indexing", "model",
		"projection", "search/document", "service/credentials", "service/edit", "store",
	},
	"service/ingestion":      {"auth", "catalog/discover", "catalog/run", "jsontree", "search", "service/edit", "store"},
	"service/form":           {"auth", "auth/account", "catalog", "catalog/discover", "jsontree", "model", "search", "service/edit", "service/property"},
	"service/metatest":       {"auth", "catalog", "graph", "idle", "jsontree", "metatest", "metatest/starter", "model", "projection", "search", "search/document", "service/edit", "store", "task", "timeseries", "webhook"},
	"service/logical":        {"auth", "graph", "jsontree", "model", "service/edit", "store"},
	"service/serviceaccount": {"auth", "auth/account", "jsontree", "service/edit"},
	"service/user":           {"auth", "auth/account", "catalog/discover", "jsontree", "service/edit"},
	"service/role":           {"auth", "auth/account", "jsontree", "service/credentials", "service/edit"},
	// Access is explained by the engine that decides, and drafts are held to the rules of policies.
	"service/access": {"auth", "auth/account", "auth/policy", "auth/token", "catalog", "catalog/discover", "catalog/rule", "jsontree", "model", "search", "service/edit"},
	// Services of one topic each, which read and change facts by service/edit.
	"service/*": {"auth", "auth/account", "auth/encryption", "catalog", "catalog/discover", "catalog/run", "graph", "graph/lineage", "jsontree", "model", "search", "service/edit", "service/owner", "timeseries"},

	"transport/rest": {
		"admission", "auth", "auth/policy", "auth/token", "catalog", "catalog/discover", "catalog/run", "graph", "graph/lineage", "jsontree", "model", "search", "service/ops", "service/credentials", "service/metatest", "service/statistics", "task", "timeseries",
	},
	"transport/openapi": {
		"admission", "audit", "auth", "auth/policy", "auth/token", "catalog", "catalog/discover", "catalog/run", "graph", "graph/lineage", "jsontree", "metatest", "model", "search", "service/access", "service/auditlog", "service/event", "service/eventhook", "service/ops", "service/credentials", "service/openlineage", "service/timeline", "service/version", "task", "timeseries",
	},
	"transport/stream": {"auth", "service/event"},
	"transport/mcp": {
		"auth", "catalog", "catalog/discover", "graph/lineage", "jsontree", "model", "search", "service/asset", "service/knowledge", "service/label", "service/owner",
	},
	"transport/mcp/bridge": {},
	"transport/graphql": {
		"admission", "auth", "auth/account", "auth/encryption", "auth/token", "catalog", "catalog/discover", "graph", "graph/lineage", "idle", "jsontree", "metatest", "model", "search", "service/*", "task", "timeseries",
		"transport/graphql/document", "transport/graphql/gqltype", "transport/graphql/plan", "transport/graphql/selection",
	},
	"transport/graphql/document":  {"jsontree"},
	"transport/graphql/selection": {},
	"transport/graphql/plan":      {"idle", "jsontree", "transport/graphql/document"},
	"transport/graphql/gqltype":   {"idle", "jsontree", "model", "transport/graphql/selection"},
	"transport/graphql/gen":       {"model"},

	"transport/logo":        {"model"},
	"transport/signin":      {"audit", "auth", "auth/account", "auth/token", "jsontree", "model", "service/credentials"},
	"transport/adminsocket": {"audit", "auth", "auth/account", "auth/secrets", "auth/token", "background", "backup", "disk", "model", "service/access", "service/metatest", "service/ops", "task"},

	// Clients of the service that live in its binary.
	"load":  {"background", "disk", "jsontree", "model", "model/patch"},
	"probe": {},

	// The command line, which starts the service and talks to one.
	"cli": {"app", "backup", "disk", "export", "load", "probe", "transport/adminsocket", "transport/mcp/bridge"},

	"app":             {"*"},
	"apptest":         {"app", "model"},
	"apptest/doctest": {"jsontree"},
	"auth/authtest":   {"auth", "auth/policy", "catalog", "driver/memory", "model", "projection", "search", "store"},
}

// testMayImport lists what only the tests of a package import on top: real
// parts in place of mocks, and the suites.
var testMayImport = map[string][]string{
	"*": {
		"apptest/doctest", "catalog/seriessink", "service/servicetest", "auth/authtest", "auth/policy", "disk/disktest", "driver/memory", "driver/roaring", "indexing", "model", "model/modeltest", "projection", "search/document",
	},
	"apptest":            {"backup", "service/ops", "transport/adminsocket", "transport/mcp/bridge"},
	"audit":              {"driver/bolt", "driver/bolt/trail"},
	"auth/token":         {"driver/bolt"},
	"catalog/seriessink": {"driver/bolt/series"},
	"cli":                {"apptest", "driver/bolt/tasks", "service/ops", "task"},
	"export":             {"catalog", "catalog/catalogtest"},
	"catalog/rule":       {"auth", "catalog", "catalog/catalogtest", "catalog/run", "search", "store"},
	"catalog/retention":  {"catalog/catalogtest"},
	"catalog/failure":    {"driver/bolt/records"},
	"catalog/run":        {"catalog/catalogtest"},
	"catalog/bootstrap":  {"catalog/catalogtest", "search", "store"},
	"catalog":            {"auth/encryption", "catalog/bootstrap", "catalog/catalogtest", "catalog/run", "driver/bolt", "search", "store/storetest"},
	"catalog/discover":   {"auth/encryption", "canceltest", "catalog/catalogtest", "driver/bolt", "timeseries"},

	"driver/bolt":         {"driver/bolt/internal/dbfile/dbfiletest", "graph/graphtest", "store/storetest"},
	"driver/bolt/trail":   {"audit/audittest", "driver/bolt/internal/dbfile/dbfiletest"},
	"driver/bolt/records": {"records/recordstest"},
	"driver/bolt/tasks":   {"task/tasktest"},
	"driver/bolt/series":  {"driver/bolt/internal/dbfile/dbfiletest", "timeseries/timeseriestest"},
	"driver/roaring":      {"search/sample", "search/searchtest"},
	"metatest":            {"driver/roaring"},
	"driver/memory":       {"audit/audittest", "graph/graphtest", "store/storetest", "task/tasktest", "timeseries/timeseriestest"},

	"graph":                  {"store"},
	"graph/lineage":          {"canceltest", "driver/bolt", "graph/graphtest", "store"},
	"indexing":               {"auth", "catalog", "driver/bolt"},
	"metrics":                {"store/storetest"},
	"porttrace":              {"store/storetest", "timeseries/timeseriestest"},
	"projection":             {"store/storetest"},
	"service/asset":          {"service/domain", "service/glossary"},
	"service/metatest":       {"auth/authtest", "catalog/catalogtest", "driver/memory"},
	"service/serviceaccount": {"auth/token"},
	"service/credentials":    {"auth/token"},
	"transport/rest":         {"service/edit"},
	"service/ops":            {"catalog", "catalog/seriessink", "driver/bolt/series", "driver/roaring", "search", "search/document", "store"},
	"store":                  {"graph"},
	"task":                   {"driver/bolt/tasks", "driver/memory", "task/tasktest"},
	"transport/openapi":      {"auth/encryption", "catalog/failure", "driver/bolt/records", "records", "service/edit", "webhook"},
	"service/event":          {"catalog/run", "graph"},
	"service/eventhook":      {"driver/bolt/records"},
	"transport/signin":       {"auth/authn", "auth/secrets", "auth/token"},
}

func TestImportsFollowTheTable(t *testing.T) {
	t.Parallel()
	for file, imports := range importsOfFiles(t, "internal") {
		from := filepath.ToSlash(filepath.Dir(file))
		allowed, listed := mayImport[from]
		if !listed {
			allowed, listed = mayImport[path.Dir(from)+"/*"]
		}
		if !listed {
			t.Errorf("%s: package %s is not in the table; add it with what it may import", file, from)
			continue
		}
		if strings.HasSuffix(file, "_test.go") {
			allowed = slices.Concat(allowed, testMayImport["*"], testMayImport[from], []string{from})
		}
		for _, to := range imports {
			if !slices.Contains(allowed, to) && !slices.Contains(allowed, path.Dir(to)+"/*") && !slices.Contains(allowed, "*") {
				t.Errorf("%s imports %s, which the table does not allow for %s", file, to, from)
			}
		}
	}
}

func TestTableNamesNoPackageThatIsGone(t *testing.T) {
	t.Parallel()
	present := map[string]bool{}
	for file := range importsOfFiles(t, "internal") {
		present[filepath.ToSlash(filepath.Dir(file))] = true
	}
	for from := range mayImport {
		if !present[from] && !strings.HasSuffix(from, "/*") {
			t.Errorf("the table lists %s, but there is no such package", from)
		}
	}
}

// importsOfFiles gives, for each Go file below root, the packages below root
// that it imports; all names are relative to root.
func importsOfFiles(t *testing.T, root string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		file, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		found[file] = nil
		for _, spec := range parsed.Imports {
			name := strings.Trim(spec.Path.Value, `"`)
			if to, ok := strings.CutPrefix(name, internal); ok {
				found[file] = append(found[file], to)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
