import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Platform } from "../../components/asset";
import { Bars } from "../../components/bars";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Export } from "../../components/export";
import { AddIcon, DownloadIcon, RunIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Badge, Bones, Empty, Failure, Find, Kept, Note, Segments, Tools } from "../../components/parts";
import { Rows } from "../../components/rows";
import { numberIn, textIn } from "../../lib/answer";
import { everyPage, timeText } from "../../lib/csv";
import { entitiesIn } from "../../lib/found";
import { lazy } from "../../lib/lazy";
import { useNow } from "../../lib/now";
import { startOf, useParameters } from "../../lib/parameters";
import { run, send } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { exactText, untilText } from "../../lib/time";
import { platformName } from "../../lib/name";
import { executionsIn, idleOf, type Execution } from "./execution";
import { BeganAt, needsIngestion, runAddress, runNow, soon, sourceAddress, StateOf, Took } from "./executions";
import { IngestionHead } from "./head";
import { IngestionReports, IngestionSources, type IngestionReportsQueryVariables, type IngestionSourcesQueryVariables } from "./ingestion.operations";
import { nextRun } from "./next";
import { assetsOf, reportIn, toldBy, troubleText, type Report } from "./report";
import { scheduleText } from "./schedule";
import styles from "./ingestion.module.css";

const Edit = lazy(() => import("./edit"));

const size = 50;

interface Row {
  source: Source;
  runs: readonly Execution[];
  last: Execution | undefined;
}

interface Source {
  urn: string;
  name: string;
  platform: string;
  /** The cron expression; empty for a source without schedule. */
  interval: string;
  timezone: string;
  system: boolean;
}

const weights = { bad: 0, warn: 1, plain: 2, ok: 2 } as const;

// Reports whether programs follow the change stream; null while the service does not know.
async function readFollowed(signal: AbortSignal) {
  const { managedIngestion } = await send<{ managedIngestion?: { followed?: unknown } }>("/api/gms/config", { signal });
  const followed = managedIngestion?.followed;
  return typeof followed === "boolean" ? followed : null;
}

async function read(variables: IngestionSourcesQueryVariables, signal?: AbortSignal) {
  const { data } = await run(IngestionSources, variables, signal);
  const page = data.listIngestionSources;
  const sources = entitiesIn(page?.ingestionSources).map(({ urn, name, type, schedule, source, platform, executions }): Row => {
    const runs = executionsIn(executions);
    const interval = textIn(schedule?.interval);
    return {
      source: { urn, name: textIn(name) || urn, platform: (platform && platformName(platform)) || textIn(type), interval, timezone: textIn(schedule?.timezone), system: source?.type === "SYSTEM" },
      runs,
      last: runs[0],
    };
  });
  return { sources, total: numberIn(page?.total) ?? 0, taken: numberIn(data.taken?.total) };
}

// Sorts failures first, then warnings. Otherwise the order of the server is kept.
function inOrder(rows: readonly Row[], reports: ReadonlyMap<string, Report> | undefined): Row[] {
  const weight = ({ last }: Row) => (last ? weights[last.tone] : 2);
  return rows
    .map((row) => {
      const [first, ...more] = row.runs;
      const last = first && toldBy(first, reports?.get(row.source.urn));
      return last ? { ...row, last, runs: [last, ...more] } : row;
    })
    .toSorted((a, b) => weight(a) - weight(b));
}

// Reads the report of the last run of each source. It is loaded after the list, because reports can be long.
async function readReports(variables: IngestionReportsQueryVariables, signal: AbortSignal) {
  const { data } = await run(IngestionReports, variables, signal);
  return new Map(
    entitiesIn(data.listIngestionSources?.ingestionSources).flatMap(({ urn, executions }): [string, Report][] => {
      const report = reportIn(entitiesIn(executions?.executionRequests)[0]?.result?.structuredReport?.serializedValue);
      return report ? [[urn, report]] : [];
    }),
  );
}

const kinds = ["failing", "warnings", "unscheduled"] as const;
type Kind = (typeof kinds)[number];

const isOf = ({ source, last }: Row, kind: Kind) => (kind === "unscheduled" ? !source.interval : last?.tone === (kind === "failing" ? "bad" : "warn"));

