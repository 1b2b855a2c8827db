import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { Asset as Chip } from "../../components/asset";
import { Export } from "../../components/export";
import { ContainerIcon, FailIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Bones, Empty, Failure, Find, Section, Segments, Tools } from "../../components/parts";
import { Rows } from "../../components/rows";
import { assetPath } from "../../lib/asset";
import { useNow } from "../../lib/now";
import { startOf, useParameters } from "../../lib/parameters";
import { run } from "../../lib/request";
import { counted, numberText, shortOf } from "../../lib/text";
import { relationshipsOf } from "../../shared/asset/query";
import type { TabProps } from "../../shared/asset/tabs";
import { BarChart } from "../../shared/stats/charts";
import { startOf as firstDay, statsIn } from "../../shared/stats/stats";
import { chartsIn, doubtfulSources, isDoubtful, type Chart, type Source } from "./charts";
import { DashboardCharts } from "./charts.operations";
import { Doubts } from "./doubts";
import { SourceChip } from "./source";
import styles from "./dashboard.module.css";

const size = 100;
const days = 30;

const kept = { all: () => true, doubtful: isDoubtful, bare: ({ described }: Chart) => !described } as const;

type Kept = keyof typeof kept;

/** The charts of a dashboard, with the health of their sources and their view counts. */
export default function ChartsTab({ urn, type }: TabProps) {
  const [get, set] = useParameters();
  const now = useNow();
  const start = startOf(get("page"), size);
  const from = firstDay(now, days);
  const edges = relationshipsOf(type);
  const read = async (page: { start: number; count: number }, signal?: AbortSignal) => {
    const input = { types: [...(edges?.types ?? [])], direction: edges?.direction ?? ("OUTGOING" as const), ...page, includeSoftDelete: false };
    const { data: answer } = await run(DashboardCharts, { urn, input, from }, signal);
    return { ...chartsIn(answer), usage: statsIn(answer).usage };
  };
  const { data, error, refetch } = useQuery({
    queryKey: ["asset", urn, "charts", start, from],
    queryFn: ({ signal }) => read({ start, count: size }, signal),
  });
  if (error) {
    return <Failure what="the charts" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={8} what="the charts" />;
  }
  const { charts, total, usage } = data;
  const doubtful = charts.filter(isDoubtful).length;
  return (
    <>
      {doubtful > 0 && <Doubts title={`${numberText(doubtful)} of ${counted(charts.length, "chart")} may be wrong now`} sources={doubtfulSources(charts)} />}
      {charts.length === 0 ? (
        <Empty icon={<ContainerIcon size={20} stroke={1.5} aria-hidden />} title="No chart is in it yet">
          What its platform puts into it is listed here.
        </Empty>
      ) : (
        <Listed
          urn={urn}
          charts={charts}
          readAll={async () => {
            const pages = await Promise.all(Array.from({ length: Math.ceil(total / size) }, (_, page) => read({ start: page * size, count: size })));
            return pages.flatMap((page) => page.charts);
          }}
        />
      )}
      {total > size && <Pager start={start} size={size} total={total} label="charts" onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />}
      {usage && usage.points.length > 0 && (
        <Section title="Views by day" tools={<Link href={assetPath(urn, "Stats")}>Usage</Link>}>
          <BarChart label="Views by day" noun="view" many="views" points={usage.points} from={from} days={days} table={false} />
        </Section>
      )}
    </>
  );
}

function Listed({ urn, charts, readAll }: { urn: string; charts: readonly Chart[]; readAll: () => Promise<readonly Chart[]> }) {
  const [text, setText] = useState("");
  const [which, setWhich] = useState<Kept>("all");
  const sought = text.trim().toLowerCase();
  const matches = (chart: Chart) => kept[which](chart) && `${chart.name} ${chart.shows.join(" ")}`.toLowerCase().includes(sought);
  const lines = charts.filter(matches);
  const count = (name: Kept) => charts.filter(kept[name]).length;
  return (
    <>
      <Tools>
        <Find label="Find a chart" value={text} onChange={setText} />
        <Segments<Kept>
          label="Which charts"
          value={which}
          options={[
            { value: "all", label: "All", count: charts.length },
            { value: "doubtful", label: "With a failing source", count: count("doubtful") },
            { value: "bare", label: "Not described", count: count("bare") },
          ]}
          onChange={setWhich}
        />
        <span className="end">
          <Export
            name={`${shortOf(urn)}-charts`}
            head={["Chart", "Kind", "Shows", "Reads", "Views, 30 days", "URN"]}
            rows={async () => ({
              rows: (await readAll()).filter(matches).map((chart) => [chart.name, chart.kind, chart.shows.join("; "), chart.sources.map(({ name }) => name).join("; "), chart.views, chart.urn]),
            })}
          />
        </span>
      </Tools>
      {lines.length === 0 ? (
        <Empty icon={<ContainerIcon size={20} stroke={1.5} aria-hidden />} title="No chart matches" />
      ) : (
        <div className={styles["charts"]}>
          <Rows label="Charts" head={["Chart", "Kind", "Shows", "Reads", "Views, 30 days"]} numbers={["Views, 30 days"]} items={lines} keyOf={(chart) => chart.urn} row={(chart) => <Cells chart={chart} />} />
        </div>
      )}
    </>
  );
}

function Cells({ chart }: { chart: Chart }) {
  const { urn, name, kind, shows, views } = chart;
  return (
    <>
      <td>
        <span className="row">
          <Chip urn={urn} name={name} />
          {isDoubtful(chart) && <FailIcon size={14} stroke={1.5} className="bad" role="img" aria-label="A source fails" />}
        </span>
      </td>
      <td className="muted" data-label="Kind">
        {kind || <span className="faint">Not known</span>}
      </td>
      <td data-label="Shows">
        {shows.length === 0 ? (
          <span className="faint">Not known</span>
        ) : (
          <code className={styles["shows"]} title={shows.join(", ")}>
            {shows.join(", ")}
          </code>
        )}
      </td>
      <td data-label="Reads">
        <Reads chart={chart} />
      </td>
      <td className="right num" data-label="Views">
        {views === undefined ? <span className="faint">Not counted</span> : numberText(views)}
      </td>
    </>
  );
}

// An unhealthy source comes first, because it is the most relevant one.
function Reads({ chart: { sources, sourceCount } }: { chart: Chart }) {
  const first: Source | undefined = sources.find(({ state }) => state && state.tone !== "ok") ?? sources[0];
  if (!first) {
    return <span className="faint">Not known</span>;
  }
  return (
    <span className="row">
      <SourceChip source={first} />
      {sourceCount > 1 && <span className="faint small nowrap num">and {numberText(sourceCount - 1)} more</span>}
    </span>
  );
}
