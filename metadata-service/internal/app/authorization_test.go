//go:build unix

package app_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/system"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/rest"
)

// TestEveryOperationAsksForItsPrivilege tests every operation of every API, as listed by the route
// tables and the GraphQL schema. It requests each operation without a credential, without a
// privilege, with each sufficient privilege over another resource and over the right one, and as
// the administrator. testdata/authorization.tsv contains the requirements of the operations; an
// operation that is missing there fails the test.
func TestEveryOperationAsksForItsPrivilege(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	rows := readRows(t)
	if lost := m.unnamed(t, rows); len(lost) > 0 {
		t.Errorf("testdata/authorization.tsv does not say what these need:\n%s", strings.Join(lost, "\n"))
	}
	for _, r := range rows {
		t.Run(r.api+" "+r.operation, func(t *testing.T) { m.row(t, r) })
	}
	t.Logf("%d operations, %d cells", len(rows), m.cells)
}

// row contains the requirements of an operation.
type row struct {
	api, operation string
	// needs are alternatives; each is a list of privileges that are required together. For
	// operations without requirements, open states who may run them.
	needs [][]string
	open  string // public, anyone or system
	// over are the resources of the check; empty means the platform. A type is written
	// "type:<name>".
	over []string
	// method, path and body are the request.
	method, path, body string
	// named are the privileges that refusals of the operation may name: those of all its rows.
	named []string
}

// name returns the name of the operation. A row may describe a variant of it in parentheses.
func (r *row) name() string {
	operation, _, _ := strings.Cut(r.operation, " (")
	return r.api + " " + operation
}

// names are abbreviations in requests and resources, for URNs that would make rows unreadable.
var names = strings.NewReplacer(
	"{orders}", "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)",
	"{revenue}", "urn:li:dataset:(urn:li:dataPlatform:hive,shop.revenue,PROD)",
)

// readRows reads the table. A line has the columns api, operation, privileges, resources and
// request, separated by tabs; a line that begins with @ defines a named list of privileges for
// later lines.
func readRows(t *testing.T) []row {
	t.Helper()
	return readTable(t, "testdata/authorization.tsv")
}

// readTable reads a table in the format of authorization.tsv.
func readTable(t *testing.T, name string) []row {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lists := map[string]string{}
	var rows []row
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "\t")
		if line[0] == '@' {
			lists[fields[0]] = fields[1]
			continue
		}
		for len(fields) < 5 {
			fields = append(fields, "")
		}
		rows = append(rows, newRow(fields, lists))
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	named := map[string][]string{}
	for _, r := range rows {
		named[r.name()] = append(named[r.name()], slices.Concat(r.needs...)...)
	}
	for i := range rows {
		rows[i].named = named[rows[i].name()]
	}
	return rows
}

func newRow(fields []string, lists map[string]string) row {
	r := row{api: fields[0], operation: fields[1]}
	switch needs := fields[2]; needs {
	case "public", "anyone", "system":
		r.open = needs
	default:
		for name, list := range lists {
			needs = strings.ReplaceAll(needs, name, list)
		}
		for alternative := range strings.SplitSeq(needs, ", ") {
			r.needs = append(r.needs, strings.Split(alternative, " & "))
		}
	}
	if over := names.Replace(fields[3]); over != "" && over != "-" {
		r.over = strings.Split(over, " + ")
	}
	r.request(names.Replace(fields[4]))
	return r
}

// request parses a path with a body, a body alone, or a GraphQL document.
func (r *row) request(text string) {
	if r.api == "graphql" {
		r.method, r.path = http.MethodPost, "/api/graphql"
		document, variables, _ := strings.Cut(text, " ;; ")
		if variables == "" {
			variables = "null"
		}
		quoted, _ := json.Marshal(document)
		r.body = fmt.Sprintf(`{"query":%s,"variables":%s}`, quoted, variables)
		return
	}
	operation, _, _ := strings.Cut(r.operation, " (")
	r.method, r.path, _ = strings.Cut(operation, " ")
	if path, body, _ := strings.Cut(text, " "); strings.HasPrefix(text, "/") {
		r.path, text = path, body
	}
	r.body = text
}

// matrix tests the rows against one service.
type matrix struct {
	app   *app.App
	facts string // initial data of each row, as a batch of proposals
	// The credentials of the actors.
	admin, nobody, holder string
	cells                 int
	asBefore              uint64 // position of the change log in the initial state of a row
}

