import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { Asset as Chip } from "../../components/asset";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Export } from "../../components/export";
import { FilterMenu } from "../../components/filters";
import { ChartIcon, FailIcon } from "../../components/icons";
import { Bones, Empty, Failure, Meter, Note, Section, Segments, Tools, When } from "../../components/parts";
import { Rows } from "../../components/rows";
import { timeText } from "../../lib/csv";
import { useNow } from "../../lib/now";
import { useParameters } from "../../lib/parameters";
import type { Problem } from "../../lib/problem";
import { run } from "../../lib/request";
import { counted, numberText, shortOf } from "../../lib/text";
import { momentText } from "../../lib/time";
import { useAsset } from "../../shared/asset/read";
import type { TabProps } from "../../shared/asset/tabs";
import { ColumnMenu } from "../../shared/lineage/column-choice";
import { columnName } from "../../shared/lineage/columns";
import { BarChart, LineChart } from "../../shared/stats/charts";
import { firstColumn, measures, profilesOf, riseOf, startOf, statsIn, type ColumnStats, type Operation, type Reader, type Stats as Told, type Usage } from "../../shared/stats/stats";
import { Stats } from "../../shared/stats/stats.operations";
import styles from "./stats.module.css";

const ranges = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
] as const;

/** The statistics tab of an asset: size and usage over time. */
export default function StatsTab({ urn, type }: TabProps) {
  const [get, set] = useParameters();
  const now = useNow();
  const { asset } = useAsset(urn);
  const range = ranges.find(({ value }) => value === get("days")) ?? ranges[1];
  const days = Number(range.value);
  const table = get("view") === "table";
  const variables = { urn, from: startOf(now, days), profiles: profilesOf(asset?.columns) };
  const { data, error, refetch } = useQuery({
    queryKey: ["asset", urn, "stats", variables.from, variables.profiles],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { data: answer, problems } = await run(Stats, variables, signal);
      return { told: statsIn(answer), problems };
    },
  });
  if (error) {
    return <Failure what="the statistics" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={10} what="the statistics" />;
  }
  const { told, problems } = data;
  return (
    <>
      <Tools>
        {type !== "chart" && <Segments label="Time" value={range.value} options={ranges} onChange={(value) => set({ days: value === "30" ? "" : value }, { push: true })} />}
        {told.profiled?.at !== undefined && (
          <span className="faint small num">
            Profile taken {momentText(told.profiled.at)}
            {told.profiled.part ? `, of ${told.profiled.part}` : ""}
          </span>
        )}
        <span className="row wrap end">
          <Segments
            label="Shown as"
            value={table ? "table" : "chart"}
            options={[
              { value: "chart", label: "Chart" },
              { value: "table", label: "Table" },
            ]}
            onChange={(value) => set({ view: value === "table" ? value : "" })}
          />
          <CopyAs call={{ query: Stats.toString(), variables }} urn={urn} />
        </span>
      </Tools>
      <Refusals problems={problems} />
      {isEmpty(told) && problems.length === 0 ? (
        <Empty icon={<ChartIcon size={20} stroke={1.5} aria-hidden />} title="Nothing is known of these days">
          Ingestion reports profiles, who reads and what is written. {range.value !== "365" && "A longer time may hold some."}
        </Empty>
      ) : (
        <>
          {type === "dataset" && <Profiles told={told} table={table} />}
          {told.usage ? <Used usage={told.usage} from={variables.from} days={days} table={table} /> : told.summary && <Viewed summary={told.summary} />}
          {told.columnStats.length > 0 && <Columns columns={told.columnStats} histories={told.histories} name={shortOf(urn)} />}
          {type === "dataset" && <Operations operations={told.operations} name={shortOf(urn)} />}
        </>
      )}
    </>
  );
}

const isEmpty = ({ usage, summary, rows, bytes, columnStats, operations }: Told) =>
  !usage?.total && !usage?.readers.length && !summary?.all && !summary?.recent && [rows, bytes, columnStats, operations].every((list) => list.length === 0);

// A part that the actor may not view is replaced by a notice; other parts are shown.
function Refusals({ problems }: { problems: readonly Problem[] }) {
  const texts = [...new Set(problems.map(({ message }) => message))];
  return texts.map((text) => (
    <Note key={text} tone="info" title="Some of it is not shown">
      {text}
    </Note>
  ));
}

