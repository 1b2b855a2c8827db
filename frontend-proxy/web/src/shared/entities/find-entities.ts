import { entitiesIn, rowEntitiesIn } from "../../lib/found";
import { listIn } from "../../lib/answer";
import { run } from "../../lib/request";
import { nameIn } from "../../lib/name";
import { EntitiesByText, EntitiesToPick, type EntitiesToPickQueryVariables } from "./entities.operations";

type EntityType = NonNullable<EntitiesToPickQueryVariables["input"]["types"]>[number];

const most = 20;

/**
 * Finds entities of the given types by a text and returns URNs with names. Without a text it returns the first
 * entities.
 */
export async function findEntities(text: string, kinds: readonly string[], signal: AbortSignal): Promise<[string, string][]> {
  const types = kinds as EntityType[];
  if (text === "") {
    const { data } = await run(EntitiesToPick, { input: { types, query: "*", start: 0, count: most } }, signal);
    return rowEntitiesIn(data.searchAcrossEntities?.searchResults).map((entity) => [entity.urn, nameIn(entity)]);
  }
  const { data } = await run(EntitiesByText, { input: { types, query: text, limit: most } }, signal);
  return listIn(data.autoCompleteForMultiple?.suggestions).flatMap(({ entities }) => entitiesIn(entities).map((entity): [string, string] => [entity.urn, nameIn(entity)]));
}
