const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === "string" ? value : "");
const number = (value: unknown) => (typeof value === "number" ? value : 0);

/** A component of the service with its state. */
export interface Part {
  name: string;
  state: string;
  detail: string;
}

/** A consumer of the change log. */
export interface Projection {
  name: string;
  awaited: boolean;
  state: string;
  behind: number;
  failures: number;
  skipped: number;
  lost: number;
}

export interface Health {
  parts: Part[];
  projections: Projection[];
}

const names: readonly [string, string][] = [
  ["writes", "Writing"],
  ["elasticsearch", "Search and time series"],
  ["background", "Work in the background"],
];

/** Reads the health of the service. Missing parts are omitted. */
export function readHealth(reply: unknown): Health {
  const all = isObject(reply) ? reply : {};
  const parts = names.flatMap(([key, name]) => (typeof all[key] === "string" ? [{ name, state: text(all[key]), detail: text(all[`${key}_detail`]) }] : []));
  if (typeof all["ready"] === "boolean") {
    parts.unshift({ name: "Requests", state: all["ready"] ? "green" : "red", detail: all["ready"] ? "" : "The service is starting, or ends." });
  }
  const list = Array.isArray(all["projections"]) ? (all["projections"] as unknown[]).filter(isObject) : [];
  const projections = list.map((one) => ({
    name: text(one["name"]),
    awaited: one["awaited"] === true,
    state: text(one["state"]),
    behind: number(one["behind"]),
    failures: number(one["failures"]),
    skipped: number(one["skipped"]),
    lost: number(one["lost"]),
  }));
  return { parts, projections };
}

/**
 * Reads the latest position of each consumer in the change log, by name, from a response for tools that monitor
 * message consumers.
 */
export function positionsIn(reply: unknown): Map<string, number> {
  const groups = isObject(reply) && isObject(reply["consumerGroups"]) ? reply["consumerGroups"] : {};
  return new Map(
    Object.entries(groups).flatMap(([group, topics]) => {
      const partitions = isObject(topics) ? Object.values(topics).flatMap((topic) => (isObject(topic) && isObject(topic["partitions"]) ? Object.values(topic["partitions"]) : [])) : [];
      const offsets = partitions.flatMap((one) => (isObject(one) && typeof one["offset"] === "number" ? [one["offset"]] : []));
      return offsets.length > 0 ? [[group.replace(/^generic-m[a-z]e-consumer-job-client-?/, ""), Math.max(...offsets)] as const] : [];
    }),
  );
}
