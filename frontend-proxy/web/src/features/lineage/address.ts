import { useMediaQuery } from "@mantine/hooks";

import { typeOf } from "../../lib/asset";
import { useParameters } from "../../lib/parameters";
import type { Column } from "../../lib/column";
import { openKey, readOpen, writeOpen, type Way } from "./graph";

export type View = "graph" | "table" | "impact";
export type Direction = "both" | Way;

/** How many assets a graph shows before it asks. */
export const usualMost = 100;

/** How many assets a graph shows at all. The list of what is reached has no such end. */
export const utmost = 1000;

/** How many neighbours are read at first. */
export const firstNeighbours = 50;

/** What the address of the page says of a lineage. */
export interface Address {
  view: View;
  direction: Direction;
  /** How many steps the graph goes by itself. */
  steps: number;
  column: Column | null;
  /** The asset that the panel shows. */
  chosen: string;
  /** The asset that a path leads to. */
  to: string;
  platform: string;
  /** A type in GraphQL. */
  kind: string;
  /** Removed and deprecated assets are left out. */
  live: boolean;
  /** Only what is between the root and the chosen asset is shown. */
  only: boolean;
  grouped: boolean;
  open: ReadonlyMap<string, number>;
  most: number;
}

const oneOf = <Value extends string>(text: string, values: readonly Value[], usual: Value): Value => values.find((value) => value === text) ?? usual;

const numberIn = (text: string, low: number, high: number, usual: number) => (/^\d{1,6}$/u.test(text) ? Math.min(high, Math.max(low, Number(text))) : usual);

const urnIn = (text: string) => (typeOf(text) === "" ? "" : text);

/** Reads an address. What it cannot mean is as if it were not there. */
export function readAddress(get: (name: string) => string, root: string, narrow: boolean): Address {
  const path = get("column");
  return {
    view: oneOf(get("view"), ["graph", "table", "impact"], narrow ? "table" : "graph"),
    direction: oneOf(get("direction"), ["both", "up", "down"], "both"),
    steps: numberIn(get("steps"), 1, 10, 1),
    column: path ? { urn: urnIn(get("of")) || root, path } : null,
    chosen: urnIn(get("node")),
    to: urnIn(get("to")),
    platform: get("platform"),
    kind: get("kind"),
    live: get("state") === "live",
    only: get("only") === "1",
    grouped: get("group") !== "off",
    open: readOpen(get("open")),
    most: numberIn(get("most"), usualMost, utmost, usualMost),
  };
}

/** What the address says, and ways to change it. */
export function useAddress(root: string) {
  const narrow = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false }) ?? false;
  const [get, set] = useParameters();
  const address = readAddress(get, root, narrow);
  return {
    ...address,
    /** Changes some of it; each change is a step that Back undoes. */
    set: (changes: Record<string, string>) => set(changes, { push: true }),
    choose: (urn: string) => set({ node: urn, only: "" }, { push: true }),
    chooseColumn: (column: Column | null) => set({ column: column?.path ?? "", of: column && column.urn !== root ? column.urn : "" }, { push: true }),
    /** Shows so many neighbours of an asset, none if it is 0. */
    setOpen: (urn: string, way: Way, count: number) => {
      const open = new Map(address.open);
      open.delete(openKey(urn, way));
      if (count > 0) {
        open.set(openKey(urn, way), count);
      }
      set({ open: writeOpen(open) }, { push: true });
    },
  };
}

export type AddressState = ReturnType<typeof useAddress>;