function Profiles({ told: { rows, bytes, columnStats, histories, profiled }, table }: { told: Told; table: boolean }) {
  const none = profiled?.at === undefined ? "No profile was taken yet." : <>None in these days. The last profile is of <When at={profiled.at} relative={false} />.</>;
  return (
    <div className={styles["charts"]}>
      <LineChart title="Rows" kind="count" points={rows} table={table} none={none} />
      <ColumnChart columns={columnStats} histories={histories} table={table} none={none} />
      <LineChart title="Size" kind="size" points={bytes} table={table} none={none} />
    </div>
  );
}

type Histories = Told["histories"];

function ColumnChart({ columns, histories, table, none }: { columns: readonly ColumnStats[]; histories: Histories; table: boolean; none: ReactNode }) {
  const [get, set] = useParameters();
  const choose = (path: string) => set({ column: path });
  const path = columns.some((each) => each.path === get("column")) ? get("column") : firstColumn(columns, histories);
  const history = histories.get(path);
  const measured = measures.filter(({ value }) => history?.has(value));
  const measure = measured.find(({ value }) => value === get("measure")) ?? measured[0] ?? measures[0];
  const rise = measure.value.startsWith("empty") ? riseOf(history) : "";
  return (
    <LineChart
      title={path ? `${measure.name} in ${columnName(path)}` : "Columns"}
      heading={
        path && (
          <>
            {measure.name} in <code className="break">{columnName(path)}</code>
          </>
        )
      }
      tools={
        columns.length > 0 && (
          <>
            <ColumnMenu quiet columns={columns.map((each) => each.path)} onChoose={choose} />
            {measured.length > 1 && <FilterMenu quiet label="Measure" value={measure.value} options={measured} onChange={(value) => set({ measure: value === measured[0]?.value ? "" : value })} />}
          </>
        )
      }
      kind={measure.kind}
      noun={measure.noun}
      points={history?.get(measure.value) ?? []}
      table={table}
      none={path ? "Profiles of these days do not tell this of the column." : none}
      trouble={rise && `More than usual: ${rise}`}
    />
  );
}

function Used({ usage: { noun, total, people, points, readers }, from, days, table }: { usage: Usage; from: number; days: number; table: boolean }) {
  const [one, many] = noun === "query" ? ["query", "queries"] : ["view", "views"];
  const title = noun === "query" ? "Queries by day" : "Views by day";
  return (
    <div className={styles["use"]}>
      <section aria-label={title}>
        <header>
          <h2>{title}</h2>
          <span className="faint small num">
            {[people !== undefined && counted(people, "person", "people"), total !== undefined && counted(total, one, many)].filter(Boolean).join(", ")} in {counted(days, "day")}
          </span>
        </header>
        <BarChart label={title} noun={one} many={many} points={points} from={from} days={days} table={table} />
      </section>
      <section aria-label={noun === "query" ? "Read by" : "Viewed by"}>
        <header>
          <h2>{noun === "query" ? "Read by" : "Viewed by"}</h2>
          <span className="faint small">{many}</span>
        </header>
        <Readers readers={readers} />
      </section>
    </div>
  );
}

const few = 6;

function Readers({ readers }: { readers: readonly Reader[] }) {
  const [all, setAll] = useState(false);
  const most = Math.max(1, ...readers.slice(0, 1).map(({ count }) => count ?? 0));
  if (readers.length === 0) {
    return <p className="muted">Nobody in these days, as far as is known.</p>;
  }
  return (
    <>
      <ul className={styles["readers"]}>
        {(all ? readers.slice(0, 200) : readers.slice(0, few)).map(({ urn, name, count }) => (
          <li key={urn || name}>
            {urn ? (
              <Chip urn={urn} name={name} />
            ) : (
              <span className="clip" title={name}>
                {name}
              </span>
            )}
            {count === undefined ? <span /> : <Meter share={count / most} />}
            <span className="num right muted">{count === undefined ? "" : numberText(count)}</span>
          </li>
        ))}
      </ul>
      {readers.length > few && !all && (
        <Button size="small" look="quiet" onClick={() => setAll(true)}>
          Show all {numberText(readers.length)}
        </Button>
      )}
    </>
  );
}

function Viewed({ summary: { all, recent, people, readers } }: { summary: NonNullable<Told["summary"]> }) {
  const figures: readonly (readonly [string, number | undefined])[] = [
    ["Views in 30 days", recent],
    ["People in 30 days", people],
    ["Views ever", all],
  ];
  return (
    <>
      <dl className={styles["figures"]}>
        {figures.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{numberText(value)}</dd>
              </div>
            ),
        )}
      </dl>
      <Section title="Viewed most by">
        <Readers readers={readers} />
      </Section>
    </>
  );
}

