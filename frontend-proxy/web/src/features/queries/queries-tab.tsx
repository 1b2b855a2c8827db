import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { Asset as Chip } from "../../components/asset";
import { Button } from "../../components/button";
import { Confirm } from "../../components/dialog";
import { Export } from "../../components/export";
import { AddIcon, DeleteIcon, EditIcon, QueryIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Badge, Bones, Code, Empty, Failure, Find, Segments, Tools, When } from "../../components/parts";
import { toast } from "../../components/toast";
import { listIn, numberIn } from "../../lib/answer";
import { everyPage, timeText } from "../../lib/csv";
import { Fallback, lazy } from "../../lib/lazy";
import { useNow } from "../../lib/now";
import { startOf, useParameters } from "../../lib/parameters";
import { change, run, send } from "../../lib/request";
import { counted, numberText, shortOf } from "../../lib/text";
import { reasonOf } from "../../shared/asset/edit";
import { useAsset } from "../../shared/asset/read";
import type { TabProps } from "../../shared/asset/tabs";
import { startOf as firstDay } from "../../shared/stats/stats";
import { DeleteQuery, QueriesOf, type QueriesOfQueryVariables } from "./queries.operations";
import styles from "./queries.module.css";
import { queryIn, readersIn, type Query } from "./query";
import { peopleAsked, runsAsked, statsPath, usesIn, type Stats, type Use } from "./use";

const EditQuery = lazy(() => import("./edit"));

const size = 20;

const sources = { kept: "MANUAL", found: "SYSTEM" } as const;

async function read(variables: QueriesOfQueryVariables, signal?: AbortSignal) {
  const { data } = await run(QueriesOf, variables, signal);
  return { items: listIn(data.listQueries?.queries).flatMap(queryIn), total: numberIn(data.listQueries?.total) ?? 0, readers: readersIn(data) };
}

type Asked = { what: "edit"; query: Query | null } | { what: "delete"; query: Query };

/** The queries of a dataset: saved ones and ones observed in query logs. */
export default function QueriesTab({ urn }: TabProps) {
  const queries = useQueryClient();
  const { asset } = useAsset(urn);
  const [get, set] = useParameters();
  const [text] = useDebouncedValue(get("find").trim(), 200);
  const [asked, setAsked] = useState<Asked | null>(null);
  const start = startOf(get("page"), size);
  const show = get("show") === "kept" || get("show") === "found" ? (get("show") as keyof typeof sources) : "all";
  const input = { datasetUrn: urn, ...(text ? { query: text } : {}), ...(show === "all" ? {} : { source: sources[show] }) };
  const { data, error, refetch } = useQuery({
    queryKey: ["asset", urn, "queries", text, show, start],
    placeholderData: keepPreviousData,
    // The request includes the users of the dataset, because statistics of queries contain only their URNs.
    queryFn: ({ signal }) => read({ input: { ...input, start, count: size }, urn, readers: true }, signal),
  });
  const uses = useUses((data?.items ?? []).map((each) => each.urn));
  if (error && !data) {
    return <Failure what="the queries" error={error} onRetry={() => void refetch()} />;
  }
  if (!asset || !data) {
    return <Bones rows={8} what="the queries" />;
  }
  const changed = () => queries.invalidateQueries({ queryKey: ["asset", urn, "queries"] });
  const reason = reasonOf(asset, "canEditQueries");
  const add = (
    <Button icon={<AddIcon size={16} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setAsked({ what: "edit", query: null })}>
      New query
    </Button>
  );
  const narrowed = text !== "" || show !== "all";
  return (
    <>
      <Tools>
        <Find label="Find a query" value={get("find")} onChange={(find) => set({ find, page: "" })} />
        <Segments
          label="Which queries"
          value={show}
          options={[
            { value: "all", label: "All" },
            { value: "kept", label: "Highlighted" },
            { value: "found", label: "Found in logs" },
          ]}
          onChange={(value) => set({ show: value === "all" ? "" : value, page: "" })}
        />
        <span className="muted small num" role="status">
          {counted(data.total, "query", "queries")}
        </span>
        <span className="end row">
          <Export
            name="queries"
            head={["Name", "Description", "SQL", "Source", "By", "Changed", "URN"]}
            reason={data.total === 0 ? "There is nothing to export." : null}
            rows={async () => {
              const all = await everyPage((from, count) => read({ input: { ...input, start: from, count } }), { size: 100 });
              return { rows: all.items.map((each) => [each.name, each.description, each.statement, each.manual ? "Highlighted" : "Found in logs", each.by, timeText(each.changed), each.urn]), total: all.total };
            }}
          />
          {data.total > 0 && add}
        </span>
      </Tools>
      {data.items.length === 0 ? (
        <Empty
          icon={<QueryIcon size={20} stroke={1.5} aria-hidden />}
          title={narrowed ? "No query matches" : "No query yet"}
          actions={narrowed ? <Button onClick={() => set({ find: "", show: "", page: "" })}>Show all queries</Button> : add}
        >
          {narrowed ? "Names, descriptions and SQL are searched." : "Keep the queries that others would otherwise ask for. Ingestion adds those it finds in logs."}
        </Empty>
      ) : (
        <ul className={styles["list"]} aria-label="Queries">
          {data.items.map((query) => (
            <One key={query.urn} query={query} use={uses.get(query.urn)} readers={data.readers} here={urn} reason={reason} onAsk={setAsked} />
          ))}
        </ul>
      )}
      <Pager label="queries" start={start} size={size} total={data.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
      {asked?.what === "edit" && (
        <Fallback show={null}>
          <EditQuery dataset={urn} query={asked.query} onSaved={changed} onClose={() => setAsked(null)} />
        </Fallback>
      )}
      {asked?.what === "delete" && (
        <Confirm
          title={`Delete ${nameOf(asked.query)}?`}
          verb="Delete query"
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            await change(DeleteQuery, { urn: asked.query.urn });
            await changed();
            toast({ title: "The query was deleted" });
          }}
        >
          {asked.query.datasets.length > 1 ? `It goes from all ${numberText(asked.query.datasets.length)} datasets that it is about.` : "It goes from this dataset."} This cannot be undone.
        </Confirm>
      )}
    </>
  );
}

