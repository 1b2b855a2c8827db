import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Export } from "../../components/export";
import { AddIcon, DomainIcon } from "../../components/icons";
import { Bones, Empty, Failure, Find, PageHead, Tools } from "../../components/parts";
import { everyPage } from "../../lib/csv";
import { pageIn } from "../../lib/found";
import { useParameters } from "../../lib/parameters";
import { run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { GovernParts } from "../../shared/govern/parts";
import { Acts, type Asked } from "./acts";
import { domainIn, exportCells, exportHead, rowsOf } from "./domain";
import { most, readLevel } from "./levels";
import { DomainTable } from "./table";
import { DomainsOf, FindDomains } from "./domains.operations";

const inputOf = (text: string, start: number, count: number) => ({
  types: ["DOMAIN" as const],
  query: text || "*",
  start,
  count,
  searchFlags: { skipAggregates: true, skipHighlighting: true },
});

async function find(text: string, start: number, count: number, signal?: AbortSignal) {
  const { data } = await run(FindDomains, { input: inputOf(text, start, count) }, signal);
  return pageIn(data.searchAcrossEntities, domainIn);
}

/** The domains page: the domain tree with owners and statistics. */
export default function DomainsPage() {
  useTitle("Domains");
  const { may } = useSession();
  const queries = useQueryClient();
  const [get, set] = useParameters();
  const [text] = useDebouncedValue(get("find").trim(), 200);
  const open = new Set(get("open").split(" ").filter(Boolean));
  const [asked, setAsked] = useState<Asked | null>(null);
  const parents = ["", ...open];
  const levels = useQueries({
    queries: parents.map((parent) => ({ queryKey: ["domains", "level", parent], enabled: text === "", queryFn: ({ signal }: { signal: AbortSignal }) => readLevel(parent, signal) })),
  });
  const found = useQuery({
    queryKey: ["domains", "find", text],
    enabled: text !== "",
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => find(text, 0, most, signal),
  });
  const first = levels[0];
  const changed = () => queries.invalidateQueries({ queryKey: ["domains"] });
  const error = text === "" ? first?.error : found.error;
  const rows =
    text === ""
      ? rowsOf(new Map(parents.map((parent, at) => [parent, levels[at]?.data?.domains])), open)
      : (found.data?.items ?? []).map((domain) => ({ domain: { ...domain, name: [...domain.above, domain.name].join(" / ") }, depth: 0, open: false }));
  const total = text === "" ? first?.data?.total : found.data?.total;
  const listed = text === "" ? first?.data?.domains.length : found.data?.items.length;
  return (
    <div className="page">
      <PageHead
        title="Domains"
        actions={
          <>
            <CopyAs call={{ query: DomainsOf.toString(), variables: { input: { start: 0, count: most } } }} />
            <Export
              name="domains"
              head={exportHead}
              rows={async () => {
                const all = await everyPage((start, count) => find(text, start, count), { size: 200 });
                return { rows: all.items.map(exportCells), total: all.total };
              }}
            />
            <Button
              look="primary"
              icon={<AddIcon size={16} stroke={1.5} aria-hidden />}
              reason={may.createDomains || may.manageDomains ? null : "You need the privilege Create Domains. Ask an administrator to add you to a policy that has it."}
              onClick={() => setAsked({ domain: null, what: "create" })}
            >
              Create domain
            </Button>
          </>
        }
      >
        The parts of the company, and who answers for the data of each. Figures count what is right in a domain, not in its sub-domains.
      </PageHead>
      <GovernParts here="/domains" />
      <Tools>
        <Find label="Find a domain" value={get("find")} onChange={(value) => set({ find: value })} />
        {total !== undefined && (
          <span className="muted small num" role="status">
            {text === "" ? counted(total, "domain at the top", "domains at the top") : counted(total, "match", "matches")}
          </span>
        )}
      </Tools>
      {error ? (
        <Failure what="the domains" error={error} onRetry={() => void (text === "" ? first?.refetch() : found.refetch())} />
      ) : total === undefined ? (
        <Bones rows={8} what="the domains" />
      ) : rows.length === 0 ? (
        <Empty
          icon={<DomainIcon size={20} stroke={1.5} aria-hidden />}
          title={text ? "No domain matches" : "No domain yet"}
          actions={text ? <Button onClick={() => set({ find: "" })}>Show all domains</Button> : null}
        >
          {text ? "The name and the description are searched." : "Begin with the parts of the company that speak of data in words of their own, such as sales or finance."}
        </Empty>
      ) : (
        <>
          <DomainTable
            label="Domains"
            rows={rows}
            {...(text === ""
              ? {
                  onToggle: (urn: string, on: boolean) =>
                    set({ open: (on ? [...open, urn] : [...open].filter((each) => each !== urn)).join(" ") }),
                }
              : {})}
            onAsk={setAsked}
          />
          {total > (listed ?? 0) && (
            <p className="muted small num">
              {numberText(listed ?? 0)} of {numberText(total)} are shown. Find the others by name.
            </p>
          )}
        </>
      )}
      {asked && <Acts asked={asked} onChanged={changed} onClose={() => setAsked(null)} />}
    </div>
  );
}
