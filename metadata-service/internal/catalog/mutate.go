package catalog

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// mutateAlone applies the mutators that need the value alone. It may change the
// value in place.
func mutateAlone(aspect string, value model.Object) model.Object {
	switch aspect {
	case "schemaMetadata":
		keepFirst(value, "fields", "fieldPath")
	case "editableSchemaMetadata":
		keepFirst(value, "editableSchemaFieldInfo", "fieldPath")
	case "assertionInfo":
		nameAsserted(value)
	case "ownership":
		groupOwners(value)
	}
	return value
}

// keepFirst drops elements whose key appeared before.
func keepFirst(value model.Object, array, key string) {
	list, ok := value[array].([]any)
	if !ok {
		return
	}
	seen := make(map[string]bool, len(list))
	value[array] = slices.DeleteFunc(list, func(e any) bool {
		o, _ := e.(model.Object)
		name := jsontree.Text(o, key)
		if seen[name] {
			return true
		}
		seen[name] = true
		return false
	})
}

// nameAsserted fills what an assertion is about from its kind of assertion.
func nameAsserted(value model.Object) {
	for _, kind := range []struct{ member, entity string }{
		{"datasetAssertion", "dataset"}, {"freshnessAssertion", "entity"}, {"volumeAssertion", "entity"}, {"sqlAssertion", "entity"},
		{"fieldAssertion", "entity"}, {"schemaAssertion", "entity"}, {"customAssertion", "entity"},
	} {
		if about := jsontree.Text(jsontree.Child(value, kind.member), kind.entity); about != "" {
			value["entityUrn"] = about
			break
		}
	}
	field := jsontree.Child(value, "fieldAssertion")
	for _, kind := range []string{"fieldValuesAssertion", "fieldMetricAssertion"} {
		if path := jsontree.Text(jsontree.Child(jsontree.Child(field, kind), "field"), "path"); path != "" {
			field["fieldPath"] = path
		}
	}
}

// systemOwnershipType is the start of the URNs of the built-in ownership types.
const systemOwnershipType = "urn:li:ownershipType:__system__"

// groupOwners recomputes ownerTypes: owners by the URN of their type. Dots in
// the URN are written %2E, since the search index reads dots as levels.
func groupOwners(value model.Object) {
	owners := jsontree.Children(value, "owners")
	if len(owners) == 0 {
		return
	}
	groups := model.Object{}
	seen := map[[2]string]bool{}
	for _, owner := range owners {
		kind := jsontree.Text(owner, "typeUrn")
		if kind == "" {
			kind = systemOwnershipType + strings.ToLower(jsontree.Text(owner, "type"))
		}
		if kind == systemOwnershipType {
			kind += "none"
		}
		kind = strings.ReplaceAll(kind, ".", "%2E")
		who := jsontree.Text(owner, "owner")
		if seen[[2]string{kind, who}] {
			continue
		}
		seen[[2]string{kind, who}] = true
		group, _ := groups[kind].([]any)
		groups[kind] = append(group, who)
	}
	value["ownerTypes"] = groups
}

// mutate applies the mutators that need what is stored. It reports skip when
// nothing is left to write.
func (t *txn) mutate(n *change) (skip bool, err error) {
	switch n.spec.Name {
	case "domains":
		return false, t.syncDomains(n)
	case structuredProperties:
		return t.dropUndefined(n)
	case status:
		return false, t.checkTransition(n)
	case "dataHubExecutionRequestResult":
		return t.finalResult(n)
	case versionProperties:
		return false, keepLatestMark(n)
	}
	return false, nil
}

