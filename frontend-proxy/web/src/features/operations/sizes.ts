/** The disk usage of an index. */
export interface Size {
  index: string;
  entity: string;
  aspect: string;
  /** Megabytes of 1,000,000 bytes; null if the server does not report the size. */
  mb: number | null;
  /** Further members of the response as text. */
  more: Record<string, string>;
}

/** The response with index sizes, or the raw text if it cannot be parsed. */
export type Reply = { sizes: Size[]; names: string[]; text: string } | { sizes: null; text: string };

const known = new Set(["indexName", "entityName", "aspectName", "sizeMb", "sizeInMb"]);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value));
const number = (value: unknown) => {
  const figure = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof figure === "number" && Number.isFinite(figure) ? figure : null;
};

/**
 * Reads the response, whose value is a string with JSON. Servers differ in the structure around the list and in
 * further members. Therefore the first list of objects is used, and unknown members are kept.
 */
export function readSizes(reply: unknown): Reply {
  const value = isObject(reply) && "value" in reply ? reply["value"] : reply;
  const raw = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  let parsed: unknown = value;
  if (typeof value === "string") {
    try {
      parsed = JSON.parse(value);
    } catch {
      return { sizes: null, text: raw };
    }
  }
  const list = Array.isArray(parsed) ? parsed : isObject(parsed) ? Object.values(parsed).find(Array.isArray) : undefined;
  if (!Array.isArray(list) || !list.every(isObject)) {
    return { sizes: null, text: raw };
  }
  const sizes = list.map(read).toSorted((a, b) => (b.mb ?? -1) - (a.mb ?? -1) || a.index.localeCompare(b.index));
  return { sizes, names: [...new Set(sizes.flatMap(({ more }) => Object.keys(more)))], text: raw };
}

function read(entry: Record<string, unknown>): Size {
  return {
    index: text(entry["indexName"]),
    entity: text(entry["entityName"]),
    aspect: text(entry["aspectName"]),
    mb: number(entry["sizeMb"]) ?? number(entry["sizeInMb"]),
    more: Object.fromEntries(Object.entries(entry).flatMap(([name, value]) => (known.has(name) ? [] : [[name, text(value)]]))),
  };
}

/** A unit of sizes, with its number of megabytes. */
export interface Unit {
  name: "kB" | "MB" | "GB";
  mb: number;
}

const units: readonly Unit[] = [
  { name: "GB", mb: 1000 },
  { name: "MB", mb: 1 },
  { name: "kB", mb: 0.001 },
];

/** The unit in which the largest size has at most five digits before the decimal point. */
export const unitOf = (largest: number): Unit => units.find(({ mb }) => largest >= (mb === 1000 ? 100_000 : mb)) ?? { name: "kB", mb: 0.001 };

/** Formats a size in a unit with significant decimals. */
export function sizeText(mb: number, unit: Unit): string {
  const value = mb / unit.mb;
  const digits = value >= 100 || value === 0 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

/** Formats a size in its best unit. */
export function sizeWithUnit(mb: number): [string, string] {
  const unit = mb >= 1000 ? (units[0] as Unit) : unitOf(mb);
  return [sizeText(mb, unit), unit.name];
}

/** Round ticks of a chart axis: at most five, from 0 to the first tick at or above the maximum. */
export function stepsTo(largest: number): number[] {
  if (!(largest > 0)) {
    return [0, 1];
  }
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const count = Math.ceil(largest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}
