import { aboutOf, hasSchema, type Asset } from "./asset";
import { lazy, type Lazy } from "../../lib/lazy";
import { governed, isDescribable, withLineage } from "./query";

/** What a tab is given. It reads its own data, with one request. */
export interface TabProps {
  urn: string;
  /** The type as the URN names it. */
  type: string;
}

/** A tab of the page of an asset. */
export interface Tab {
  /** The word in the address. */
  name: string;
  /** What people call it, by the type of the asset where that differs. */
  title: string | ((type: string) => string);
  /** The types that have it, as URNs name them, or what tells by the asset. */
  for: readonly string[] | ((asset: Asset) => boolean);
  load: Lazy<TabProps>;
  /** How much is in it, where the head of the page knows that. One with nothing goes last. */
  count?: (asset: Asset) => number | undefined;
  /** Whether nothing is in it, where that is known without a number. */
  empty?: (asset: Asset) => boolean;
  /** Takes the width of the page, without the panel at the side. */
  wide?: boolean;
  /** Whether it fills the panel at the side itself, in the place of what is known about the asset. */
  ownSide?: (asset: Asset) => boolean;
}

// What the contents of things are, where there is a word for it.
const contents: Readonly<Record<string, string>> = { corpGroup: "Owns", corpuser: "Owns", dataFlow: "Tasks", dataPlatform: "Assets", dataPlatformInstance: "Assets", mlFeatureTable: "Features", mlModelGroup: "Models" };

/** What a tab of an asset is called. */
export const titleOf = ({ title }: Tab, { type }: Asset) => (typeof title === "string" ? title : title(type));

// The timeline compares versions of these; a type that has none of them has no history to tell.
const followed = ["ownership", "tags", "glossaryTerms", "domain", "structuredProperties", "institutionalMemory"] as const;

/** The tabs in the order in which they stand. The first one that an asset has is what its page opens with. */
export const tabs: readonly Tab[] = [
  { name: "Schema", title: "Schema", for: ["dataset"], load: lazy(() => import("../schema/schema-tab")), count: ({ fields }) => fields, empty: () => false },
  { name: "Overview", title: "Overview", for: ["domain"], load: lazy(() => import("../domains/overview-tab")) },
  {
    name: "Assets",
    title: "Assets",
    for: ["domain", "dataProduct", "application", "tag"],
    load: lazy(() => import("../govern/assets-tab")),
    count: ({ type, held }) => (type === "tag" ? undefined : held), // a tag is on columns, too, which the tab does not list
    empty: () => false, // what a thing is for stands first, also when it is to be filled
  },
  { name: "Products", title: "Data products", for: ["domain"], load: lazy(() => import("../products/products-tab")), count: ({ offered }) => offered, wide: true },
  { name: "Subdomains", title: "Sub-domains", for: ["domain"], load: lazy(() => import("../domains/subdomains-tab")), count: ({ below }) => below, wide: true },
  { name: "Charts", title: "Charts", for: ["dashboard"], load: lazy(() => import("../dashboard/charts-tab")), count: ({ held }) => held },
  { name: "Fields", title: "Fields", for: ["chart"], load: lazy(() => import("../dashboard/fields-tab")), count: ({ fields }) => fields },
  {
    name: "Contents",
    title: (type) => contents[type] ?? "Contents",
    for: ["container", "corpGroup", "corpuser", "dataFlow", "dataPlatform", "dataPlatformInstance", "mlFeatureTable", "mlModelGroup"],
    load: lazy(() => import("../contents/contents-tab")),
    count: ({ held }) => held,
    empty: ({ held, card }) => held === 0 && card === undefined, // of people and groups it is what they are asked about first
  },
  { name: "Members", title: "Members", for: ["corpGroup"], load: lazy(() => import("../groups/members-tab")), count: ({ card }) => card?.members },
  {
    name: "Documentation",
    title: "Documentation",
    for: ({ type }) => isDescribable(type),
    load: lazy(() => import("../documentation/documentation-tab")),
    empty: (asset) => aboutOf(asset) === "" && asset.links.length === 0,
  },
  { name: "Lineage", title: "Lineage", for: withLineage, load: lazy(() => import("../lineage/lineage")), count: ({ lineage }) => lineage, wide: true },
  {
    name: "Properties",
    title: "Properties",
    for: ({ has, custom }) => has.has("structuredProperties") || custom.length > 0,
    load: lazy(() => import("../properties/properties-tab")),
    count: ({ properties, custom }) => properties.filter(({ hidden }) => !hidden).length + custom.length,
  },
  { name: "Queries", title: "Queries", for: ["dataset"], load: lazy(() => import("../queries/queries-tab")), count: ({ queries }) => queries },
  {
    name: "Quality",
    title: "Quality",
    for: ({ has }) => has.has("health"),
    load: lazy(() => import("../quality/quality-tab")),
    count: ({ checks, health }) => health.reduce((sum, { incidents }) => sum + incidents, checks ?? 0),
  },
  { name: "Runs", title: "Runs", for: ["dataset", "dataFlow", "dataJob"], load: lazy(() => import("../runs/runs-tab")), count: ({ runs }) => runs, wide: true },
  { name: "Stats", title: "Stats", for: ["dataset", "dashboard", "chart"], load: lazy(() => import("../stats/stats-tab")), wide: true },
  { name: "Governance", title: "Governance", for: governed, load: lazy(() => import("../governance/governance-tab")), count: ({ governance }) => governance },
  { name: "History", title: "History", for: ({ has }) => followed.some((part) => has.has(part)), load: lazy(() => import("../history/history-tab")), ownSide: hasSchema },
  { name: "Facts", title: "All facts", for: () => true, load: lazy(() => import("./facts-tab")) },
];

/** The tabs of an asset: those that hold something first. */
export function tabsOf(asset: Asset, all: readonly Tab[] = tabs): Tab[] {
  const mine = all.filter((tab) => (typeof tab.for === "function" ? tab.for(asset) : tab.for.includes(asset.type)));
  const empty = (tab: Tab) => tab.empty?.(asset) ?? tab.count?.(asset) === 0;
  return [...mine.filter((tab) => !empty(tab)), ...mine.filter(empty)];
}
