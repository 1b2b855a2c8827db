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

// mayImport lists the packages of this module that each package may import. A package or an import
// that is not listed fails the test: this table is the architecture. Imports have one direction:
// from transports to services and the catalog, from services to the catalog and to identity, from
// the catalog and identity to the ports, from the ports to the model. Identity does not import the
// catalog. Transports import neither each other nor a driver; drivers import only the ports.
var mayImport = map[string][]string{
	"jsontree":    {},
	"yamltree":    {"jsontree"},
	"model":       {"jsontree"},
	"model/patch": {"jsontree", "model"},
	// Values of every aspect, for tests.
	"model/modeltest": {"jsontree", "model"},
	// Removal of URNs that an actor must not see.
	"model/redact": {"jsontree", "model"},
	// Changes of columns, for change events and timelines.
	"model/columns": {"jsontree"},
	"auth":          {"search"},

	// Record of actions, for administrators.
	"audit":           {"auth", "background", "disk", "idle", "model", "projection", "store"},
	"audit/audittest": {"audit"},

	// Errors of failed writes, for all packages that write files.
	"disk":          {},
	"disk/disktest": {},

	// Contexts that end in the middle of a loop, for the suites.
	"canceltest": {},

	// Times in which a request waits without computing.
	"idle": {},

	// Size of regular expressions before they are compiled.
	"regexpsize": {},

	// Ownership of goroutines.
	"background": {},

	// Long-running work, with its port and suite.
	"task":          {"auth", "background", "disk", "idle"},
	"task/tasktest": {"auth", "task"},

	// Small operational state that is not metadata.
	"records":             {"disk"},
	"records/recordstest": {"records"},

	// Ports, with their conformance suites.
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

	// Drivers, which never import each other; those of one technology share its internal packages.
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

	// The kernel, and the packages that follow its log. The kernel imports the rules; the rules
	// import only the model, its helpers, and the types of authorization checks.
	"catalog":            {"auth", "catalog/failure", "catalog/proposal", "catalog/rule", "graph", "idle", "jsontree", "model", "model/patch", "model/redact", "store", "timeseries"},
	"catalog/failure":    {"records"},
	"catalog/proposal":   {"catalog/rule", "jsontree", "model", "model/patch", "store"},
	"catalog/rule":       {"auth", "jsontree", "metatest", "model", "model/patch"},
	"catalog/retention":  {"catalog", "jsontree", "model", "store"},
	"catalog/run":        {"auth", "catalog", "model", "store", "timeseries"},
	"catalog/seriessink": {"catalog", "model", "store", "timeseries"},
	"catalog/bootstrap":  {"auth", "catalog", "catalog/rule", "graph", "jsontree", "model", "store"},
	"catalog/catalogtest": {
		"auth", "auth/authtest", "auth/encryption", "auth/policy", "catalog", "catalog/bootstrap", "catalog/failure", "catalog/retention", "catalog/rule", "catalog/run", "catalog/seriessink", "driver/bolt", "driver/bolt/records", "driver/bolt/series", "driver/memory", "driver/roaring",
		"graph", "indexing", "jsontree", "model", "projection", "records", "search", "search/document", "store", "store/storetest", "timeseries",
	},
	// Discovery reads through the kernel, never the other way.
	"catalog/discover": {
		"auth", "catalog", "catalog/rule", "graph", "graph/lineage", "idle", "jsontree", "model", "model/redact", "search", "search/document", "search/query", "store",
	},
	"projection": {"background", "idle", "model", "store"},
	"indexing":   {"background", "graph", "model", "search", "search/document", "store"},
	// Spans around the ports.
	"porttrace": {"graph", "model", "search", "store", "timeseries"},
	"metrics":   {"admission", "audit", "projection", "store"},

	// Limits of requests.
	"admission": {"auth", "idle"},

	// Authentication and authorization.
	"datadir":         {"auth/secrets", "disk"},
	"backup":          {"auth/secrets", "datadir", "disk", "timeseries"},
	"history":         {"auth/secrets"},
	"export":          {"jsontree", "model", "store", "timeseries"},
	"auth/cache":      {},
	"auth/secrets":    {"disk"},
	"auth/encryption": {},
	"auth/account":    {"auth/cache", "jsontree", "model"},
	// Tables of the privileges that operations need.
	"auth/policy/privilege": {"auth", "auth/account", "model"},
	"auth/policy":           {"auth", "auth/account", "auth/policy/privilege", "auth/cache", "jsontree", "model", "search", "search/document", "store"},
	"auth/token":            {"auth", "auth/account", "auth/cache", "auth/secrets", "model", "store"},
	"auth/authn":            {"auth", "auth/account", "auth/token", "model"},

	// Access tokens are entities; auth/token signs and verifies them.
	"service/token": {"auth", "auth/account", "auth/token", "catalog", "catalog/rule", "model", "store"},
	"service/token/tokentest": {
		"auth", "auth/account", "auth/authtest", "auth/secrets", "auth/token", "driver/memory", "model", "service/token", "store",
	},
	"service/credentials": {"auth", "auth/account", "auth/secrets", "auth/token", "catalog", "idle", "jsontree", "model"},
	"service/auditlog":    {"audit", "auth", "auth/encryption", "model"},
	"service/event":       {"auth", "auth/account", "background", "catalog", "idle", "jsontree", "model", "model/columns", "store"},
	"service/eventhook":   {"auth", "auth/encryption", "background", "disk", "model", "records", "service/event", "webhook"},
	"service/timeline":    {"auth", "catalog", "catalog/discover", "graph", "jsontree", "model", "model/columns"},
	"service/ops":         {"auth", "catalog", "catalog/discover", "history", "indexing", "jsontree", "model", "search", "service/statistics", "store", "task", "timeseries"},
	"service/edit":        {"auth", "catalog", "catalog/discover", "idle", "jsontree", "model", "search"},
	"service/servicetest": {
		"auth", "auth/account", "auth/authtest", "auth/encryption", "auth/policy", "auth/policy/privilege", "auth/token", "catalog", "catalog/bootstrap", "catalog/discover", "catalog/seriessink", "driver/memory", "driver/roaring", "indexing", "model",
		"projection", "search/document", "service/credentials", "service/edit", "service/token", "service/token/tokentest", "store",
	},
	"service/ingestion": {"auth", "catalog/discover", "catalog/run", "jsontree", "search", "service/edit", "store"},
	"service/form":      {"auth", "auth/account", "catalog", "catalog/discover", "jsontree", "model", "search", "service/edit", "service/property"},
	"service/metatest":  {"auth", "catalog", "graph", "idle", "jsontree", "metatest", "metatest/starter", "model", "projection", "search", "search/document", "service/edit", "store", "task", "timeseries", "webhook"},
	"service/logical":   {"auth", "graph", "jsontree", "model", "service/edit", "store"},
	"service/role":      {"auth", "auth/account", "jsontree", "service/credentials", "service/edit"},
	// The engine that decides also explains access, and drafts must follow the rules of policies.
	"service/access": {"auth", "auth/account", "auth/policy", "auth/policy/privilege", "catalog", "catalog/discover", "catalog/rule", "jsontree", "model", "search", "service/edit", "service/token"},
	// Services of one topic each, which read and change aspects through service/edit.
	"service/*": {"auth", "auth/account", "auth/encryption", "catalog", "catalog/discover", "catalog/run", "graph", "graph/lineage", "jsontree", "model", "search", "service/edit", "service/owner", "timeseries"},

	"transport/rest": {
		"admission", "auth", "catalog", "catalog/discover", "catalog/run", "graph", "graph/lineage", "jsontree", "model", "search", "service/metatest", "service/ops", "service/statistics", "task", "timeseries", "transport/precondition",
	},
	"transport/openapi": {
		"admission", "auth", "catalog", "catalog/discover", "graph", "graph/lineage", "jsontree", "model", "search", "service/version", "timeseries",
		"transport/openapi/endpoint", "transport/openapi/spec", "transport/openapi/system", "transport/precondition",
	},
	// Endpoints that are not about reading and writing entities.
	"transport/openapi/system": {
		"audit", "auth", "catalog", "catalog/discover", "catalog/run", "jsontree", "metatest", "model", "search", "service/access", "service/auditlog", "service/event", "service/eventhook", "service/openlineage",
		"service/ops", "service/timeline", "task", "transport/openapi/endpoint", "transport/openapi/spec",
	},
	// Routes, requests and errors of all endpoints.
	"transport/openapi/endpoint": {"auth", "catalog", "jsontree", "model", "transport/openapi/spec"},
	// Description of the endpoints as OpenAPI documents.
	"transport/openapi/spec": {"jsontree", "model"},
	"transport/stream":       {"auth", "service/event"},
	"transport/mcp": {
		"auth", "catalog", "catalog/discover", "graph/lineage", "jsontree", "model", "search", "service/asset", "service/knowledge", "service/label", "service/owner",
	},
	"transport/mcp/bridge": {},
	"transport/graphql": {
		"admission", "auth", "auth/account", "auth/encryption", "auth/token", "catalog", "catalog/discover", "graph", "graph/lineage", "idle", "jsontree", "metatest", "model", "search", "service/*", "task", "timeseries",
		"transport/graphql/document", "transport/graphql/gqltype", "transport/graphql/plan", "transport/graphql/selection", "transport/precondition",
	},
	"transport/graphql/document":  {"jsontree"},
	"transport/graphql/selection": {},
	"transport/graphql/plan":      {"idle", "jsontree", "transport/graphql/document"},
	"transport/graphql/gqltype":   {"idle", "jsontree", "model", "transport/graphql/selection"},
	"transport/graphql/gen":       {"model"},

	// Shared by the transports that write aspects.
	"transport/precondition": {"catalog"},

	"transport/logo":        {"model"},
	"transport/signin":      {"audit", "auth", "auth/account", "auth/token", "jsontree", "model", "service/credentials"},
	"transport/adminsocket": {"audit", "auth", "auth/account", "auth/secrets", "background", "backup", "disk", "model", "service/access", "service/metatest", "service/ops", "service/token", "task"},

	// Clients of the service that are part of its binary.
	"load":  {"background", "disk", "jsontree", "model", "model/patch"},
	"probe": {},

	// The command line, which starts the service or connects to one.
	"cli": {"app", "backup", "disk", "export", "load", "probe", "transport/adminsocket", "transport/mcp/bridge"},

	"app":             {"*"},
	"apptest":         {"app", "model"},
	"apptest/doctest": {"jsontree"},
	"auth/authtest":   {"auth", "auth/policy/privilege", "catalog", "driver/memory", "model", "projection", "search", "store"},
}

