package policy_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	dataset urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,a.b,PROD)"
	rule    urn.URN = "urn:li:dataHubPolicy:1"
)

var operations = []auth.Operation{auth.OpCreate, auth.OpRead, auth.OpUpdate, auth.OpDelete, auth.OpExecute, auth.OpExists}

func TestWhatAnOrdinaryUserMayDo(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		op     auth.Operation
		on     urn.URN
		aspect string
		needs  string // empty when allowed
	}{
		"reading is allowed":                             {auth.OpRead, dataset, "ownership", ""},
		"asking for existence is allowed":                {auth.OpExists, dataset, "", ""},
		"creating is allowed":                            {auth.OpCreate, dataset, "", ""},
		"changing is allowed":                            {auth.OpUpdate, dataset, "ownership", ""},
		"soft deletion is allowed":                       {auth.OpUpdate, dataset, "status", ""},
		"describing another user is refused":             {auth.OpUpdate, authtest.Mia, "corpUserInfo", "MANAGE_USERS_AND_GROUPS"},
		"describing oneself is allowed":                  {auth.OpUpdate, authtest.Jo, "corpUserEditableInfo", ""},
		"reading a policy is allowed":                    {auth.OpRead, rule, "dataHubPolicyInfo", ""},
		"reading whether a user is suspended is allowed": {auth.OpRead, authtest.Mia, "corpUserStatus", ""},
		"hard deletion is refused":                       {auth.OpDelete, dataset, "", "DELETE_ENTITY"},
		"execution is refused":                           {auth.OpExecute, "urn:li:dataHubIngestionSource:x", "", "EXECUTE_ENTITY"},
		"creating a policy is refused":                   {auth.OpCreate, rule, "", "MANAGE_POLICIES"},
		"changing a policy is refused":                   {auth.OpUpdate, rule, "dataHubPolicyInfo", "MANAGE_POLICIES"},
		"deleting a policy is refused":                   {auth.OpDelete, rule, "", "MANAGE_POLICIES"},
		"changing a role is refused":                     {auth.OpUpdate, "urn:li:dataHubRole:Admin", "dataHubRoleInfo", "MANAGE_POLICIES"},
		"giving oneself a role is refused":               {auth.OpUpdate, authtest.Jo, "roleMembership", "MANAGE_POLICIES"},
		"giving a group a role is refused":               {auth.OpCreate, "urn:li:corpGroup:g", "roleMembership", "MANAGE_POLICIES"},
		"writing credentials is refused":                 {auth.OpUpdate, authtest.Jo, "corpUserCredentials", "MANAGE_USER_CREDENTIALS"},
		"suspending a user is refused":                   {auth.OpUpdate, authtest.Mia, "corpUserStatus", "MANAGE_USERS_AND_GROUPS"},
		"removing a user softly is refused":              {auth.OpUpdate, authtest.Root, "status", "MANAGE_USERS_AND_GROUPS"},
		"inviting is refused":                            {auth.OpCreate, "urn:li:inviteToken:x", "inviteToken", "MANAGE_USERS_AND_GROUPS"},
		"reading tokens is refused":                      {auth.OpRead, "urn:li:dataHubAccessToken:x", "dataHubAccessTokenInfo", "MANAGE_ACCESS_TOKENS"},
		"changing settings of all is refused":            {auth.OpUpdate, "urn:li:globalSettings:0", "globalSettingsInfo", "MANAGE_GLOBAL_SETTINGS"},
		"reading recipes is refused":                     {auth.OpRead, "urn:li:dataHubIngestionSource:x", "dataHubIngestionSourceInfo", "MANAGE_INGESTION"},
		"reading recipes of runs is refused":             {auth.OpRead, "urn:li:dataHubExecutionRequest:x", "dataHubExecutionRequestInput", "MANAGE_INGESTION"},
		"reporting a run is allowed":                     {auth.OpCreate, "urn:li:dataHubExecutionRequest:x", "dataHubExecutionRequestInput", ""},
		"reporting the outcome of a run is allowed":      {auth.OpUpdate, "urn:li:dataHubExecutionRequest:x", "dataHubExecutionRequestResult", ""},
		"cancelling a run is refused":                    {auth.OpUpdate, "urn:li:dataHubExecutionRequest:x", "dataHubExecutionRequestSignal", "MANAGE_INGESTION"},
		"deleting a run is refused":                      {auth.OpDelete, "urn:li:dataHubExecutionRequest:x", "dataHubExecutionRequestResult", "MANAGE_INGESTION"},
		"a pipeline reports its source":                  {auth.OpCreate, "urn:li:dataHubIngestionSource:cli-5d41402a", "dataHubIngestionSourceInfo", ""},
		"a pipeline that runs again does so too":         {auth.OpUpdate, "urn:li:dataHubIngestionSource:cli-5d41402a", "dataHubIngestionSourceInfo", ""},
		"deleting the source of a pipeline is refused":   {auth.OpDelete, "urn:li:dataHubIngestionSource:cli-5d41402a", "dataHubIngestionSourceInfo", "MANAGE_INGESTION"},
		"owning the source of a pipeline is refused":     {auth.OpCreate, "urn:li:dataHubIngestionSource:cli-5d41402a", "ownership", "MANAGE_INGESTION"},
		"creating any other source is refused":           {auth.OpCreate, "urn:li:dataHubIngestionSource:x", "dataHubIngestionSourceInfo", "MANAGE_INGESTION"},
		"changing any other source is refused":           {auth.OpUpdate, "urn:li:dataHubIngestionSource:x", "dataHubIngestionSourceInfo", "MANAGE_INGESTION"},
		"announcing is refused":                          {auth.OpCreate, "urn:li:post:x", "postInfo", "MANAGE_GLOBAL_ANNOUNCEMENTS"},
		"reading an announcement is allowed":             {auth.OpRead, "urn:li:post:x", "postInfo", ""},
		"changing a view is refused":                     {auth.OpUpdate, "urn:li:dataHubView:x", "dataHubViewInfo", "MANAGE_GLOBAL_VIEWS"},
		"changing the home page is refused":              {auth.OpUpdate, "urn:li:dataHubPageTemplate:x", "dataHubPageTemplateProperties", "MANAGE_HOME_PAGE_TEMPLATES"},
		"changing parts of the home page is refused":     {auth.OpUpdate, "urn:li:dataHubPageModule:x", "dataHubPageModuleProperties", "MANAGE_HOME_PAGE_TEMPLATES"},
		"deleting tokens is refused":                     {auth.OpDelete, "urn:li:dataHubAccessToken:x", "", "MANAGE_ACCESS_TOKENS"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := policy.Root{}.Refusal(authtest.As(t, authtest.Jo), auth.On(tc.op, tc.on, tc.aspect))
			if tc.needs == "" {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			if fault.KindOf(err) != fault.Forbidden {
				t.Fatalf("got %v", err)
			}
			want := "urn:li:corpuser:jo is unauthorized to " + string(tc.op) + " "
			if msg := fault.Message(err); !strings.HasPrefix(msg, want) || !strings.HasSuffix(msg, "needs the privilege "+tc.needs) ||
				!strings.Contains(msg, string(tc.on)) || !strings.Contains(msg, tc.aspect) {
				t.Errorf("message %q", msg)
			}
		})
	}
}