const (
	nobodyURN = "urn:li:corpuser:matrix-nobody" // has no privilege
	holderURN = "urn:li:corpuser:matrix-holder" // has the privileges that a row grants
	policyURN = "urn:li:dataHubPolicy:matrix"
	elsewhere = "urn:li:tag:elsewhere"
)

func newMatrix(t *testing.T) *matrix {
	t.Helper()
	return newMatrixOf(t, serve(t, settings(t.TempDir())))
}

func newMatrixOf(t *testing.T, a *app.App) *matrix {
	t.Helper()
	m := &matrix{app: a, facts: readFacts(t)}
	m.reset(t)
	for _, urn := range []string{nobodyURN, holderURN} {
		put(t, a, urn, "corpUserInfo", `{"active":true,"displayName":"Matrix"}`)
	}
	m.admin, m.nobody, m.holder = newToken(t, a, string(model.RootUser)), newToken(t, a, nobodyURN), newToken(t, a, holderURN)
	// By default every user reads everything, which would defeat some rows.
	for _, id := range []string{"7", "view-entity-page-all", "view-dataset-sensitive", "asset-owners-metadata-policy"} {
		urn := "urn:li:dataHubPolicy:" + id
		text := mustAsk(t, a, asTheSystem, http.MethodGet, "/openapi/v3/entity/datahubpolicy/"+urn+"/dataHubPolicyInfo", "")
		var stored struct{ Value map[string]any }
		if err := json.Unmarshal([]byte(text), &stored); err != nil || stored.Value == nil {
			t.Fatalf("%s: %s %v", urn, text, err)
		}
		stored.Value["state"] = "INACTIVE"
		value, _ := json.Marshal(stored.Value)
		put(t, a, urn, "dataHubPolicyInfo", string(value))
	}
	return m
}

// serve runs a service until the test ends, since some paths depend on a running service.
func serve(t *testing.T, cfg app.Config) *app.App {
	t.Helper()
	a := open(t, cfg)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		shut(t, a)
	})
	got, err := http.Get("http://" + a.Addr() + "/health")
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return a
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// readFacts returns the initial data of the rows, as the body of one write.
func readFacts(t *testing.T) string {
	t.Helper()
	text := readFile(t, "testdata/authorization.json")
	var facts []struct {
		URN, Aspect string
		Value       json.RawMessage
	}
	if err := json.Unmarshal(text, &facts); err != nil {
		t.Fatal(err)
	}
	var proposals []map[string]any
	for _, f := range facts {
		proposals = append(proposals, map[string]any{
			"entityType": strings.Split(f.URN, ":")[2], "entityUrn": f.URN, "changeType": "UPSERT", "aspectName": f.Aspect,
			"aspect": map[string]string{"contentType": "application/json", "value": string(f.Value)},
		})
	}
	body, _ := json.Marshal(map[string]any{"proposals": proposals, "async": "false"})
	return string(body)
}

// reset restores data that earlier rows have changed or deleted. It does nothing if no row has
// written since, which is the common case: operations that only read, and refused operations, write
// nothing.
func (m *matrix) reset(t *testing.T) {
	t.Helper()
	if m.changes() == m.asBefore {
		return
	}
	mustAsk(t, m.app, asTheSystem, http.MethodPost, "/aspects?action=ingestProposalBatch", m.facts)
	m.asBefore = m.changes()
}

// changes returns the last sequence of the change log.
func (m *matrix) changes() uint64 {
	last, _ := m.app.Log().Last()
	return last
}

// grant gives the holder exactly the given privileges, by one policy.
func (m *matrix) grant(t *testing.T, privileges, over []string) {
	t.Helper()
	policy := map[string]any{
		"displayName": "Matrix", "description": "", "type": "METADATA", "state": "ACTIVE", "privileges": privileges, "editable": true,
		"actors": map[string]any{"users": []string{holderURN}, "allUsers": false, "allGroups": false, "resourceOwners": false},
	}
	switch {
	case len(over) == 0:
		policy["type"] = "PLATFORM"
	case strings.HasPrefix(over[0], "type:"):
		var types []string
		for _, t := range over {
			types = append(types, strings.TrimPrefix(t, "type:"))
		}
		policy["resources"] = filterOf("TYPE", types...)
	default:
		policy["resources"] = filterOf("URN", over...)
	}
	value, _ := json.Marshal(policy)
	unchanged := m.changes() == m.asBefore
	put(t, m.app, policyURN, "dataHubPolicyInfo", string(value))
	if unchanged {
		m.asBefore = m.changes() // the policy is not part of the initial data
	}
}

