import { queryOptions, useQuery } from "@tanstack/react-query";

import { run } from "../../lib/request";
import { OwnershipTypes } from "./asset.operations";

/** Asks for the ownership types that owners can have. */
export const ownershipTypesQuery = queryOptions({
  queryKey: ["ownership-types"],
  staleTime: 5 * 60_000,
  queryFn: async ({ signal }) => (await run(OwnershipTypes, { input: { start: 0, count: 100 } }, signal)).data.listOwnershipTypes.ownershipTypes,
});

/** The ownership types that owners can have, none until they are read. */
export const useOwnershipTypes = () => useQuery(ownershipTypesQuery).data ?? [];
