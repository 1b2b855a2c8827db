import { queryOptions, useQuery } from "@tanstack/react-query";

import { run } from "../../lib/request";
import { OwnershipTypes } from "./asset.operations";

/** The query for all ownership types. */
export const ownershipTypesQuery = queryOptions({
  queryKey: ["ownership-types"],
  staleTime: 5 * 60_000,
  queryFn: async ({ signal }) => (await run(OwnershipTypes, { input: { start: 0, count: 100 } }, signal)).data.listOwnershipTypes.ownershipTypes,
});

/** All ownership types; empty until they are loaded. */
export const useOwnershipTypes = () => useQuery(ownershipTypesQuery).data ?? [];
