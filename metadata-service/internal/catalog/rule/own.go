package rule

import (
	"cmp"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of the entities that an actor creates as its own, see Change.AsOwn. Service accounts have
// higher limits, because they run the pipelines of whole teams.
const (
	MaxOwnSteps     = 500
	MaxOwnViews     = 200
	MaxOwnTemplates = 50
	MaxOwnModules   = 200

	MaxOwnSources        = 1_000
	MaxOwnRuns           = 1_000
	MaxOwnReports        = 100 // of more than 64 KiB
	MaxServiceAcctFactor = 10
)

// maxOwnName is the maximum number of characters of names in reports of pipelines, which the search
// index keeps in memory.
const maxOwnName = 500

// ownLimit bounds the entities of a type that an actor writes as its own.
type ownLimit struct {
	entityType, noun string
	// maxNumber is the maximum number that an actor may have created, 0 for no bound.
	maxNumber int
	// serviceFactor is the factor by which the number is higher for a service account; 0 means 1.
	serviceFactor int
	// rotates is set if the oldest entities are removed for new ones; otherwise new ones are
	// refused.
	rotates bool
	// bytes is the maximum size of the text of an aspect; larger has the sizes of particular
	// aspects.
	bytes  int
	larger map[string]int
	// names are members of aspects that have at most maxOwnName characters.
	names map[string][]string
	// versions is the number of versions kept of an aspect, 0 for that of retention.
	versions int
	// manage is the privilege to delete such entities of an actor, empty if the actor deletes them
	// itself.
	manage auth.Privilege
}

// ownLimits has a limit for each entity type that an actor may write as its own. A test compares it
// with the authorizer.
var ownLimits = []ownLimit{
	{entityType: "corpuser", bytes: 256 << 10},
	{entityType: "dataHubStepState", noun: "step states", maxNumber: MaxOwnSteps, bytes: 16 << 10, versions: 1, manage: auth.ManageSettings},
	{entityType: "dataHubView", noun: "views", maxNumber: MaxOwnViews, bytes: 128 << 10, versions: 2},
	{entityType: "dataHubPageTemplate", noun: "home page templates", maxNumber: MaxOwnTemplates, bytes: 64 << 10, versions: 2},
	{entityType: "dataHubPageModule", noun: "home page modules", maxNumber: MaxOwnModules, bytes: 256 << 10, versions: 2},
	{
		entityType: "dataHubIngestionSource", noun: "ingestion sources of reported pipelines", maxNumber: MaxOwnSources, serviceFactor: MaxServiceAcctFactor,
		bytes: 128 << 10, names: map[string][]string{sourceInfo: {"name", "type"}}, versions: 1, manage: auth.ManageIngestion,
	},
	{
		entityType: "dataHubExecutionRequest", noun: "reported runs", maxNumber: MaxOwnRuns, serviceFactor: MaxServiceAcctFactor, rotates: true,
		bytes: 128 << 10, larger: map[string]int{requestResult: 2 << 20}, names: map[string][]string{requestResult: {"status"}}, versions: 1,
	},
}

// reportLimit applies to the results of runs with a long text.
var reportLimit = ownLimit{maxNumber: MaxOwnReports, serviceFactor: MaxServiceAcctFactor}

// ownRules bound the data that an actor stores as its own, which requires no privilege: in number
// by the creator of the entities, in text by aspect. Writes by a privilege over the entity are not
// bounded. These rules come after those that define reports.
func ownRules() []Rule {
	rules := []Rule{
		{Name: "text of answers to forms", Aspects: []string{"forms", "structuredProperties"}, Validate: checkAnswerText},
		{Name: "large reports", Aspects: []string{requestResult}, CreatorTerms: largeReportTerms, Derive: shortenReports},
	}
	for i := range ownLimits {
		l := &ownLimits[i]
		rules = append(rules, Rule{Name: "text of own " + l.entityType, Types: []string{l.entityType}, Validate: l.checkText, Versions: l.versionsOf})
		if l.maxNumber > 0 {
			rules = append(rules, Rule{
				Name: "number of own " + l.entityType, Types: []string{l.entityType}, Aspects: []string{l.entityType + "Key"},
				CreatorTerms: func(_ model.Object, creator urn.URN) []Term { return []Term{l.createdBy(creator)} },
				Derive:       l.checkNumber,
			})
		}
	}
	return rules
}

func (l *ownLimit) createdBy(creator urn.URN) Term {
	return term(l.entityType+" by creator", string(creator))
}

// versionsOf also applies to derived changes, such as a shortened report.
func (l *ownLimit) versionsOf(c *Change) int {
	if !c.AsOwn && !c.Derived {
		return 0
	}
	return l.versions
}

// checkText refuses text beyond the limits. Text that exceeds them since an earlier version may
// become shorter.
func (l *ownLimit) checkText(_ Tx, c *Change) error {
	if !c.AsOwn {
		return nil
	}
	for _, member := range l.names[c.Aspect.Name] {
		if n := utf8.RuneCountInString(jsontree.Text(c.After, member)); n > maxOwnName {
			return violation(c.Aspect.Name, "/"+member, "has %d characters, at most %d are possible in personal content", n, maxOwnName)
		}
	}
	limit := l.larger[c.Aspect.Name]
	if limit == 0 {
		limit = l.bytes
	}
	return checkOwnText(c, limit)
}

// maxAnswerText bounds the text of aspects of an asset that answers to forms write to, which all
// users share.
const maxAnswerText = 1 << 20

func checkAnswerText(_ Tx, c *Change) error {
	if !c.AsOwn || slices.ContainsFunc(ownLimits, func(l ownLimit) bool { return l.entityType == c.Entity.Name }) {
		return nil
	}
	return checkOwnText(c, maxAnswerText)
}

func checkOwnText(c *Change, limit int) error {
	size := textSize(c.After)
	if size <= limit || c.Before != nil && size < textSize(c.Before) {
		return nil
	}
	return fault.New(fault.Invalid, "%s of %s: has %d bytes of text, at most %d are possible in personal content; shorten it", c.Aspect.Name, c.URN, size, limit)
}

// textSize returns the number of bytes of the texts, names and other values of a tree.
func textSize(value any) int {
	switch v := value.(type) {
	case string:
		return len(v)
	case json.Number:
		return len(v)
	case model.Object:
		size := 0
		for name, member := range v {
			size += len(name) + textSize(member)
		}
		return size
	case []any:
		size := len(v)
		for _, element := range v {
			size += textSize(element)
		}
		return size
	}
	return 1
}

// checkNumber refuses an entity beyond the maximum number of its creator, or removes the oldest
// ones. It runs on the key aspect, whose write creates the entity and is derived from the first
// write.
func (l *ownLimit) checkNumber(tx Effects, c *Change) error {
	actor, system := tx.Actor()
	if !c.AsOwn || system || c.Before != nil || c.After == nil {
		return nil
	}
	limit, err := l.numberOf(tx, actor)
	if err != nil {
		return err
	}
	n, err := tx.Count(l.createdBy(actor), limit+1)
	if err != nil || n <= limit {
		return err
	}
	if l.rotates {
		return l.dropOldest(tx, c, actor, limit)
	}
	remedy := "delete some that nothing uses"
	if l.manage != "" {
		remedy += ", which takes the privilege " + string(l.manage)
	}
	return fault.New(fault.Invalid, "%s: %s has created %d %s, and no more are possible; %s", c.URN, actor, limit, l.noun, remedy)
}

func (l *ownLimit) numberOf(tx Tx, actor urn.URN) (int, error) {
	if l.serviceFactor == 0 {
		return l.maxNumber, nil
	}
	subTypes, err := tx.Value(actor, userSubTypes)
	if err == nil && isServiceAccount(subTypes) {
		return l.maxNumber * l.serviceFactor, nil
	}
	return l.maxNumber, err
}

// dropOldest removes the oldest tenth of the runs that an actor reported, so that only one report
// out of that many searches for them. It keeps requests that the actor made by a privilege.
func (l *ownLimit) dropOldest(tx Effects, c *Change, actor urn.URN, limit int) error {
	runs, err := oldestWithTerm(tx, l.createdBy(actor), limit+1)
	if err != nil {
		return err
	}
	dropped := 0
	for _, run := range runs {
		if dropped >= limit/10 {
			break
		}
		if run == c.URN {
			continue
		}
		input, err := tx.Value(run, requestInput)
		if err != nil {
			return err
		}
		if input != nil && inputFlaw(input, actor) != "" {
			continue
		}
		if err := tx.RemoveEntity(run); err != nil {
			return err
		}
		dropped++
	}
	return nil
}

// oldestWithTerm returns at most limit entities with a term, the oldest first.
func oldestWithTerm(tx Tx, t Term, limit int) ([]urn.URN, error) {
	entities, err := tx.Lookup(t, "", limit)
	if err != nil {
		return nil, err
	}
	ages, err := tx.Ages(entities)
	if err != nil {
		return nil, err
	}
	age := make(map[urn.URN]int64, len(entities))
	for i, u := range entities {
		age[u] = ages[i]
	}
	slices.SortStableFunc(entities, func(a, b urn.URN) int { return cmp.Compare(age[b], age[a]) })
	return entities, nil
}

// largeReport is the size in bytes above which the text of a result counts towards MaxOwnReports.
// shortReport bounds the remaining text of a shortened result.
const (
	largeReport = 64 << 10
	shortReport = 32 << 10
)

func largeReportsBy(actor urn.URN) Term { return term("large report by creator", string(actor)) }

func largeReportTerms(result model.Object, creator urn.URN) []Term {
	if textSize(result) <= largeReport {
		return nil
	}
	return []Term{largeReportsBy(creator)}
}

// shortenedAtOnce is the number of reports that one report shortens. Each can be up to 2 MiB to
// read and to decode, in a transaction that all other writers wait for.
const shortenedAtOnce = 2

// shortenReports shortens the oldest large reports of an actor that exceeds the limit.
func shortenReports(tx Effects, c *Change) error {
	if !c.AsOwn || textSize(c.After) <= largeReport {
		return nil
	}
	actor, _ := tx.Actor()
	limit, err := reportLimit.numberOf(tx, actor)
	if err != nil {
		return err
	}
	n, err := tx.Count(largeReportsBy(actor), limit+1)
	if err != nil || n <= limit {
		return err
	}
	runs, err := oldestWithTerm(tx, largeReportsBy(actor), limit+1)
	if err != nil {
		return err
	}
	runs = slices.DeleteFunc(runs, func(run urn.URN) bool { return run == c.URN })
	for _, run := range runs[:min(len(runs), shortenedAtOnce)] {
		result, err := tx.Value(run, requestResult)
		if err != nil {
			return err
		}
		if err := tx.Put(run, requestResult, shortened(result)); err != nil {
			return err
		}
	}
	return nil
}

// shortened returns a result with only the end of its report, and without its structured report
// unless that is short.
func shortened(result model.Object) model.Object {
	if textSize(result["structuredReport"]) > shortReport/2 {
		delete(result, "structuredReport")
	}
	report := jsontree.Text(result, "report")
	if report == "" {
		return result
	}
	from := max(0, len(report)-shortReport/2)
	for from < len(report) && !utf8.RuneStart(report[from]) {
		from++
	}
	result["report"] = report[from:]
	return result
}