/** The ingestion sources with their schedules and the results of their last runs. */
export default function SourcesPage() {
  useTitle("Ingestion");
  const { may } = useSession();
  const queries = useQueryClient();
  const [get, set] = useParameters();
  const [text] = useDebouncedValue(get("find").trim(), 200);
  const start = startOf(get("page"), size);
  const [creating, setCreating] = useState(false);
  const variables = { input: { start, count: size, query: text || "*" } };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["ingestion", "sources", text, start],
    enabled: may.manageIngestion === true,
    queryFn: ({ signal }) => read(variables, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.sources.some(({ last }) => last?.ended === false) ? soon : false),
  });
  const shownRuns = (data?.sources ?? []).map(({ last }) => last?.urn).join(" ");
  const reports = useQuery({
    queryKey: ["ingestion", "reports", text, start, shownRuns],
    enabled: shownRuns.trim() !== "",
    queryFn: ({ signal }) => readReports(variables, signal),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const followed = useQuery({ queryKey: ["ingestion", "followed"], enabled: may.manageIngestion === true, queryFn: ({ signal }) => readFollowed(signal), retry: false });
  const idle = data ? idleOf(followed.data ?? undefined, data.taken) : null;
  const now = useNow();
  const kept = kinds.find((kind) => kind === get("show"));
  const all = inOrder(data?.sources ?? [], reports.data);
  const shown = kept ? all.filter((row) => isOf(row, kept)) : all;
  const reason = may.manageIngestion ? null : needsIngestion;
  return (
    <div className="page">
      <IngestionHead
        tab="sources"
        lead="Where the catalog gets its entries from, and whether it did."
        actions={
          <>
            <CopyAs call={{ query: IngestionSources.toString(), variables }} />
            <Export
              name="ingestion-sources"
              head={["Source", "Platform", "Schedule", "Time zone", "Next run", "Last run", "Began", "Took in s", "URN"]}
              reason={reason}
              rows={async () => {
                const found = await everyPage(async (from, count) => {
                  const page = await read({ input: { start: from, count, query: text || "*" } });
                  return { items: page.sources, total: page.total };
                }, { size });
                return { rows: found.items.map((row) => cellsOf(row, Date.now())), total: found.total };
              }}
            />
            <Button look="primary" icon={<AddIcon size={16} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setCreating(true)}>
              New source
            </Button>
          </>
        }
      />
      {reason ? (
        <Note title="You may not see the ingestion sources">{reason}</Note>
      ) : (
        <>
          {idle && (
            <div className={styles["idle"]}>
              <Note tone="warn" title={idle.title}>
                {idle.text}
              </Note>
            </div>
          )}
          {all.length > 0 && text === "" && start === 0 && <Lead rows={all} now={now} />}
          <Tools>
            <Find label="Find a source" value={get("find")} onChange={(find) => set({ find, page: "" })} />
            <Segments
              label="Which sources"
              value={kept ?? "all"}
              options={[
                { value: "all", label: "All", count: all.length },
                { value: "failing", label: "Failing", count: all.filter((row) => isOf(row, "failing")).length },
                { value: "warnings", label: "With warnings", count: all.filter((row) => isOf(row, "warnings")).length },
                { value: "unscheduled", label: "By hand", count: all.filter((row) => isOf(row, "unscheduled")).length },
              ]}
              onChange={(show) => set({ show: show === "all" ? "" : show })}
            />
          </Tools>
          {error && !data ? (
            <Failure what="the ingestion sources" error={error} onRetry={() => void refetch()} />
          ) : data === undefined ? (
            <Bones rows={6} what="the ingestion sources" />
          ) : data.sources.length === 0 ? (
            <Empty icon={<DownloadIcon size={20} stroke={1.5} aria-hidden />} title={text ? "No source matches" : "No source yet"} actions={text ? <Button onClick={() => set({ find: "", page: "" })}>Show all</Button> : null}>
              {text ? "Try another name." : "A source says what to read, and when."}
            </Empty>
          ) : shown.length === 0 ? (
            <Empty title="No source is at that" actions={<Button onClick={() => set({ show: "" })}>Show all</Button>} />
          ) : (
            <Kept old={isPlaceholderData}>
              <div className={styles["sources"]}>
                <Rows
                  label="Ingestion sources"
                  head={["Source", "Platform", "Runs", "Last run", "At", "Took", "Assets written", "14 runs", "Actions"]}
                  numbers={["Took", "Assets written"]}
                  items={shown}
                  keyOf={({ source }) => source.urn}
                  row={(row) => <SourceRow row={row} report={reports.data?.get(row.source.urn)} now={now} reason={reason} onRun={() => void runNow(row.source, queries)} />}
                />
              </div>
              <Pager label="sources" start={start} size={size} total={data.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
            </Kept>
          )}
        </>
      )}
      {creating && <Edit source={null} onClose={() => setCreating(false)} />}
    </div>
  );
}

function Lead({ rows, now }: { rows: readonly Row[]; now: number }) {
  const ran = rows.filter(({ last }) => last?.ended && last.tone !== "plain");
  const passed = ran.filter(({ last }) => last?.tone === "ok").length;
  const failing = ran.filter(({ last }) => last?.tone === "bad").length;
  const warned = ran.filter(({ last }) => last?.tone === "warn").length;
  const next = rows
    .map((row) => ({ name: row.source.name, due: dueOf(row, now) }))
    .filter(({ due }) => due !== undefined)
    .toSorted((a, b) => (a.due ?? 0) - (b.due ?? 0))[0];
  const under = [
    failing > 0 && `${numberText(failing)} failed.`,
    warned > 0 && `${numberText(warned)} finished with warnings.`,
    next?.due !== undefined && `Next is ${next.name} ${untilText(next.due, now)}.`,
  ].filter(Boolean);
  return (
    <>
      <p className={styles["lead"]}>
        {ran.length === 0 ? "No source has run yet." : <>The last run of {passed === ran.length ? (ran.length === 1 ? "the one source" : `all ${numberText(ran.length)} sources`) : `${numberText(passed)} of ${counted(ran.length, "source")}`} passed.</>}
      </p>
      <p className={styles["under"]}>{under.join(" ")}</p>
    </>
  );
}

const dueOf = ({ source: { interval, timezone } }: Row, now: number) => (interval ? nextRun(interval, timezone || "UTC", now) : undefined);

const cellsOf = (row: Row, now: number) => {
  const { source, last } = row;
  const due = dueOf(row, now);
  return [source.name, source.platform, source.interval, source.timezone, timeText(due), last?.state, timeText(last?.startedAt ?? last?.askedAt), last?.took === undefined ? "" : Math.round(last.took / 1000), source.urn];
};

const shapes = { ok: "low", warn: "middle", bad: "tall", plain: "flat" } as const;

interface RowProps {
  row: Row;
  report: Report | undefined;
  now: number;
  reason: string | null;
  onRun: () => void;
}

function SourceRow({ row, report, now, reason, onRun }: RowProps) {
  const { source, runs, last } = row;
  const { urn, name, platform, interval, timezone, system } = source;
  const due = dueOf(row, now);
  const trouble = report && last?.ended && last.tone !== "ok" ? troubleText(report) : "";
  const tally = (tone: Execution["tone"], word: string) => {
    const count = runs.filter((one) => one.tone === tone).length;
    return count > 0 ? `${numberText(count)} ${word}` : "";
  };
  const said = [tally("bad", "failed"), tally("warn", "with warnings"), tally("ok", "passed"), tally("plain", "without a verdict")].filter(Boolean).join(", ");
  return (
    <>
      <td>
        <Link className="name break" href={sourceAddress(urn)}>
          <bdi>{name}</bdi>
        </Link>{" "}
        {system && <Badge>System</Badge>}
        {trouble && <span className={styles["trouble"]}>{trouble.slice(0, 200)}</span>}
      </td>
      <td className="muted" data-label="Platform">
        <span className="row">
          <Platform name={platform} />
          {platform}
        </span>
      </td>
      <td className="muted" data-label="Runs" title={timezone}>
        {interval ? scheduleText(interval) : "by hand"}
        {due !== undefined && (
          <span className={styles["next"]} title={exactText(due)}>
            next {untilText(due, now)}
          </span>
        )}
      </td>
      <td data-label="Last run">{last ? <Link className="nowrap" href={runAddress(last.urn)}><StateOf run={last} /></Link> : <span className="faint">Not run yet</span>}</td>
      <td data-label="At">{last && <BeganAt run={last} />}</td>
      <td className="right num nowrap" data-label="Took">
        {last && <Took run={last} />}
      </td>
      <td className="right num nowrap" data-label="Assets written">
        {last && (report ? numberText(assetsOf(report)) : <span className="faint">Not told</span>)}
      </td>
      <td data-label="14 runs">
        {runs.length > 0 && (
          <Bars
            label={`Last ${counted(runs.length, "run")}: ${said}`}
            bars={runs.toReversed().map((one) => ({ shape: shapes[one.tone], title: `${one.startedAt === undefined ? "" : `${exactText(one.startedAt)}: `}${one.state}` }))}
          />
        )}
      </td>
      <td className="right">
        <Button size="small" label={`Run ${name} now`} reason={reason} icon={<RunIcon size={16} stroke={1.5} aria-hidden />} onClick={onRun} />
      </td>
    </>
  );
}
