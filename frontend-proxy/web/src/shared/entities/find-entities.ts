import { listIn } from "../../lib/answer";
import { run } from "../../lib/request";
import { namesIn } from "./entities";
import { EntitiesByText, EntitiesToPick, type EntitiesToPickQueryVariables } from "./entities.operations";

type EntityType = NonNullable<EntitiesToPickQueryVariables["input"]["types"]>[number];

const most = 20;

/**
 * Finds entities of the given types by a text and returns URNs with names. Without a text it returns the first
 * entities, and without types it searches all.
 */
export async function findEntities(text: string, kinds: readonly string[], signal: AbortSignal): Promise<[string, string][]> {
  const types = kinds.length > 0 ? { types: kinds as EntityType[] } : {};
  const found =
    text === ""
      ? listIn((await run(EntitiesToPick, { input: { ...types, query: "*", start: 0, count: most, searchFlags: { skipAggregates: true } } }, signal)).data.searchAcrossEntities?.searchResults).map(({ entity }) => entity)
      : listIn((await run(EntitiesByText, { input: { ...types, query: text, limit: most } }, signal)).data.autoCompleteForMultiple?.suggestions).flatMap(({ entities }) => listIn(entities));
  return namesIn(found);
}
