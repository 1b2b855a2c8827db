import type { Lazy } from "../../lib/lazy";
import type { Asset } from "./asset";

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

/** What a tab of an asset is called. */
export const titleOf = ({ title }: Tab, { type }: Asset) => (typeof title === "string" ? title : title(type));

/** The tabs of an asset: those that hold something first. */
export function tabsOf(asset: Asset, all: readonly Tab[]): Tab[] {
  const mine = all.filter((tab) => (typeof tab.for === "function" ? tab.for(asset) : tab.for.includes(asset.type)));
  const empty = (tab: Tab) => tab.empty?.(asset) ?? tab.count?.(asset) === 0;
  return [...mine.filter((tab) => !empty(tab)), ...mine.filter(empty)];
}
