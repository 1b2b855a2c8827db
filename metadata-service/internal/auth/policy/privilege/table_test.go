package privilege_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const dataset urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"

// needs returns the privilege that a refusal names for an actor without policies, empty if the
// actor is allowed.
func needs(t *testing.T, op auth.Operation, on urn.URN, aspect string) string {
	t.Helper()
	_, err := auth.Require(authtest.As(t, authtest.Jo), policy.New(policy.Config{Rows: memory.NewStore()}), auth.On(op, on, aspect))
	if err == nil {
		return ""
	}
	if fault.KindOf(err) != fault.Forbidden {
		t.Fatalf("%s %s of %s: %v", op, aspect, on, err)
	}
	_, privilege, _ := strings.Cut(fault.Message(err), "needs the privilege ")
	return privilege
}

// decisions lists the expected privilege for writing each entity type that not all actors may
// write.
var decisions = map[string]auth.Privilege{
	"corpuser": auth.ManageUsers, "corpGroup": auth.ManageUsers, "inviteToken": auth.ManageUsers,
	"dataHubPolicy": auth.ManagePolicies, "dataHubRole": auth.ManagePolicies, "dataHubAccessToken": auth.ManageTokens,
	"dataHubIngestionSource": auth.ManageIngestion, "dataHubExecutionRequest": auth.ManageIngestion, "dataHubAction": auth.ManageIngestion,
	"dataHubSecret": auth.ManageSecrets, "dataHubConnection": auth.ManageConnections, "test": auth.ManageTests,
	"globalSettings": auth.ManageSettings, "dataHubPersona": auth.ManageSettings, "lifecycleStageType": auth.ManageSettings,
	"searchTemplate": auth.ManageSettings, "dataHubView": auth.ManageGlobalViews, "post": auth.ManageAnnouncements,
	"dataHubPageTemplate": auth.ManageHomePage, "dataHubPageModule": auth.ManageHomePage,
	"structuredProperty": auth.ManageProperties, "form": auth.ManageForms, "ownershipType": auth.ManageOwnershipTypes, "dataHubStepState": auth.ManageSettings,
	"dataType": auth.ManageSystem, "entityType": auth.ManageSystem, "dataHubRetention": auth.ManageSystem,
	"dataHubUpgrade": auth.ManageSystem, "dataHubOpenAPISchema": auth.ManageSystem, "dataHubFile": auth.ManageSystem,
	"telemetry": auth.ManageSystem,
}

// exceptions lists the aspects that do not follow their entity type.
var exceptions = map[string]auth.Privilege{
	"corpuser roleMembership": auth.ManagePolicies, "corpGroup roleMembership": auth.ManagePolicies,
	"corpuser corpUserCredentials": auth.ManageCredentials, "corpuser subTypes": auth.ManageServiceAcct,
	"corpuser corpUserStatus": auth.ManageUsers, "corpuser status": auth.ManageUsers,
	"corpuser groupMembership": auth.ManageUsers, "corpuser nativeGroupMembership": auth.ManageUsers,
}

// An aspect with an encrypted member grants or configures something: only actors that may write it
// may read it.
func TestWhatHasAnEncryptedMemberIsReadByThoseWhoWriteIt(t *testing.T) {
	t.Parallel()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, entity := range registry.Entities() {
		for _, spec := range entity.All() {
			if len(spec.Encrypted) == 0 {
				continue
			}
			tried++
			on := urn.Make(entity.Name, "some")
			read, write := privilege.Needed(auth.OpRead, on, spec.Name), privilege.Needed(auth.OpUpdate, on, spec.Name)
			for _, p := range read {
				if !slices.Contains(write, p) || p == auth.EditEntity {
					t.Errorf("%s of %s is read by %s and written by %s", spec.Name, entity.Name, p, write)
				}
			}
		}
	}
	if tried < 3 {
		t.Errorf("%d aspects were tried", tried)
	}
}

func TestEveryAspectOfEveryEntityTypeOfTheRegistryHasADecision(t *testing.T) {
	t.Parallel()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	types, pairs := 0, 0
	for _, entity := range registry.Entities() {
		types++
		if !privilege.Covered(entity.Name, "") {
			t.Errorf("nobody decided who may write and read %s: add it to the tables", entity.Name)
			continue
		}
		on := urn.Make(entity.Name, "some")
		for _, spec := range entity.All() {
			pairs++
			if !privilege.Covered(entity.Name, spec.Name) {
				t.Errorf("nobody decided who may write %s of %s: add it to the tables", spec.Name, entity.Name)
				continue
			}
			want, ok := decisions[entity.Name]
			if !ok {
				want = auth.EditEntity
			}
			if p, ok := exceptions[entity.Name+" "+spec.Name]; ok {
				want = p
			}
			if auth.Reports(on, spec.Name) {
				want = ""
			}
			for _, op := range []auth.Operation{auth.OpCreate, auth.OpUpdate} {
				if got := needs(t, op, on, spec.Name); got != string(want) {
					t.Errorf("%s %s of %s needs %q, want %q", op, spec.Name, entity.Name, got, want)
				}
			}
			if needs(t, auth.OpDelete, on, spec.Name) == "" {
				t.Errorf("anyone may delete %s of %s for good", spec.Name, entity.Name)
			}
		}
	}
	t.Logf("%d entity types, %d aspects of them", types, pairs)
	if types < 72 || pairs < 500 {
		t.Errorf("only %d entity types with %d aspects were looked at", types, pairs)
	}
}

