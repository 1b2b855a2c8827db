import { aboutOf, hasSchema } from "../shared/asset/asset";
import { governed, isDescribable, withLineage } from "../shared/asset/query";
import type { Tab } from "../shared/asset/tabs";
import { lazy } from "../lib/lazy";

// What the contents of things are, where there is a word for it.
const contents: Readonly<Record<string, string>> = { corpGroup: "Owns", corpuser: "Owns", dataFlow: "Tasks", dataPlatform: "Assets", dataPlatformInstance: "Assets", mlFeatureTable: "Features", mlModelGroup: "Models" };

// The timeline compares versions of these; a type that has none of them has no history to tell.
const followed = ["ownership", "tags", "glossaryTerms", "domain", "structuredProperties", "institutionalMemory"] as const;

/** The tabs in the order in which they stand. The first one that an asset has is what its page opens with. */
export const tabs: readonly Tab[] = [
  { name: "Schema", title: "Schema", for: ["dataset"], load: lazy(() => import("../features/schema/schema-tab")), count: ({ fields }) => fields, empty: () => false },
  { name: "Overview", title: "Overview", for: ["domain"], load: lazy(() => import("../features/domains/overview-tab")) },
  {
    name: "Assets",
    title: "Assets",
    for: ["domain", "dataProduct", "application", "tag"],
    load: lazy(() => import("../features/govern/assets-tab")),
    count: ({ type, held }) => (type === "tag" ? undefined : held), // a tag is on columns, too, which the tab does not list
    empty: () => false, // what a thing is for stands first, also when it is to be filled
  },
  { name: "Products", title: "Data products", for: ["domain"], load: lazy(() => import("../features/products/products-tab")), count: ({ offered }) => offered, wide: true },
  { name: "Subdomains", title: "Sub-domains", for: ["domain"], load: lazy(() => import("../features/domains/subdomains-tab")), count: ({ below }) => below, wide: true },
  { name: "Charts", title: "Charts", for: ["dashboard"], load: lazy(() => import("../features/dashboard/charts-tab")), count: ({ held }) => held },
  { name: "Fields", title: "Fields", for: ["chart"], load: lazy(() => import("../features/dashboard/fields-tab")), count: ({ fields }) => fields },
  {
    name: "Contents",
    title: (type) => contents[type] ?? "Contents",
    for: ["container", "corpGroup", "corpuser", "dataFlow", "dataPlatform", "dataPlatformInstance", "mlFeatureTable", "mlModelGroup"],
    load: lazy(() => import("../features/contents/contents-tab")),
    count: ({ held }) => held,
    empty: ({ held, card }) => held === 0 && card === undefined, // of people and groups it is what they are asked about first
  },
  { name: "Members", title: "Members", for: ["corpGroup"], load: lazy(() => import("../features/groups/members-tab")), count: ({ card }) => card?.members },
  {
    name: "Documentation",
    title: "Documentation",
    for: ({ type }) => isDescribable(type),
    load: lazy(() => import("../features/documentation/documentation-tab")),
    empty: (asset) => aboutOf(asset) === "" && asset.links.length === 0,
  },
  { name: "Lineage", title: "Lineage", for: withLineage, load: lazy(() => import("../features/lineage/lineage")), count: ({ lineage }) => lineage, wide: true },
  {
    name: "Properties",
    title: "Properties",
    for: ({ has, custom }) => has.has("structuredProperties") || custom.length > 0,
    load: lazy(() => import("../features/properties/properties-tab")),
    count: ({ properties, custom }) => properties.filter(({ hidden }) => !hidden).length + custom.length,
  },
  { name: "Queries", title: "Queries", for: ["dataset"], load: lazy(() => import("../features/queries/queries-tab")), count: ({ queries }) => queries },
  {
    name: "Quality",
    title: "Quality",
    for: ({ has }) => has.has("health"),
    load: lazy(() => import("../features/quality/quality-tab")),
    count: ({ checks, health }) => health.reduce((sum, { incidents }) => sum + incidents, checks ?? 0),
  },
  { name: "Runs", title: "Runs", for: ["dataset", "dataFlow", "dataJob"], load: lazy(() => import("../features/runs/runs-tab")), count: ({ runs }) => runs, wide: true },
  { name: "Stats", title: "Stats", for: ["dataset", "dashboard", "chart"], load: lazy(() => import("../features/stats/stats-tab")), wide: true },
  { name: "Governance", title: "Governance", for: governed, load: lazy(() => import("../features/governance/governance-tab")), count: ({ governance }) => governance },
  { name: "History", title: "History", for: ({ has }) => followed.some((part) => has.has(part)), load: lazy(() => import("../features/history/history-tab")), ownSide: hasSchema },
  { name: "Facts", title: "All facts", for: () => true, load: lazy(() => import("../features/asset/facts-tab")) },
];