const nameOf = ({ name }: Query) => name || "Unnamed query";

const [days, few] = [30, 5];
const unknown: ReadonlyMap<string, Use> = new Map();

// Statistics are loaded after the queries. If they fail, the queries are shown without them.
function useUses(urns: readonly string[]): ReadonlyMap<string, Use> {
  const from = firstDay(useNow(), days);
  const { data } = useQuery({
    queryKey: ["query-uses", urns, from],
    enabled: urns.length > 0,
    retry: false,
    queryFn: async ({ signal }) => {
      const ask = (body: unknown) => send<Stats | null>(statsPath, { method: "POST", body, signal });
      const [runs, people] = await Promise.all([ask(runsAsked(urns, from)), ask(peopleAsked(urns, from))]);
      return usesIn(runs, people);
    },
  });
  return data ?? unknown;
}

function UseLine({ use: { last, runs, people }, readers }: { use: Use; readers: ReadonlyMap<string, string> }) {
  return (
    <div className={styles["others"]}>
      <span className="muted small num">
        {last !== undefined && (
          <>
            Last run <When at={last} />
            {runs > 0 && ", "}
          </>
        )}
        {runs > 0 && `${counted(runs, "run")} in ${days} days`}
        {people.length > 0 && " by"}
      </span>
      {people.slice(0, few).map(({ urn, count }) => (
        <span key={urn} title={counted(count, "run")}>
          <Chip urn={urn} name={readers.get(urn) ?? shortOf(urn)} />
        </span>
      ))}
      {people.length > few && <span className="faint small">and {numberText(people.length - few)} more</span>}
    </div>
  );
}

function One({ query, use, readers, here, reason, onAsk }: { query: Query; use: Use | undefined; readers: ReadonlyMap<string, string>; here: string; reason: string | null; onAsk: (asked: Asked) => void }) {
  const { description, statement, manual, by, changed, datasets } = query;
  const others = datasets.filter(({ urn }) => urn !== here);
  const name = nameOf(query);
  return (
    <li>
      <div className={styles["head"]}>
        <h2 className="break" dir="auto">
          {name}
        </h2>
        {!manual && <Badge>Found in logs</Badge>}
        <span className="row end">
          <Button size="small" look="quiet" label={`Edit ${name}`} icon={<EditIcon size={14} stroke={1.5} aria-hidden />} reason={reason} onClick={() => onAsk({ what: "edit", query })} />
          <Button size="small" look="quiet" label={`Delete ${name}`} icon={<DeleteIcon size={14} stroke={1.5} aria-hidden />} reason={reason} onClick={() => onAsk({ what: "delete", query })} />
        </span>
      </div>
      {description && (
        <p className="muted break" dir="auto">
          {description.slice(0, 1000)}
        </p>
      )}
      <div className={styles["statement"]}>
        <Code text={statement} label={`SQL of ${name}`} />
      </div>
      <p className="faint small">
        {by && `By ${by}`}
        {by && changed !== undefined && ", "}
        {changed !== undefined && (
          <>
            {by ? "changed " : "Changed "}
            <When at={changed} />
          </>
        )}
      </p>
      {use && (use.last !== undefined || use.runs > 0) && <UseLine use={use} readers={readers} />}
      {others.length > 0 && (
        <div className={styles["others"]}>
          <span className="faint small">Also about</span>
          {others.slice(0, 8).map((each) => (
            <Chip key={each.urn} urn={each.urn} name={each.name} />
          ))}
          {others.length > 8 && <span className="faint small">and {numberText(others.length - 8)} more</span>}
        </div>
      )}
    </li>
  );
}
