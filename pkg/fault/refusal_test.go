package fault_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/pkg/fault"
)

func missingPrivileges(resource string, privileges ...string) error {
	return fault.Refuse(fault.Refusal{Actor: "jo", Operation: "UPDATE", Missing: []fault.Missing{{privileges, resource}}}, "no")
}

func TestARefusalTellsWhoLacksWhat(t *testing.T) {
	t.Parallel()
	edit := missingPrivileges("urn:li:tag:a", "EDIT_ENTITY")
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"of one check", edit, `{"actor":"jo","operation":"UPDATE","missing":[{"privileges":["EDIT_ENTITY"],"resource":"urn:li:tag:a"}]}`},
		{"below other layers", fmt.Errorf("write: %w", fault.Wrap(edit, fault.Forbidden, "in other words")), `{"actor":"jo","operation":"UPDATE","missing":[{"privileges":["EDIT_ENTITY"],"resource":"urn:li:tag:a"}]}`},
		{
			"of a batch, each thing once", errors.Join(edit, missingPrivileges("urn:li:tag:b", "EDIT_ENTITY"), edit),
			`{"actor":"jo","operation":"UPDATE","missing":[{"privileges":["EDIT_ENTITY"],"resource":"urn:li:tag:a"},{"privileges":["EDIT_ENTITY"],"resource":"urn:li:tag:b"}]}`,
		},
		{"about the platform", missingPrivileges("", "MANAGE_TAGS", "CREATE_TAGS"), `{"actor":"jo","operation":"UPDATE","missing":[{"privileges":["MANAGE_TAGS","CREATE_TAGS"]}]}`},
		{"that no privilege would change", fault.New(fault.Forbidden, "kept by the service"), `{}`},
		{"of nothing", nil, `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := json.Marshal(fault.RefusalOf(tt.err))
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v, want %s", got, err, tt.want)
			}
		})
	}
}

func TestARefusalOfALargeBatchIsShort(t *testing.T) {
	t.Parallel()
	var all []error
	for i := range 1000 {
		all = append(all, missingPrivileges(fmt.Sprintf("urn:li:tag:%d", i), "EDIT_ENTITY"))
	}
	if got := len(fault.RefusalOf(errors.Join(all...)).Missing); got != 20 {
		t.Errorf("got %d entries, want 20", got)
	}
}