func filterOf(field string, values ...string) map[string]any {
	return map[string]any{"allResources": false, "filter": map[string]any{"criteria": []any{
		map[string]any{"field": field, "values": values, "condition": "EQUALS"},
	}}}
}

func (m *matrix) row(t *testing.T, r row) {
	m.reset(t)
	m.cell(t, r, "no token", "", r.open != "public", m.checkAnonymous)
	if r.open != "" {
		m.cell(t, r, "no privilege", m.nobody, r.open == "system", checkRefusal(r, nobodyURN))
		m.cell(t, r, "administrator", m.admin, r.open == "system", checkRefusal(r, string(model.RootUser)))
		if r.open == "system" {
			m.cell(t, r, "the system", asTheSystem, false, nil)
		}
		return
	}
	m.cell(t, r, "no privilege", m.nobody, true, checkRefusal(r, nobodyURN))
	for _, privileges := range r.needs {
		other := []string{elsewhere}
		if len(r.over) > 0 && strings.HasPrefix(r.over[0], "type:") {
			other = []string{"type:dataHubUpgrade"}
		}
		m.grant(t, privileges, other)
		m.cell(t, r, strings.Join(privileges, " & ")+" over another resource", m.holder, true, checkRefusal(r, holderURN))
		m.grant(t, privileges, r.over)
		m.cell(t, r, strings.Join(privileges, " & "), m.holder, false, nil)
		m.reset(t)
	}
	m.cell(t, r, "administrator", m.admin, false, nil)
}

// cell sends one request. refused is set if it must be refused; check checks the refusal.
func (m *matrix) cell(t *testing.T, r row, who, credential string, refused bool, check func(answer) error) {
	t.Helper()
	m.cells++
	got := ask(t, m.app, credential, r.method, r.path, m.filled(t, r.body, credential))
	switch {
	case !refused && (isRefusal(got) || got.status >= 500 || strings.Contains(got.body, `"code":500`)):
		t.Errorf("%s: is refused or fails: %+v", who, got)
	case refused && !isRefusal(got):
		t.Errorf("%s: is not refused: %+v", who, got)
	case refused:
		if err := check(got); err != nil {
			t.Errorf("%s: %v: %+v", who, err, got)
		}
	}
}

// filled replaces the placeholders that differ from cell to cell: the actor, and a token of another
// user.
func (m *matrix) filled(t *testing.T, body, credential string) string {
	t.Helper()
	me := map[string]string{m.nobody: nobodyURN, m.holder: holderURN}[credential]
	body = strings.ReplaceAll(body, "{me}", cmp.Or(me, string(model.RootUser)))
	if !strings.Contains(body, "{token}") && !strings.Contains(body, "{secret}") {
		return body
	}
	var made struct {
		Data struct {
			CreateAccessToken struct {
				AccessToken string
				Metadata    struct{ ID string }
			}
		}
	}
	text := operate(t, m.app, asTheSystem, `mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "urn:li:corpuser:jo", duration: ONE_DAY, name: "x"}) { accessToken metadata { id } } }`)
	if err := json.Unmarshal([]byte(text), &made); err != nil {
		t.Fatal(err)
	}
	token := made.Data.CreateAccessToken
	return strings.NewReplacer("{token}", token.Metadata.ID, "{secret}", token.AccessToken).Replace(body)
}

func isRefusal(got answer) bool {
	return got.status == http.StatusUnauthorized || got.status == http.StatusForbidden || strings.Contains(got.body, `"code":403`) ||
		strings.Contains(got.body, `"error":"Unauthorized to perform this action.`)
}

// checkAnonymous checks the response to a request without a credential, which is the same in every
// API.
func (m *matrix) checkAnonymous(got answer) error {
	if got.status != http.StatusUnauthorized || got.challenge != "Bearer" {
		return fmt.Errorf("want 401 with the challenge Bearer")
	}
	return nil
}

