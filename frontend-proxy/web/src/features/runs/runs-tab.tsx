import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { Asset as Chip } from "../../components/asset";
import { CopyAs } from "../../components/copy-as";
import { Export } from "../../components/export";
import { LeaveIcon, RunIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Bones, Empty, Failure, Segments, Tools, When } from "../../components/parts";
import { Rows } from "../../components/rows";
import { kindOf } from "../../lib/asset";
import { everyPage, timeText } from "../../lib/csv";
import { startOf, useParameters } from "../../lib/parameters";
import { run } from "../../lib/request";
import { counted, shortOf } from "../../lib/text";
import { durationText } from "../../lib/time";
import { isSafeLink } from "../../lib/safe-link";
import type { TabProps } from "../../shared/asset/tabs";
import { RunState } from "../../shared/runs/run-state";
import { runsIn, type Ends, type Run } from "../../shared/runs/runs";
import { Runs, RunsOfDataset } from "./runs.operations";
import styles from "./runs.module.css";

const size = 25;

type Way = "writing" | "reading";

/** A dataset is an output of the runs that wrote it, and an input of the runs that read it. */
const directions = { writing: "OUTGOING", reading: "INCOMING" } as const;

/** The runs of a task or a pipeline, or the runs that wrote or read a dataset. */
export default function RunsTab({ urn, type }: TabProps) {
  const [get, set] = useParameters();
  const dataset = type === "dataset";
  const way: Way = get("way") === "reading" ? "reading" : "writing";
  const start = startOf(get("page"), size);
  const ask = async (from: number, count: number, signal?: AbortSignal) => {
    const page = { urn, start: from, count };
    const { data } = dataset ? await run(RunsOfDataset, { ...page, direction: directions[way] }, signal) : await run(Runs, page, signal);
    return runsIn(data.entity?.runs);
  };
  const { data, error, refetch } = useQuery({ queryKey: ["asset", urn, "runs", way, start], placeholderData: keepPreviousData, queryFn: ({ signal }) => ask(start, size, signal) });
  if (error) {
    return <Failure what="the runs" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={8} what="the runs" />;
  }
  const call = dataset
    ? { query: RunsOfDataset.toString(), variables: { urn, start, count: size, direction: directions[way] } }
    : { query: Runs.toString(), variables: { urn, start, count: size } };
  return (
    <>
      <Tools>
        {dataset && (
          <Segments
            label="Which runs"
            value={way}
            options={[
              { value: "writing", label: "Wrote it" },
              { value: "reading", label: "Read it" },
            ]}
            onChange={(value) => set({ way: value === "reading" ? value : "", page: "" }, { push: true })}
          />
        )}
        <span className="muted small num" role="status">
          {counted(data.total, "run")}
        </span>
        <span className="row wrap end">
          <Export
            name={`${shortOf(urn)}-runs`}
            head={["run", "state", "started", "ended", "seconds", "try", "of", "reads", "writes", "link", "urn"]}
            reason={data.total === 0 ? "There is no run to export." : null}
            rows={async () => {
              const { items, total } = await everyPage(async (from, count) => {
                const page = await ask(from, count);
                return { items: page.runs, total: page.total };
              });
              return { rows: items.map((each) => [each.name, each.state.text, timeText(each.startedAt), timeText(each.endedAt), each.took === undefined ? "" : each.took / 1000, each.attempt, each.of?.urn, urnsOf(each.reads), urnsOf(each.writes), each.link, each.urn]), total };
            }}
          />
          <CopyAs call={call} urn={urn} />
        </span>
      </Tools>
      {data.runs.length === 0 ? (
        <Empty icon={<RunIcon size={20} stroke={1.5} aria-hidden />} title={dataset ? (way === "writing" ? "No run is known to have written it" : "No run is known to have read it") : `No run of this ${kindOf(type).one} is known`}>
          Ingestion reports runs with their state, how long they took, and what they read and wrote.
        </Empty>
      ) : (
        <div className={styles["runs"]} data-parent={dataset}>
          <Rows label="Runs" head={dataset ? [...head, "Of", ...ends] : [...head, ...ends]} items={data.runs} keyOf={({ urn: key }) => key} row={(one) => <Line run={one} parent={dataset} />} />
        </div>
      )}
      <Pager start={start} size={size} total={data.total} label="the runs" onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
    </>
  );
}

const head = ["Run", "State", "Started", "Took"];
const ends = ["Reads", "Writes", "Actions"];

const urnsOf = ({ some }: Ends) => some.map(({ urn }) => urn).join(" ");

function Line({ run: one, parent }: { run: Run; parent: boolean }) {
  const { urn, name, state, startedAt, took, of, reads, writes, link } = one;
  return (
    <>
      <td>
        <Chip urn={urn} name={name} />
      </td>
      <td data-label="State">
        <RunState run={one} />
      </td>
      <td data-label="Started">{startedAt === undefined ? <span className="faint">Not told</span> : <When at={startedAt} />}</td>
      <td data-label="Took" className="num nowrap">
        {took === undefined ? <span className="faint">{state.text === "Running" ? "Goes on" : "Not told"}</span> : durationText(took)}
      </td>
      {parent && <td data-label="Of">{of && <Chip urn={of.urn} name={of.name} />}</td>}
      <td data-label="Reads">
        <Refs ends={reads} />
      </td>
      <td data-label="Writes">
        <Refs ends={writes} />
      </td>
      <td>
        {isSafeLink(link) && (
          <a className="row nowrap" href={link} target="_blank" rel="noreferrer noopener">
            Open<span className="sr"> {name} in its tool</span>
            <LeaveIcon size={14} stroke={1.5} aria-hidden />
          </a>
        )}
      </td>
    </>
  );
}

const few = 3;

function Refs({ ends: { some, total } }: { ends: Ends }) {
  const shown = some.slice(0, few);
  return shown.length === 0 ? (
    <span className="faint">Not told</span>
  ) : (
    <span className={styles["refs"]}>
      {shown.map(({ urn, name }) => (
        <Chip key={urn} urn={urn} name={name} />
      ))}
      {total > shown.length && <span className="faint small">and {counted(total - shown.length, "other")}</span>}
    </span>
  );
}
