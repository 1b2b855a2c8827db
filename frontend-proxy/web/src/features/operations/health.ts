import { entriesIn, listIn, numberIn, textIn } from "../../lib/answer";

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

type Name = "writes" | "elasticsearch" | "background";

const names: readonly [Name, string][] = [
  ["writes", "Writing"],
  ["elasticsearch", "Search and time series"],
  ["background", "Work in the background"],
];

/** The response with the health of the service. */
export type HealthReply = { readonly [Member in Name | `${Name}_detail`]?: string | null } & {
  readonly ready?: boolean | null;
  readonly projections?: readonly ({ readonly [Member in keyof Projection]?: Projection[Member] | null } | null)[] | null;
};

/** Reads the health of the service. Missing parts are omitted. */
export function readHealth(reply: HealthReply | null): Health {
  const parts = names.flatMap(([key, name]) => {
    const state = textIn(reply?.[key]);
    return state ? [{ name, state, detail: textIn(reply?.[`${key}_detail`]) }] : [];
  });
  if (typeof reply?.ready === "boolean") {
    parts.unshift({ name: "Requests", state: reply.ready ? "green" : "red", detail: reply.ready ? "" : "The service is starting, or ends." });
  }
  const projections = listIn(reply?.projections).map((one) => ({
    name: textIn(one.name),
    awaited: one.awaited === true,
    state: textIn(one.state),
    behind: numberIn(one.behind) ?? 0,
    failures: numberIn(one.failures) ?? 0,
    skipped: numberIn(one.skipped) ?? 0,
    lost: numberIn(one.lost) ?? 0,
  }));
  return { parts, projections };
}

type Table<Value> = Readonly<Record<string, Value | null>> | null;

/** The response with the positions of consumers, by consumer, topic and partition. */
export interface PositionsReply {
  readonly consumerGroups?: Table<Table<{ readonly partitions?: Table<{ readonly offset?: number | null }> }>>;
}

/**
 * Reads the latest position of each consumer in the change log, by name, from a response for tools that monitor
 * message consumers.
 */
export const positionsIn = (reply: PositionsReply | null): Map<string, number> =>
  new Map(
    entriesIn(reply?.consumerGroups).flatMap(([group, topics]) => {
      const partitions = entriesIn(topics).flatMap(([, topic]) => entriesIn(topic?.partitions));
      const offsets = partitions.flatMap(([, partition]) => numberIn(partition?.offset) ?? []);
      return offsets.length > 0 ? [[group.replace(/^generic-m[a-z]e-consumer-job-client-?/, ""), Math.max(...offsets)] as const] : [];
    }),
  );