// testMayImport lists the additional imports of the tests of a package: real parts instead of
// mocks, and the suites.
var testMayImport = map[string][]string{
	"*": {
		"apptest/doctest", "catalog/seriessink", "service/servicetest", "auth/authtest", "auth/policy", "auth/policy/privilege", "disk/disktest", "driver/memory", "driver/roaring", "indexing", "model", "model/modeltest", "projection", "search/document", "service/token/tokentest",
	},
	"apptest":            {"backup", "service/ops", "transport/adminsocket", "transport/mcp/bridge"},
	"audit":              {"driver/bolt", "driver/bolt/trail"},
	"auth/token":         {"driver/bolt", "service/token"},
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

	"graph":               {"store"},
	"graph/lineage":       {"canceltest", "driver/bolt", "graph/graphtest", "store"},
	"indexing":            {"auth", "catalog", "driver/bolt"},
	"metrics":             {"store/storetest"},
	"porttrace":           {"store/storetest", "timeseries/timeseriestest"},
	"projection":          {"store/storetest"},
	"service/asset":       {"service/domain", "service/glossary"},
	"service/metatest":    {"auth/authtest", "catalog/catalogtest", "driver/memory"},
	"service/credentials": {"service/token"},
	"service/principal":   {"auth/token", "service/token"},
	"service/token":       {"driver/bolt"},
	"transport/rest":      {"service/edit"},
	"service/ops":         {"catalog", "catalog/seriessink", "driver/bolt/series", "driver/roaring", "search", "search/document", "store"},
	"store":               {"graph"},
	"task":                {"driver/bolt/tasks", "driver/memory", "task/tasktest"},
	"transport/openapi":   {"audit", "auth/encryption", "catalog/failure", "driver/bolt/records", "records", "service/auditlog", "service/edit", "service/event", "service/eventhook", "service/openlineage", "service/ops", "service/timeline", "task", "webhook"},
	"service/event":       {"catalog/run", "graph"},
	"service/eventhook":   {"driver/bolt/records"},
	"transport/signin":    {"auth/authn", "service/token"},
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

// importsOfFiles returns, for each Go file below root, the packages below root that it imports; all
// names are relative to root.
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
