import { queryOptions, useQuery } from "@tanstack/react-query";

import { typeOf } from "../../lib/asset";
import type { Call } from "../../lib/copy";
import { readSettled } from "../../lib/optimistic";
import { problemOf, type Problem } from "../../lib/problem";
import { run, send } from "../../lib/request";
import { assetIn, isBare, type Asset } from "./asset";
import { isShaped, queryOf, tellsExistence } from "./query";

/** The REST path that returns the aspects of an entity. */
export const entityPath = (urn: string) => `/openapi/v3/entity/${encodeURIComponent(typeOf(urn))}/${encodeURIComponent(urn)}`;

const isRefused = (field: string) => (problem: Problem) => problem.reason === "refused" && problem.details.path === field;

async function read(urn: string, signal: AbortSignal): Promise<Asset> {
  const type = typeOf(urn);
  if (!isShaped(type)) {
    // Loaded on demand, because few pages have such a type.
    const [{ assetOfAspects }, aspects] = await Promise.all([import("./asset-of-aspects"), send<unknown>(entityPath(urn), { signal })]);
    return assetOfAspects(urn, aspects);
  }
  const { operation, variables } = queryOf(type, urn);
  const { data, problems } = await run(operation, variables, signal);
  const untold = data.entity?.exists === false ? problems.find(isRefused("entityExists")) : undefined;
  if (untold) {
    // The response for a hidden entity equals the one for a missing entity. A request for its aspects fails with the
    // name of the missing view privilege.
    await refuseHidden(urn, signal);
  }
  const refused = problems.find(isRefused("entity")) ?? untold;
  if (refused || (problems[0] && !data.entity && data.entityExists !== false)) {
    throw refused ?? problems[0];
  }
  const asset = assetIn(urn, data);
  if (asset.exists && !tellsExistence(type) && tellsNothing(asset)) {
    await refuseHidden(urn, signal);
  }
  return asset;
}

// An entity that the actor may not view arrives without members. For types whose GraphQL type has no exists member,
// it looks like an entity without data. A request for its aspects tells the two apart.
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

/** The cached query for the header data of an asset. */
export const assetQuery = (urn: string) => queryOptions({ queryKey: ["asset", urn], queryFn: readSettled((signal) => read(urn, signal)) });

/** The asset of a page; null if no entity is stored under the URN. */
export function useAsset(urn: string): { asset: Asset | null | undefined; error: unknown; refetch: () => void } {
  const { data, error, refetch } = useQuery(assetQuery(urn));
  const absent = error ? ["missing", "invalid"].includes(problemOf(error).reason) : data?.exists === false;
  return { asset: absent ? null : data, error: absent ? null : error, refetch: () => void refetch() };
}

/** The request for the header data of an asset, for users to copy. */
export function callOf(urn: string): Call {
  const type = typeOf(urn);
  if (!isShaped(type)) {
    return { path: entityPath(urn), method: "GET" };
  }
  const { operation, variables } = queryOf(type, urn);
  return { query: String(operation), variables };
}
