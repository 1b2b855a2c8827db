import { listIn, numberIn, textIn } from "../../lib/answer";
import { keyOf } from "../../lib/text";
import { ownersText } from "../../shared/govern/people";
import { ownersIn, type Owner } from "../../shared/govern/read";
import type { ListedDomainFragment } from "./domains.operations";

const totalIn = (found: { total: number | null } | null | undefined) => Math.max(0, numberIn(found?.total) ?? 0);

/** A domain as lists show it, with how well the assets right in it are kept. */
export interface Domain {
  urn: string;
  name: string;
  description: string;
  owners: Owner[];
  /** The names of the domains above, from the top down. */
  above: string[];
  /** How many domains are right below it. */
  below: number;
  assets: number;
  owned: number;
  described: number;
  /** How many assets have an open incident. */
  troubled: number;
}

/** Reads a domain; what is none is left out. */
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

/** A row of a tree that is shown as a table. */
export interface Row {
  domain: Domain;
  depth: number;
  open: boolean;
}

/** The rows of the tree as far as it is open, each level by name. A circle of domains ends. */
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

/** The captions of an export of domains, and the cells of one. */
export const exportHead = ["Domain", "Below", "Description", "Owners", "Assets", "With owner", "With description", "With an open incident", "URN"];
export const exportCells = (domain: Domain) => [domain.name, domain.above.join(" / "), domain.description, ownersText(domain.owners), domain.assets, domain.owned, domain.described, domain.troubled, domain.urn];
