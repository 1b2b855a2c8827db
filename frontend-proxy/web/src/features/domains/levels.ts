import { listIn, numberIn } from "../../lib/answer";
import { run } from "../../lib/request";
import { domainIn } from "./domain";
import { DomainsOf } from "./domains.operations";

/** The maximum number of domains per level. The search field finds the others. */
export const most = 200;

/** Reads the direct subdomains of a domain, or the top level. */
export async function readLevel(parent: string, signal: AbortSignal) {
  const { data } = await run(DomainsOf, { input: { start: 0, count: most, ...(parent ? { parentDomain: parent } : {}) } }, signal);
  return { domains: listIn(data.listDomains?.domains).flatMap(domainIn), total: numberIn(data.listDomains?.total) ?? 0 };
}