func TestTheTablesNameNothingThatTheRegistryDoesNotHave(t *testing.T) {
	t.Parallel()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	types, aspects := privilege.Named()
	for _, name := range types {
		if entity, ok := registry.Entity(name); !ok || entity.Name != name {
			t.Errorf("there is no entity type %s", name)
		}
	}
	for _, name := range aspects {
		if _, ok := registry.Aspect(name); !ok {
			t.Errorf("there is no aspect %s", name)
		}
	}
	if slices.Sort(types); len(slices.Compact(types)) != len(registry.Entities()) {
		t.Errorf("%d entity types are decided, the registry has %d", len(types), len(registry.Entities()))
	}
}

func TestWhatNobodyDecidedIsClosed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		on     urn.URN
		aspect string
	}{{"urn:li:madeUp:x", ""}, {"urn:li:madeUp:x", "status"}, {dataset, "madeUpInfo"}} {
		if got := needs(t, auth.OpUpdate, c.on, c.aspect); got != string(auth.ManageSystem) {
			t.Errorf("writing %q of %s needs %q", c.aspect, c.on, got)
		}
	}
	if got := needs(t, auth.OpRead, "urn:li:madeUp:x", ""); got != string(auth.ManageSystem) {
		t.Errorf("reading what nobody decided about needs %q", got)
	}
}

func TestWhatAnOrdinaryUserMayNotRead(t *testing.T) {
	t.Parallel()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]auth.Privilege{
		"dataHubAccessToken": auth.ManageTokens, "dataHubIngestionSource": auth.ManageIngestion, "dataHubExecutionRequest": auth.ManageIngestion,
		"dataHubSecret": auth.ManageSecrets, "globalSettings": auth.ManageSettings,
	}
	for _, entity := range registry.Entities() {
		needed, ok := want[entity.Name]
		if !ok {
			needed = auth.ViewPage
		}
		if got := needs(t, auth.OpRead, urn.Make(entity.Name, "some"), ""); got != string(needed) {
			t.Errorf("reading %s needs %q, want %q", entity.Name, got, needed)
		}
	}
}

func TestUsersWriteWhatTheySayOfThemselves(t *testing.T) {
	t.Parallel()
	for aspect, own := range map[string]bool{
		"corpUserEditableInfo": true, "corpUserSettings": true,
		"corpUserInfo": false, "corpUserKey": false, "corpUserStatus": false, "status": false, "groupMembership": false, "nativeGroupMembership": false,
		"roleMembership": false, "globalTags": false, "corpUserCredentials": false, "subTypes": false, "origin": false, "slackUserInfo": false,
	} {
		if got := needs(t, auth.OpUpdate, authtest.Jo, aspect); (got == "") != own {
			t.Errorf("writing one's own %s needs %q", aspect, got)
		}
		if got := needs(t, auth.OpUpdate, authtest.Mia, aspect); got == "" {
			t.Errorf("anyone writes the %s of others", aspect)
		}
	}
}

func TestTheDocumentTellsWhatNeedsAPrivilege(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return !strings.HasPrefix(line, "| `") })
	for entityType, privilege := range decisions {
		if !slices.ContainsFunc(rows, func(row string) bool {
			first, rest, _ := strings.Cut(row[2:], " | ")
			return strings.Contains(first, "`"+entityType+"`") && strings.HasPrefix(rest, "`"+string(privilege)+"`")
		}) {
			t.Errorf("docs/security.md has no row that tells that %s needs %s", entityType, privilege)
		}
	}
	for what, privilege := range exceptions {
		_, aspect, _ := strings.Cut(what, " ")
		if !slices.ContainsFunc(rows, func(row string) bool {
			return strings.HasPrefix(row, "| `") && strings.Contains(strings.SplitN(row, " | ", 2)[0], "`"+aspect+"`") && strings.Contains(row, string(privilege))
		}) {
			t.Errorf("docs/security.md has no row that tells that %s needs %s", aspect, privilege)
		}
	}
	for _, aspect := range []string{"dataHubIngestionSourceKey", "dataHubIngestionSourceInfo", "dataHubExecutionRequestKey", "dataHubExecutionRequestInput", "dataHubExecutionRequestResult"} {
		if !strings.Contains(string(text), "`"+aspect+"`") {
			t.Errorf("docs/security.md does not tell that pipelines report %s", aspect)
		}
	}
}

// Policies can grant every privilege that policies of other servers name.
func TestPoliciesCanGrantEveryPrivilegeOfTheInterface(t *testing.T) {
	t.Parallel()
	have := map[auth.Privilege]int{}
	for _, r := range auth.Rights() {
		have[r.Privilege]++
		if r.Description == "" || r.Level == auth.OneAsset != (len(r.Types) > 0) {
			t.Errorf("%s is not described", r.Privilege)
		}
	}
	text, err := os.ReadFile("testdata/privileges.txt")
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(string(text))
	for _, name := range names {
		if have[auth.Privilege(name)] != 1 {
			t.Errorf("%s is listed %d times", name, have[auth.Privilege(name)])
		}
	}
	if len(names) != 103 || len(have) != len(names) {
		t.Errorf("%d privileges can be granted, the interface has %d", len(have), len(names))
	}
}

func TestPrivilegesOverNamedEntitiesAreThoseOfTheTable(t *testing.T) {
	t.Parallel()
	named := map[auth.Privilege]bool{}
	for _, p := range privilege.AllOverNamed() {
		named[p] = true
	}
	for _, r := range auth.Rights() {
		if auth.IsOverNamed(r.Privilege) != named[r.Privilege] {
			t.Errorf("%s is over named entities: %v, in the table: %v", r.Privilege, auth.IsOverNamed(r.Privilege), named[r.Privilege])
		}
	}
}
