import { aboutOf, hasSchema } from "../shared/asset/asset";
import { governed, isDescribable, withLineage } from "../shared/asset/query";
import type { Tab } from "../shared/asset/tabs";
import { lazy } from "../lib/lazy";

// Titles of the Contents tab for asset types with a more specific term.
const contents: Readonly<Record<string, string>> = { corpGroup: "Owns", corpuser: "Owns", dataFlow: "Tasks", dataPlatform: "Assets", dataPlatformInstance: "Assets", mlFeatureTable: "Features", mlModelGroup: "Models" };

// The aspects that the timeline compares; a type without any of them has no History tab.
const followed = ["ownership", "tags", "glossaryTerms", "domain", "structuredProperties", "institutionalMemory"] as const;

/** The tabs in display order. An asset page opens with the first tab that the asset has. */
export const tabs: readonly Tab[] = [
  { name: "Schema", title: "Schema", for: ["dataset"], load: lazy(() => import("../features/schema/schema-tab")), count: ({ fields }) => fields, empty: () => false },
  { name: "Overview", title: "Overview", for: ["domain"], load: lazy(() => import("../features/domains/overview-tab")) },
  {
    name: "Assets",
    title: "Assets",
    for: ["domain", "dataProduct", "application", "tag"],
    load: lazy(() => import("../features/govern/assets-tab")),
    count: ({ type, held }) => (type === "tag" ? undefined : held), // a tag also applies to columns, which the tab does not list
    empty: () => false, // the tab is the main purpose of these types, so it comes first even if it is empty
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
    empty: ({ held, card }) => held === 0 && card === undefined, // for users and groups, owned assets are the most frequent question
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