// checkRefusal checks that a refusal has the form of its API, which names the actor, the missing
// privileges and the resource.
func checkRefusal(r row, actor string) func(answer) error {
	return func(got answer) error {
		status, challenge := http.StatusForbidden, ""
		switch r.api {
		case "rest":
			status, challenge = http.StatusUnauthorized, `Bearer error="insufficient_scope"`
		case "graphql":
			status = http.StatusOK
		}
		if got.status != status || got.challenge != challenge {
			return fmt.Errorf("want %d with the challenge %q", status, challenge)
		}
		if r.open == "system" || r.method == http.MethodHead || strings.Contains(got.body, `"success":false`) {
			return nil
		}
		missing := membersOf(r.api, got.body)
		if missing.Actor != actor {
			return fmt.Errorf("the actor is %q, want %q", missing.Actor, actor)
		}
		if r.api != "graphql" && missing.Code != "FORBIDDEN" {
			return fmt.Errorf("the code is %v, want FORBIDDEN", missing.Code)
		}
		for _, m := range missing.Missing {
			if slices.ContainsFunc(m.Privileges, func(p string) bool { return slices.Contains(r.named, p) }) {
				return nil
			}
		}
		return fmt.Errorf("none of the privileges that suffice is named as missing")
	}
}

type refusalMembers struct {
	Code    any
	Actor   string
	Missing []struct {
		Privileges []string
		Resource   string
	}
}

func membersOf(api, body string) refusalMembers {
	var members refusalMembers
	if api != "graphql" {
		_ = json.Unmarshal([]byte(body), &members)
		return members
	}
	var out struct {
		Errors []struct{ Extensions refusalMembers }
	}
	if json.Unmarshal([]byte(body), &out) == nil {
		for _, e := range out.Errors {
			if e.Extensions.Actor != "" {
				return e.Extensions
			}
		}
	}
	return members
}

// unnamed returns the operations of the tables without a row, and rows of operations that do not
// exist.
func (m *matrix) unnamed(t *testing.T, rows []row) []string {
	t.Helper()
	named := map[string]bool{}
	for _, r := range rows {
		named[r.name()] = true
	}
	var lost []string
	there := map[string]bool{}
	for _, operation := range m.operations(t) {
		there[operation] = true
		if !named[operation] {
			lost = append(lost, operation)
		}
	}
	for _, r := range rows {
		if !there[r.name()] {
			lost = append(lost, "(does not exist) "+r.api+" "+r.operation)
		}
	}
	return lost
}

// operations returns the operations of the service, API by API.
func (m *matrix) operations(t *testing.T) []string {
	t.Helper()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	inTables := map[string]bool{} // routes of the router that a table describes in more detail
	for _, r := range rest.Routes(rest.Deps{Catalog: catalog.New(catalog.Config{Registry: registry})}) {
		inTables[r.Method+" "+r.Path] = true
		if r.Actions == nil {
			list = append(list, "rest "+r.Method+" "+r.Path)
		}
		for _, action := range r.Actions {
			list = append(list, "rest "+r.Method+" "+r.Path+"?action="+action)
		}
	}
	for _, e := range openapi.New(openapi.Config{Config: system.Config{Registry: registry}}).Endpoints() {
		list = append(list, "openapi "+e.Method+" "+e.Path)
	}
	var schema struct {
		Data struct {
			Schema struct {
				QueryType, MutationType struct{ Fields []struct{ Name string } }
			} `json:"__schema"`
		}
	}
	text := operate(t, m.app, m.admin, `{__schema{queryType{fields(includeDeprecated:true){name}} mutationType{fields(includeDeprecated:true){name}}}}`)
	if err := json.Unmarshal([]byte(text), &schema); err != nil {
		t.Fatal(err)
	}
	for _, f := range schema.Data.Schema.QueryType.Fields {
		list = append(list, "graphql query "+f.Name)
	}
	for _, f := range schema.Data.Schema.MutationType.Fields {
		list = append(list, "graphql mutation "+f.Name)
	}
	router, ok := m.app.Handler().(*echo.Echo)
	if !ok {
		t.Fatal("the handler is no router")
	}
	for _, r := range router.Routes() {
		path := strings.TrimPrefix(strings.TrimPrefix(r.Path, "/api/gms"), "/gms")
		path = strings.TrimSuffix(path, "/")
		known := inTables[r.Method+" "+path] || path == "/openapi" || strings.HasPrefix(path, "/openapi/") || path == "/api/graphql" || path == "/api/v2/graphql"
		// The explorer page itself answers methods other than GET.
		isPage := strings.HasPrefix(path, "/api/graphiql") && r.Method != http.MethodGet
		if !known && !isPage && r.Method != echo.RouteNotFound && path != "" {
			list = append(list, "other "+r.Method+" "+path)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
