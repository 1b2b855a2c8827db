import { queryOptions, useQuery } from "@tanstack/react-query";

import { typeOf } from "../../lib/asset";
import type { Call } from "../../lib/copy";
import { at } from "../../lib/loose";
import { readSettled } from "../../lib/optimistic";
import { problemOf, type Problem } from "../../lib/problem";
import { run, send, type Operation } from "../../lib/request";
import { assetIn, isBare, type Asset } from "./asset";
import { isShaped, queryOf, tellsExistence } from "./query";

/** Where the aspects of an entity are read. */
export const entityPath = (urn: string) => `/openapi/v3/entity/${encodeURIComponent(typeOf(urn))}/${encodeURIComponent(urn)}`;

const operation = (query: string): Operation<unknown, Record<string, unknown>> => ({ toString: () => query });

const isRefused = (field: string) => (problem: Problem) => problem.reason === "refused" && problem.details.path === field;

async function read(urn: string, signal: AbortSignal): Promise<Asset> {
  const type = typeOf(urn);
  if (!isShaped(type)) {
    // Few pages are of such a type.
    const [{ assetOfAspects }, aspects] = await Promise.all([import("./asset-of-aspects"), send<unknown>(entityPath(urn), { signal })]);
    return assetOfAspects(urn, aspects);
  }
  const { query, variables } = queryOf(type, urn);
  const { data, problems } = await run(operation(query), variables, signal);
  const untold = at(data, "entity", "exists") === false ? problems.find(isRefused("entityExists")) : undefined;
  if (untold) {
    // A hidden entity and an absent one get the same answer. The refusal of its aspects names the privilege to view it.
    await refuseHidden(urn, signal);
  }
  const refused = problems.find(isRefused("entity")) ?? untold;
  if (refused || (problems[0] && (at(data, "entity") ?? null) === null && at(data, "entityExists") !== false)) {
    throw refused ?? problems[0];
  }
  const asset = assetIn(urn, data);
  if (asset.exists && !tellsExistence(type) && tellsNothing(asset)) {
    await refuseHidden(urn, signal);
  }
  return asset;
}

// What may not be viewed comes without its members. Of types that GraphQL does not say of whether they exist, it looks
// like an entity of which nothing was written: the aspects tell the one from the other.
const tellsNothing = (asset: Asset) => isBare({ ...asset, path: [], held: 0 });

async function refuseHidden(urn: string, signal: AbortSignal): Promise<void> {
  try {
    await send(`${entityPath(urn)}?aspects=${encodeURIComponent(`${typeOf(urn)}Key`)}`, { signal });
  } catch (error) {
    if (problemOf(error).reason === "refused") {
      throw error;
    }
  }
}

/** The head of an asset, as the cache of answers knows it. */
export const assetQuery = (urn: string) => queryOptions({ queryKey: ["asset", urn], queryFn: readSettled((signal) => read(urn, signal)) });

/** The asset of a page, null where nothing is stored by its URN. */
export function useAsset(urn: string): { asset: Asset | null | undefined; error: unknown; refetch: () => void } {
  const { data, error, refetch } = useQuery(assetQuery(urn));
  const absent = error ? ["missing", "invalid"].includes(problemOf(error).reason) : data?.exists === false;
  return { asset: absent ? null : data, error: absent ? null : error, refetch: () => void refetch() };
}

/** What reads the head of an asset, for people to repeat. */
export function callOf(urn: string): Call {
  const type = typeOf(urn);
  return isShaped(type) ? queryOf(type, urn) : { path: entityPath(urn), method: "GET" };
}
