import { useMediaQuery } from "@mantine/hooks";

import { typeOf } from "../../lib/asset";
import { useParameters } from "../../lib/parameters";
import type { Column } from "../../lib/column";
import { openKey, readOpen, writeOpen, type Way } from "./graph";

export type View = "graph" | "table" | "impact";
export type Direction = "both" | Way;

/** The maximum number of assets in a graph without confirmation by the user. */
export const usualMost = 100;

/** The maximum number of assets in a graph. The impact list has no such limit. */
export const utmost = 1000;

/** The number of neighbours to read initially. */
export const firstNeighbours = 50;

/** The state of the lineage page in the address. */
export interface Address {
  view: View;
  direction: Direction;
  /** The number of hops that the graph expands automatically. */
  steps: number;
  column: Column | null;
  /** The asset in the side panel. */
  chosen: string;
  /** The target asset of a path. */
  to: string;
  platform: string;
  /** The asset type in GraphQL. */
  kind: string;
  /** Hides removed and deprecated assets. */
  live: boolean;
  /** Shows only assets between the root and the selected asset. */
  only: boolean;
  grouped: boolean;
  open: ReadonlyMap<string, number>;
  most: number;
}

const oneOf = <Value extends string>(text: string, values: readonly Value[], usual: Value): Value => values.find((value) => value === text) ?? usual;

const numberIn = (text: string, low: number, high: number, usual: number) => (/^\d{1,6}$/u.test(text) ? Math.min(high, Math.max(low, Number(text))) : usual);

const urnIn = (text: string) => (typeOf(text) === "" ? "" : text);

/** Reads an address. Invalid values are ignored. */
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

/** The state in the address, with functions that change it. */
export function useAddress(root: string) {
  const narrow = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false }) ?? false;
  const [get, set] = useParameters();
  const address = readAddress(get, root, narrow);
  return {
    ...address,
    /** Changes parts of the state. Each change adds an entry to the browser history. */
    set: (changes: Record<string, string>) => set(changes, { push: true }),
    choose: (urn: string) => set({ node: urn, only: "" }, { push: true }),
    chooseColumn: (column: Column | null) => set({ column: column?.path ?? "", of: column && column.urn !== root ? column.urn : "" }, { push: true }),
    /** Sets the number of visible neighbours of an asset; 0 collapses them. */
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