const firstColumns = 8;

function Columns({ columns, histories, name }: { columns: readonly ColumnStats[]; histories: Histories; name: string }) {
  const [all, setAll] = useState(false);
  const shown = all ? columns : columns.slice(0, firstColumns);
  return (
    <Section
      title="Columns"
      tools={
        <>
          <span className="faint small num">
            {shown.length < columns.length ? `${numberText(shown.length)} of ` : ""}
            {counted(columns.length, "column")}
          </span>
          {shown.length < columns.length && (
            <Button size="small" look="quiet" onClick={() => setAll(true)}>
              Show all columns
            </Button>
          )}
          <Export
            size="small"
            name={`${name}-columns`}
            head={["column", "empty", "distinct", "least", "mean", "middle", "most", "deviation", "queries", "samples"]}
            rows={() => Promise.resolve({ rows: columns.map((each) => [each.path, each.empty, each.distinct, each.least, each.mean, each.middle, each.most, each.deviation, each.reads, each.samples.join(", ")]) })}
          />
        </>
      }
    >
      <div className={styles["wide"]}>
        <Rows
          label="Statistics of columns"
          head={["Column", "Empty", "Distinct", "Least", "Mean", "Middle", "Most", "Queries"]}
          items={shown}
          keyOf={({ path }) => path}
          row={({ path, empty, distinct, least, mean, middle, most, reads, samples, fails }) => (
            <>
              <td>
                <code className="break" title={samples.length > 0 ? `Such as ${samples.join(", ")}` : undefined}>
                  {columnName(path)}
                </code>
                {fails && (
                  <span className={`bad ${styles["sign"]}`} title="A check on this column fails">
                    <FailIcon size={14} stroke={1.5} aria-hidden />
                    <span className="sr">A check on this column fails</span>
                  </span>
                )}
              </td>
              <Figure label="Empty" text={empty} trouble={riseOf(histories.get(path))} />
              <Figure label="Distinct" text={distinct} />
              <Figure label="Least" text={least} />
              <Figure label="Mean" text={mean} />
              <Figure label="Middle" text={middle} />
              <Figure label="Most" text={most} />
              <Figure label="Queries" text={reads === undefined ? "" : numberText(reads)} />
            </>
          )}
        />
      </div>
    </Section>
  );
}

const Figure = ({ label, text, trouble = "" }: { label: string; text: string; trouble?: string }) => (
  <td data-label={label} className="num muted">
    <span className={`break ${trouble && "bad"}`}>{text}</span>
    {trouble && <span className={`bad small ${styles["under-figure"]}`}>{trouble}</span>}
  </td>
);

const lastOperations = 10;

function Operations({ operations, name }: { operations: readonly Operation[]; name: string }) {
  const [all, setAll] = useState(false);
  const shown = all ? operations : operations.slice(0, lastOperations);
  return (
    <Section
      title="Operations"
      tools={
        operations.length > 0 && (
          <>
            {shown.length < operations.length && (
              <Button size="small" look="quiet" onClick={() => setAll(true)}>
                Show all {numberText(operations.length)} operations
              </Button>
            )}
            <Export size="small" name={`${name}-operations`} head={["time", "operation", "rows", "actor"]} rows={() => Promise.resolve({ rows: operations.map(({ at, kind, rows, actor }) => [timeText(at), kind, rows, actor]) })} />
          </>
        )
      }
    >
      {operations.length === 0 ? (
        <p className="muted">No write was reported in these days.</p>
      ) : (
        <Rows
          label="Operations"
          head={["Operation", "When", "Rows", "By"]}
          items={shown}
          keyOf={({ key }) => key}
          row={({ at, kind, rows, actor }) => (
            <>
              <td className="break">{kind}</td>
              <td data-label="When">{at === undefined ? <span className="faint">Not known</span> : <When at={at} />}</td>
              <td data-label="Rows" className="num">
                {rows === undefined ? <span className="faint">Not told</span> : numberText(rows)}
              </td>
              <td data-label="By" className="muted break">
                {actor ? shortOf(actor) : <span className="faint">Not told</span>}
              </td>
            </>
          )}
        />
      )}
    </Section>
  );
}