// syncDomains keeps the two members of the aspect equal: the one that changed
// wins. Associations made by people come before propagated ones.
func (t *txn) syncDomains(n *change) error {
	before, err := n.before()
	if err != nil {
		return err
	}
	associations := jsontree.Children(n.value, "domainAssociations")
	domains := jsontree.Texts(n.value, "domains")
	named := make([]string, len(associations))
	for i, a := range associations {
		named[i] = jsontree.Text(a, "domain")
	}
	switch {
	case sameSet(domains, named):
		return nil
	case n.value["domainAssociations"] == nil, sameSet(named, jsontree.Texts(before, "domains")):
		// domains changed, or is all there is: associations follow, keeping what is known of each.
		n.set(jsontree.With(n.value, model.Object{"domainAssociations": associationsOf(domains, append(associations, jsontree.Children(before, "domainAssociations")...))}))
	case len(domains) == 0 || sameSet(domains, jsontree.Texts(before, "domains")):
		slices.SortStableFunc(associations, func(a, b model.Object) int { return propagated(a) - propagated(b) })
		names := make([]string, len(associations))
		list := make([]any, len(associations))
		for i, a := range associations {
			names[i], list[i] = jsontree.Text(a, "domain"), a
		}
		n.set(jsontree.With(n.value, model.Object{"domains": jsontree.List(names), "domainAssociations": list}))
	default:
		return fault.New(fault.Invalid, "domains: /domains and /domainAssociations were both changed and name different domains")
	}
	return nil
}

func associationsOf(domains []string, known []model.Object) []any {
	first := make(map[string]model.Object, len(known))
	for _, a := range slices.Backward(known) {
		first[jsontree.Text(a, "domain")] = a
	}
	list := make([]any, len(domains))
	for i, d := range domains {
		if a, ok := first[d]; ok {
			list[i] = a
			continue
		}
		list[i] = model.Object{"domain": d}
	}
	return list
}

// propagated is 1 for associations that a rule made, 0 for those of people.
func propagated(a model.Object) int {
	if jsontree.Text(jsontree.Child(jsontree.Child(a, "attribution"), "sourceDetail"), "propagated") == "true" {
		return 1
	}
	return 0
}

func sameSet(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(slices.Compact(a), slices.Compact(b))
}

// dropUndefined drops values of structured properties that are not defined.
func (t *txn) dropUndefined(n *change) (skip bool, err error) {
	all := jsontree.Children(n.value, "properties")
	kept := make([]any, 0, len(all))
	for _, p := range all {
		there, err := t.exists(urn.URN(jsontree.Text(p, "propertyUrn")))
		if err != nil {
			return false, err
		}
		if there {
			kept = append(kept, p)
		}
	}
	if len(kept) == len(all) {
		return false, nil
	}
	if len(kept) == 0 {
		return false, fault.New(fault.Invalid, "structuredProperties: /properties :: none of the properties is defined: %s", jsontree.Text(all[0], "propertyUrn"))
	}
	n.set(jsontree.With(n.value, model.Object{"properties": kept}))
	return false, nil
}

// checkTransition takes back a change of lifecycle stage that the new stage
// does not allow from the old one.
func (t *txn) checkTransition(n *change) error {
	before, err := n.before()
	if err != nil {
		return err
	}
	from, to := jsontree.Text(before, "lifecycleStage"), jsontree.Text(n.value, "lifecycleStage")
	if to == "" || to == from {
		return nil
	}
	stage, err := t.read(urn.URN(to), "lifecycleStageTypeInfo")
	if err != nil || stage == nil {
		return err
	}
	allowed := jsontree.Child(stage, "transitionPolicy")
	if _, restricted := allowed["allowedPreviousStages"]; !restricted || slices.Contains(jsontree.Texts(allowed, "allowedPreviousStages"), from) {
		return nil
	}
	n.set(jsontree.With(n.value, model.Object{"lifecycleStage": before["lifecycleStage"], "lifecycleLastUpdated": before["lifecycleLastUpdated"]}))
	return nil
}

// finalResult keeps an execution that has ended in its final state; rolling
// back is the only way on. The same state again changes nothing.
func (t *txn) finalResult(n *change) (skip bool, err error) {
	before, err := n.before()
	if err != nil || n.old == nil {
		return false, err
	}
	from, to := jsontree.Text(before, "status"), jsontree.Text(n.value, "status")
	switch strings.ToUpper(from) {
	case "ABORTED", "CANCELLED", "SUCCESS", "DUPLICATE":
	default:
		return false, nil
	}
	switch {
	case to == from:
		return true, nil
	case strings.EqualFold(to, "ROLLING_BACK"):
		return false, nil
	}
	return false, fault.New(fault.Invalid, "dataHubExecutionRequestResult: /status :: an execution that ended as %s cannot become %s", from, to)
}
