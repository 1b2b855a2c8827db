package auth_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/fault"
)

// facts returns values by field. Fields that are absent in the map are unknown.
func facts(known map[auth.ResourceField][]string) auth.ResourceFacts {
	return func(field auth.ResourceField) ([]string, bool) {
		values, ok := known[field]
		return values, ok
	}
}

var table = facts(map[auth.ResourceField][]string{
	auth.FieldType: {"dataset"}, auth.FieldURN: {"urn:li:dataset:(urn:li:dataPlatform:hive,a.b,PROD)"},
	auth.FieldDomain: {"urn:li:domain:sales", "urn:li:domain:all"}, auth.FieldTag: {},
})

func TestWhatAScopePermits(t *testing.T) {
	t.Parallel()
	only := func(c ...auth.Criterion) *auth.Scope { return &auth.Scope{Resources: c} }
	domain := auth.Criterion{Field: auth.FieldDomain, Values: []string{"urn:li:domain:all"}, Condition: auth.Equals}
	for name, tc := range map[string]struct {
		scope     *auth.Scope
		privilege auth.Privilege
		op        auth.Operation
		on        auth.ResourceFacts
		want      bool
	}{
		"no scope permits everything":                              {nil, auth.ManagePolicies, "", nil, true},
		"an empty scope permits everything":                        {&auth.Scope{}, auth.DeleteEntity, auth.OpDelete, table, true},
		"read-only permits reading":                                {&auth.Scope{ReadOnly: true}, auth.ViewPage, auth.OpRead, table, true},
		"read-only permits asking for existence":                   {&auth.Scope{ReadOnly: true}, auth.ManageTokens, auth.OpExists, table, true},
		"read-only permits privileges to see":                      {&auth.Scope{ReadOnly: true}, auth.ViewUsage, "", table, true},
		"read-only permits what is asked in order to read":         {&auth.Scope{ReadOnly: true}, auth.ManageTokens, auth.OpRead, nil, true},
		"read-only refuses to create":                              {&auth.Scope{ReadOnly: true}, auth.CreateEntity, auth.OpCreate, table, false},
		"read-only refuses to change":                              {&auth.Scope{ReadOnly: true}, auth.EditEntity, auth.OpUpdate, table, false},
		"read-only refuses to delete":                              {&auth.Scope{ReadOnly: true}, auth.DeleteEntity, auth.OpDelete, table, false},
		"read-only refuses to execute":                             {&auth.Scope{ReadOnly: true}, auth.ExecuteEntity, auth.OpExecute, table, false},
		"read-only refuses privileges to change":                   {&auth.Scope{ReadOnly: true}, auth.EditTags, "", table, false},
		"read-only refuses privileges to manage":                   {&auth.Scope{ReadOnly: true}, auth.ManageTokens, "", nil, false},
		"read-only refuses changes of oneself":                     {&auth.Scope{ReadOnly: true}, auth.Own, "", table, false},
		"a named privilege is permitted":                           {&auth.Scope{Privileges: []auth.Privilege{auth.EditTags}}, auth.EditTags, "", table, true},
		"another privilege is not":                                 {&auth.Scope{Privileges: []auth.Privilege{auth.EditTags}}, auth.EditEntity, auth.OpUpdate, table, false},
		"reading is a privilege to be named":                       {&auth.Scope{Privileges: []auth.Privilege{auth.EditTags}}, auth.ViewPage, auth.OpRead, table, false},
		"changes of oneself are none that can be named":            {&auth.Scope{Privileges: []auth.Privilege{auth.EditTags}}, auth.Own, "", table, false},
		"a resource that meets the criterion is permitted":         {only(domain), auth.EditEntity, auth.OpUpdate, table, true},
		"every criterion is to be met":                             {only(domain, auth.Criterion{Field: auth.FieldType, Values: []string{"chart"}, Condition: auth.Equals}), auth.EditEntity, auth.OpUpdate, table, false},
		"a prefix is enough where it is asked for":                 {only(auth.Criterion{Field: auth.FieldURN, Values: []string{"urn:li:dataset:(urn:li:dataPlatform:hive,"}, Condition: auth.StartsWith}), auth.EditEntity, auth.OpUpdate, table, true},
		"another prefix is not":                                    {only(auth.Criterion{Field: auth.FieldURN, Values: []string{"urn:li:dataset:(urn:li:dataPlatform:kafka,"}, Condition: auth.StartsWith}), auth.EditEntity, auth.OpUpdate, table, false},
		"a resource without the value is other than it":            {only(auth.Criterion{Field: auth.FieldTag, Values: []string{"urn:li:tag:pii"}, Condition: auth.NotEquals}), auth.EditEntity, auth.OpUpdate, table, true},
		"a resource with the value is not other than it":           {only(auth.Criterion{Field: auth.FieldDomain, Values: []string{"urn:li:domain:all"}, Condition: auth.NotEquals}), auth.EditEntity, auth.OpUpdate, table, false},
		"an empty field equals nothing":                            {only(auth.Criterion{Field: auth.FieldTag, Values: []string{"urn:li:tag:pii"}, Condition: auth.Equals}), auth.EditEntity, auth.OpUpdate, table, false},
		"a fact that is not known permits nothing":                 {only(auth.Criterion{Field: auth.FieldOwner, Values: []string{"urn:li:corpuser:jo"}, Condition: auth.NotEquals}), auth.EditEntity, auth.OpUpdate, table, false},
		"what concerns no resource is not permitted by a resource": {only(auth.Criterion{Field: auth.FieldTag, Values: []string{"urn:li:tag:pii"}, Condition: auth.NotEquals}), auth.ManageTokens, "", nil, false},
		"a condition that does not exist is not met":               {only(auth.Criterion{Field: auth.FieldType, Values: []string{"dataset"}, Condition: "LIKE"}), auth.EditEntity, auth.OpUpdate, table, false},
		"all parts must permit":                                    {&auth.Scope{ReadOnly: true, Resources: []auth.Criterion{domain}}, auth.EditEntity, auth.OpUpdate, table, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tc.scope.Permits(tc.privilege, tc.op, tc.on); got != tc.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// If a privilege for reading were missing here, read-only tokens could not use it; a surplus one
// would let them write.
func TestPrivilegesThatLetTheirHolderReadAlone(t *testing.T) {
	t.Parallel()
	reading := strings.Fields(`EXISTS_ENTITY VIEW_ANALYTICS VIEW_DATASET_OPERATIONS VIEW_DATASET_PROFILE VIEW_DATASET_USAGE VIEW_ENTITY_PAGE
		VIEW_MANAGE_TAGS VIEW_STRUCTURED_PROPERTIES_PAGE VIEW_SYSTEM_STATUS VIEW_TESTS GET_ANALYTICS_PRIVILEGE GET_COUNTS_PRIVILEGE GET_ENTITY_PRIVILEGE
		GET_ES_TASK_STATUS_PRIVILEGE GET_METADATA_CHANGE_LOG_EVENTS GET_PLATFORM_EVENTS GET_TIMELINE_PRIVILEGE GET_TIMESERIES_ASPECT_PRIVILEGE
		GET_TIMESERIES_INDEX_SIZES_PRIVILEGE GET_TOPIC_EVENTS SEARCH_PRIVILEGE ES_EXPLAIN_QUERY_PRIVILEGE DATA_READ_ONLY DATA_LIST_ENTITIES`)
	want := map[auth.Privilege]bool{}
	for _, name := range reading {
		want[auth.Privilege(name)] = true
		if !auth.Reads(auth.Privilege(name)) {
			t.Errorf("%s is refused to read-only tokens", name)
		}
	}
	for _, r := range auth.Rights() {
		if auth.Reads(r.Privilege) != want[r.Privilege] {
			t.Errorf("%s counts as reading: %v; say here whether it is", r.Privilege, auth.Reads(r.Privilege))
		}
	}
}

func TestScopesThatAreAskedFor(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		asked auth.Scope
		want  string // readable form
	}{
		"nothing restricts nothing": {auth.Scope{}, "everything"},
		"one form": {auth.Scope{
			Privileges: []auth.Privilege{auth.EditTags, auth.EditTags},
			Resources:  []auth.Criterion{{Field: "domain", Values: []string{"urn:li:domain:a", "urn:li:domain:b"}}},
		}, "EDIT_ENTITY_TAGS; DOMAIN EQUALS urn:li:domain:a or urn:li:domain:b"},
		"a type is no URN":         {auth.Scope{ReadOnly: true, Resources: []auth.Criterion{{Field: "TYPE", Values: []string{"dataset"}}}}, "read-only; TYPE EQUALS dataset"},
		"a prefix need not be one": {auth.Scope{Resources: []auth.Criterion{{Field: "URN", Values: []string{"urn"}, Condition: auth.StartsWith}}}, "URN STARTS_WITH urn"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := auth.NewScope(tc.asked); err != nil || got.String() != tc.want {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	many := make([]auth.Criterion, auth.MaxScopeCriteria+1)
	for name, tc := range map[string]struct {
		asked auth.Scope
		says  string
	}{
		"a privilege nobody grants": {auth.Scope{Privileges: []auth.Privilege{"FLY"}}, "FLY"},
		"the right over one's own":  {auth.Scope{Privileges: []auth.Privilege{auth.Own}}, "OWN"},
		"an unknown field":          {auth.Scope{Resources: []auth.Criterion{{Field: "SHAPE", Values: []string{"round"}}}}, "Invalid field type 'SHAPE'"},
		"an unknown condition":      {auth.Scope{Resources: []auth.Criterion{{Field: "TYPE", Values: []string{"dataset"}, Condition: "LIKE"}}}, "LIKE"},
		"no values":                 {auth.Scope{Resources: []auth.Criterion{{Field: "TYPE"}}}, "values"},
		"an empty value":            {auth.Scope{Resources: []auth.Criterion{{Field: "TYPE", Values: []string{""}}}}, "bytes"},
		"an endless value":          {auth.Scope{Resources: []auth.Criterion{{Field: "TYPE", Values: []string{strings.Repeat("x", 1<<20)}}}}, "bytes"},
		"too many values":           {auth.Scope{Resources: []auth.Criterion{{Field: "TYPE", Values: make([]string, auth.MaxScopeValues+1)}}}, "values"},
		"too many criteria":         {auth.Scope{Resources: many}, "criteria"},
		"a domain that is no URN":   {auth.Scope{Resources: []auth.Criterion{{Field: "DOMAIN", Values: []string{"sales"}}}}, "sales"},
	} {
		t.Run(name+" is refused", func(t *testing.T) {
			t.Parallel()
			if _, err := auth.NewScope(tc.asked); fault.KindOf(err) != fault.Malformed || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestNarrowingAScopeNeverWidensIt(t *testing.T) {
	t.Parallel()
	domain := auth.Criterion{Field: auth.FieldDomain, Values: []string{"urn:li:domain:all"}, Condition: auth.Equals}
	datasets := auth.Criterion{Field: auth.FieldType, Values: []string{"dataset"}, Condition: auth.Equals}
	outer := &auth.Scope{Privileges: []auth.Privilege{auth.EditTags, auth.ViewPage}, Resources: []auth.Criterion{domain}}
	for name, tc := range map[string]struct {
		outer, inner *auth.Scope
		want         string
	}{
		"neither":                       {nil, nil, "everything"},
		"what is asked for alone":       {nil, outer, outer.String()},
		"nothing asked for":             {outer, nil, outer.String()},
		"fewer privileges":              {outer, &auth.Scope{Privileges: []auth.Privilege{auth.ViewPage}}, "VIEW_ENTITY_PAGE; DOMAIN EQUALS urn:li:domain:all"},
		"reading alone":                 {outer, &auth.Scope{ReadOnly: true}, "read-only; EDIT_ENTITY_TAGS; VIEW_ENTITY_PAGE; DOMAIN EQUALS urn:li:domain:all"},
		"further criteria":              {outer, &auth.Scope{Resources: []auth.Criterion{datasets, domain}}, "EDIT_ENTITY_TAGS; VIEW_ENTITY_PAGE; DOMAIN EQUALS urn:li:domain:all; TYPE EQUALS dataset"},
		"a read-only one stays that":    {&auth.Scope{ReadOnly: true}, &auth.Scope{Privileges: []auth.Privilege{auth.EditTags}}, "read-only; EDIT_ENTITY_TAGS"},
		"criteria of others come first": {&auth.Scope{Resources: []auth.Criterion{domain}}, &auth.Scope{Resources: []auth.Criterion{datasets}}, "DOMAIN EQUALS urn:li:domain:all; TYPE EQUALS dataset"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := auth.Narrow(tc.outer, tc.inner); err != nil || got.String() != tc.want {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	_, err := auth.Narrow(outer, &auth.Scope{Privileges: []auth.Privilege{auth.ManagePolicies}})
	if fault.KindOf(err) != fault.Forbidden || !strings.Contains(err.Error(), "MANAGE_POLICIES") {
		t.Errorf("wider: %v", err)
	}
	var all []auth.Criterion
	for range auth.MaxScopeCriteria {
		all = append(all, datasets)
	}
	if _, err := auth.Narrow(outer, &auth.Scope{Resources: append(all[1:], auth.Criterion{Field: auth.FieldURN, Values: []string{"urn:li:tag:a"}, Condition: auth.Equals})}); err != nil {
		t.Errorf("what is said twice counts once: %v", err)
	}
}