func TestTheSystemActorAndTheAdministratorMayDoEverything(t *testing.T) {
	t.Parallel()
	for _, actor := range []urn.URN{model.SystemActor, model.RootUser} {
		ctx := authtest.As(t, actor)
		for _, op := range operations {
			for _, on := range []urn.URN{dataset, rule, authtest.Jo} {
				if err := (policy.Root{}).Refusal(ctx, auth.On(op, on, "status")); err != nil {
					t.Errorf("%s: %v", actor, err)
				}
			}
		}
		for _, p := range []auth.Privilege{auth.GenerateTokens, auth.ManageTokens, auth.ManageSystem} {
			if err := (policy.Root{}).Refusal(ctx, auth.ForPlatform(p)); err != nil {
				t.Errorf("%s: %v", actor, err)
			}
		}
	}
}

func TestTheNameOfTheSystemActorAloneIsNoPower(t *testing.T) {
	t.Parallel()
	ctx := auth.WithActor(t.Context(), auth.Actor{URN: model.SystemActor})
	if err := (policy.Root{}).Refusal(ctx, auth.ForPlatform(auth.ManageSystem)); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("got %v", err)
	}
}

func TestPlatformPrivileges(t *testing.T) {
	t.Parallel()
	ctx := authtest.As(t, authtest.Jo)
	if err := (policy.Root{}).Refusal(ctx, auth.ForPlatform(auth.GenerateTokens)); err != nil {
		t.Errorf("own tokens: %v", err)
	}
	for _, p := range []auth.Privilege{auth.ManageTokens, auth.ManageServiceAcct, auth.ManagePolicies, auth.ManageUsers,
		auth.ManageCredentials, auth.ManageIngestion, auth.ManageSystem, auth.ApplyRetention, auth.SetWriteable, auth.RestoreIndices} {
		err := policy.Root{}.Refusal(ctx, auth.ForPlatform(p))
		if fault.KindOf(err) != fault.Forbidden || !strings.Contains(fault.Message(err), string(p)) {
			t.Errorf("%s: %v", p, err)
		}
	}
}

func TestAnonymousIsToldToSendAToken(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		policy.Root{}.Refusal(t.Context(), auth.On(auth.OpRead, dataset, "")),
		policy.Root{}.Refusal(t.Context(), auth.ForPlatform(auth.GenerateTokens)),
	} {
		if fault.KindOf(err) != fault.Unauthenticated || !strings.Contains(fault.Message(err), "Bearer") {
			t.Errorf("got %v", err)
		}
	}
}

// Operations that change any aspect of an entity ask for no more than the right
// to edit it, so what other operations guard must not be edited by everybody.
func TestWhatAnOrdinaryUserMayEdit(t *testing.T) {
	t.Parallel()
	ctx := authtest.As(t, authtest.Jo)
	for _, on := range []urn.URN{dataset, "urn:li:tag:x", "urn:li:glossaryTerm:x", "urn:li:dataProduct:x", "urn:li:query:x"} {
		if err := (policy.Root{}).Refusal(ctx, auth.Over(on, auth.EditEntity)); err != nil {
			t.Errorf("%s: %v", on, err)
		}
	}
	for _, on := range []urn.URN{
		rule, "urn:li:dataHubRole:Admin", "urn:li:globalSettings:0", "urn:li:inviteToken:x", authtest.Mia, authtest.Jo, "urn:li:corpGroup:x", "urn:li:domain:x",
		"urn:li:dataHubIngestionSource:x", "urn:li:dataHubExecutionRequest:x", "urn:li:post:x", "urn:li:dataHubView:x",
		"urn:li:dataHubPageTemplate:x", "urn:li:dataHubPageModule:x", "urn:li:dataHubUpgrade:x", "urn:li:telemetry:clientId",
	} {
		if err := (policy.Root{}).Refusal(ctx, auth.Over(on, auth.EditEntity)); fault.KindOf(err) != fault.Forbidden {
			t.Errorf("%s: %v", on, err)
		}
	}
}
