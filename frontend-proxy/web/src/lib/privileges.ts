import { listIn, textIn } from "./answer";
import { privilegeName } from "./text";

export interface Privilege {
  type: string;
  name: string;
  description: string;
}

type List<Item> = readonly (Item | null)[] | null | undefined;

interface Told {
  type: string | null;
  displayName: string | null;
  description?: string | null;
}

/** The privileges that the server offers for policies. */
export interface Offered {
  platformPrivileges: List<Told>;
  resourcePrivileges: List<{ privileges: List<Told> }>;
}

const privilegesIn = (list: List<Told>): Privilege[] =>
  listIn(list).flatMap(({ type, displayName, description }) => {
    const id = textIn(type);
    return id ? [{ type: id, name: textIn(displayName) || privilegeName(id), description: textIn(description) }] : [];
  });

/** The privileges that the server offers for the catalog. */
export const platformIn = (offered: Offered | null | undefined): Privilege[] => privilegesIn(offered?.platformPrivileges);

/** The privileges that the server offers for assets. A privilege of several asset types occurs several times. */
export const assetIn = (offered: Offered | null | undefined): Privilege[] => listIn(offered?.resourcePrivileges).flatMap(({ privileges }) => privilegesIn(privileges));

/** The titles of the asset types for which the server offers privileges, by type. */
export const assetTypesIn = (offered: { readonly resourcePrivileges: List<{ resourceType: string | null; resourceTypeDisplayName: string | null }> } | null | undefined): ReadonlyMap<string, string> =>
  new Map(
    listIn(offered?.resourcePrivileges).flatMap(({ resourceType, resourceTypeDisplayName }) => {
      const type = textIn(resourceType);
      return type ? [[type, textIn(resourceTypeDisplayName) || type] as const] : [];
    }),
  );
