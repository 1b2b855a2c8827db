import type { Lazy } from "../../lib/lazy";
import type { Asset } from "./asset";

/** The props of a tab. A tab reads its own data with one request. */
export interface TabProps {
  urn: string;
  /** The type as in the URN. */
  type: string;
}

/** A tab of an asset page. */
export interface Tab {
  /** The name in the address. */
  name: string;
  /** The title, which can depend on the asset. */
  title: string | ((type: string) => string);
  /** The types with this tab as in URNs, or a predicate on the asset. */
  for: readonly string[] | ((asset: Asset) => boolean);
  load: Lazy<TabProps>;
  /** The number of items, if the header query returns it. A tab with 0 items moves to the end. */
  count?: (asset: Asset) => number | undefined;
  /** Reports whether the tab is empty, for tabs without a count. */
  empty?: (asset: Asset) => boolean;
  /** The tab uses the full page width, without the side panel. */
  wide?: boolean;
  /** Reports whether the tab replaces the content of the side panel. */
  ownSide?: (asset: Asset) => boolean;
}

/** The title of a tab of an asset. */
export const titleOf = ({ title }: Tab, { type }: Asset) => (typeof title === "string" ? title : title(type));

/** The tabs of an asset, tabs with content first. */
export function tabsOf(asset: Asset, all: readonly Tab[]): Tab[] {
  const mine = all.filter((tab) => (typeof tab.for === "function" ? tab.for(asset) : tab.for.includes(asset.type)));
  const empty = (tab: Tab) => tab.empty?.(asset) ?? tab.count?.(asset) === 0;
  return [...mine.filter((tab) => !empty(tab)), ...mine.filter(empty)];
}
