import { listIn, numberIn, textIn } from "../../lib/answer";
import { keyOf } from "../../lib/text";
import { ownersText } from "../../shared/govern/people";
import { ownersIn, type Owner } from "../../shared/govern/read";
import type { ListedDomainFragment } from "./domains.operations";

const totalIn = (found: { total: number | null } | null | undefined) => Math.max(0, numberIn(found?.total) ?? 0);

/** A domain in a list, with statistics about its direct assets. */
export interface Domain {
  urn: string;
  name: string;
  description: string;
  owners: Owner[];
  /** The names of the parent domains, from the top down. */
  above: string[];
  /** The number of direct subdomains. */
  below: number;
  assets: number;
  owned: number;
  described: number;
  /** The number of assets with an open incident. */
  troubled: number;
}

/** Reads a domain; empty for other entities. */
export function domainIn(entity: Partial<ListedDomainFragment> | null): Domain[] {
  const urn = textIn(entity?.urn);
  if (!entity || !urn.startsWith("urn:li:domain:")) {
    return [];
  }
  const facts = entity.properties;
  return [
    {
      urn,
      name: textIn(facts?.name) || keyOf(urn),
      description: textIn(facts?.description),
      owners: ownersIn(entity.ownership),
      above: listIn(entity.parentDomains?.domains)
        .flatMap((each) => (textIn(each.urn) ? [textIn(each.properties?.name) || keyOf(textIn(each.urn))] : []))
        .toReversed(),
      below: totalIn(entity.below),
      assets: totalIn(entity.assets),
      owned: totalIn(entity.owned),
      described: totalIn(entity.described),
      troubled: totalIn(entity.troubled),
    },
  ];
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** A row of a tree table. */
export interface Row {
  domain: Domain;
  depth: number;
  open: boolean;
}

/** The visible rows of the tree, sorted by name within each level. A cycle of domains is cut off. */
export function rowsOf(levels: ReadonlyMap<string, readonly Domain[] | undefined>, open: ReadonlySet<string>, at = "", depth = 0, path: readonly string[] = []): Row[] {
  const rows: Row[] = [];
  for (const domain of (levels.get(at) ?? []).toSorted((a, b) => collator.compare(a.name, b.name) || (a.urn < b.urn ? -1 : 1))) {
    const isOpen = open.has(domain.urn) && !path.includes(domain.urn);
    rows.push({ domain, depth, open: isOpen });
    if (isOpen) {
      rows.push(...rowsOf(levels, open, domain.urn, depth + 1, [...path, domain.urn]));
    }
  }
  return rows;
}

/** The column titles of an export of domains, and the cells of a domain. */
export const exportHead = ["Domain", "Below", "Description", "Owners", "Assets", "With owner", "With description", "With an open incident", "URN"];
export const exportCells = (domain: Domain) => [domain.name, domain.above.join(" / "), domain.description, ownersText(domain.owners), domain.assets, domain.owned, domain.described, domain.troubled, domain.urn];
