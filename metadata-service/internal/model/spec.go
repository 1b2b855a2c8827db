package model

import "encoding/json"

// EntitySpec is the definition of an entity type in the registry.
type EntitySpec struct {
	Name             string
	Category         string // core, internal or unset
	SearchGroup      string
	ViewUnrestricted bool // "view" checks are skipped for the type
	Example          string
	Key              *AspectSpec
	KeyParts         []KeyPart
	// Aspects are the versioned aspects, the key aspect first; Timeseries the others.
	Aspects    []*AspectSpec
	Timeseries []*AspectSpec
	// ServerDefaults names aspects, besides the key, that the service adds on the first write.
	ServerDefaults []string
	// Snapshot is nil for types without a snapshot record.
	Snapshot *SnapshotSpec

	aspects map[string]*AspectSpec // by name, and by name in lower case
}

// KeyPart is one part of a URN's key, in order.
type KeyPart struct {
	Name string
	Type *Type
}

// SnapshotSpec describes the record of an entity type in snapshot files, and the aspects that it
// may contain.
type SnapshotSpec struct {
	Record  string
	Aspects []string
}

// Aspect finds an aspect of the entity type by its exact name, including key and time-series
// aspects.
func (e *EntitySpec) Aspect(name string) (*AspectSpec, bool) {
	a, ok := e.aspects[name]
	if !ok || a.Name != name {
		return nil, false
	}
	return a, true
}

// AspectFold finds an aspect ignoring case.
func (e *EntitySpec) AspectFold(name string) (*AspectSpec, bool) {
	if a, ok := e.aspects[name]; ok {
		return a, true
	}
	a, ok := e.aspects[lower(name)]
	return a, ok
}

// All returns all aspects: key, versioned, time-series.
func (e *EntitySpec) All() []*AspectSpec {
	return append(append(make([]*AspectSpec, 0, len(e.Aspects)+len(e.Timeseries)), e.Aspects...), e.Timeseries...)
}

// OwnerOnly reports whether only the service that owns the aspect may change it. Other interfaces
// may write managed aspects only if their secrets are encrypted for storage, and may remove them
// only with their entity.
func (a *AspectSpec) OwnerOnly(change ChangeType) bool {
	return a.Managed && (len(a.Encrypted) == 0 || change == Delete)
}

// Confidential reports whether the aspect is never served (Secret), or only to actors that may
// write it (Managed). No copy contains its values: no search document, export or event, and no
// error message.
func (a *AspectSpec) Confidential() bool { return a.Secret || a.Managed }

// AspectSpec is the definition of an aspect in the registry.
type AspectSpec struct {
	Name          string
	Record        *Type
	Timeseries    bool
	IsKey         bool
	SchemaVersion int64
	Deprecated    bool
	// Secret aspects are never served by generic reads; see Confidential.
	Secret bool
	// Managed aspects grant privileges or hold secrets. Only the service that owns them writes
	// them, see OwnerOnly. Generic reads serve those that are not Secret to actors that may write
	// them.
	Managed bool
	// Encrypted lists the paths of members that are stored encrypted. Generic reads serve a mask in
	// place of such a member to every actor.
	Encrypted []string
	// SoftDelete is the boolean member that marks an entity as soft-deleted. One aspect of the
	// model has it.
	SoftDelete string
	// Entities lists the entity types with the aspect.
	Entities         []string
	Search           []SearchField
	Relationships    []Relationship
	SearchReferences []SearchReference
	URNs             []URNRule
	Stats            []Stat
	Collections      []Collection
	// Patch is nil if the aspect has no built-in array keys.
	Patch *PatchTemplate

	rules *ruleNode
}

// SearchField describes the indexing of a value inside an aspect. Paths start with a slash. The
// step * matches each array element or map value, $key each map key; a union member adds its key.
type SearchField struct {
	Path                  string
	Field                 string             // name in the index
	Type                  string             // KEYWORD, TEXT, URN, ...
	Leaf                  string             // stored type of the value
	Multi                 bool               // array or map
	Query                 bool               // part of the default full-text query
	Boost                 float64            // 0 means 1
	Autocomplete          bool               //
	Filter                bool               // default facet
	FilterName            string             // its display name
	HasValues             string             // name of the derived boolean field
	HasValuesFilter       bool               // the field HasValues is a default facet
	HasValuesFilterName   string             //
	NumValues             string             // name of the derived field with the count
	Weights               map[string]float64 // score factor per exact value
	Aliases               []string           // further names of the field
	SystemModifiedAt      bool               // SystemModifiedAtField is set on each write
	SystemModifiedAtField string
	SanitizeRichText      bool
	Tier                  int
	Label                 string
}

// Relationship describes the edges that are derived from an aspect.
type Relationship struct {
	Path    string // to the destination URN
	Name    string
	To      []string // entity types a destination may have
	Lineage string   // "upstream": the destination is upstream of the source; "downstream"; empty for no lineage
	// The following are paths relative to the aspect. Each is used only if it has as many values as
	// Path.
	CreatedOn, CreatedActor, UpdatedOn, UpdatedActor, Properties, Via string
}

// SearchReference copies search fields of the entity that a URN refers to.
type SearchReference struct {
	Path, Field, Type, Entity string
	Depth                     int
	Boost                     float64
	Query                     bool
}

// URNRule is a check of a URN field beyond its type.
type URNRule struct {
	Path        string
	EntityTypes []string
	Strict      bool // no raw parentheses or commas in key parts
	Exist       bool // the entity must be present; soft-deleted counts as present
}

// Stat is a column of a time-series index.
type Stat struct{ Path, Name, Type, Aggregation string }

// Collection is a list inside a time-series aspect whose elements become time-series documents of
// their own.
type Collection struct {
	Path, Name, Key string
	Stats           []Stat
}

// PatchTemplate defines how a patch without array keys of its own addresses array elements.
type PatchTemplate struct {
	// ArrayKeys maps an array (dots between fields, * for each element) to the fields of an element
	// that form its path segments. With an empty list the element itself is the segment; "a␟b" is
	// field b of a.
	ArrayKeys map[string][]string
	// FineGrainedLineages marks aspects whose array of that name has a special form of path.
	FineGrainedLineages bool
	// WhenAbsent is the initial value of a patch if nothing is stored; "$stamp" is replaced by the
	// present time and the system actor. It is nil if the aspect must exist.
	WhenAbsent json.RawMessage
}
