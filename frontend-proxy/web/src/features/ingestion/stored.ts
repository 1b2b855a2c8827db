import { listIn, textIn } from "../../lib/answer";
import type { IngestionSourceQuery, UpdateIngestionSourceMutationVariables } from "./ingestion.operations";

type Input = UpdateIngestionSourceMutationVariables["input"];

/** A source in the form in which it is stored. */
export interface Source extends Input {
  urn: string;
}

/** Reads a source; null if there is none. */
export function sourceIn(found: IngestionSourceQuery["ingestionSource"]): Source | null {
  const urn = textIn(found?.urn);
  const interval = textIn(found?.schedule?.interval);
  return found && urn
    ? {
        urn,
        name: textIn(found.name) || urn,
        type: textIn(found.type),
        schedule: interval ? { interval, timezone: textIn(found.schedule?.timezone) || "UTC" } : null,
        config: {
          recipe: textIn(found.config?.recipe),
          executorId: textIn(found.config?.executorId) || "default",
          version: textIn(found.config?.version) || null,
          debugMode: found.config?.debugMode ?? null,
          extraArgs: found.config?.extraArgs ? listIn(found.config.extraArgs).map(({ key, value }) => ({ key: textIn(key), value })) : null,
        },
        source: found.source?.type ? { type: found.source.type } : null,
      }
    : null;
}
