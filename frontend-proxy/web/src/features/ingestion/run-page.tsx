import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "wouter";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Confirm } from "../../components/dialog";
import { CloseIcon, HistoryIcon, RunIcon } from "../../components/icons";
import { Code, CopyButton, Note, PageHead, Section } from "../../components/parts";
import { toast } from "../../components/toast";
import { textIn } from "../../lib/answer";
import { entitiesIn } from "../../lib/found";
import { Fallback, lazy } from "../../lib/lazy";
import { change, run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { momentText } from "../../lib/time";
import { decoded } from "../../lib/asset-address";
import { Compared, RunSteps, useRunsBeside } from "./beside";
import { executionOf } from "./execution";
import { BeganAt, needsIngestion, runNow, soon, sourceAddress, StateOf, Took } from "./executions";
import { CancelIngestionRun, IngestionRun } from "./ingestion.operations";
import { NotThere } from "./loaded";
import { Log } from "./log";
import { assetsOf, countOf, kindText, moreThanBefore, reportIn, summaryText, toldBy, type Group, type Report } from "./report";
import styles from "./ingestion.module.css";

const Rollback = lazy(() => import("./rollback"));

/** The page of a run: its result, its report and its log. */
export default function RunPage() {
  const { run: part = "" } = useParams<{ run: string }>();
  const urn = decoded(part);
  const queries = useQueryClient();
  const { may } = useSession();
  const [asking, setAsking] = useState<"cancel" | "rollback" | null>(null);
  const variables = { urn };
  const { data, error, refetch } = useQuery({
    queryKey: ["ingestion", "run", urn],
    queryFn: async ({ signal }) => {
      const { executionRequest: asked } = (await run(IngestionRun, variables, signal)).data;
      const told = textIn(asked?.result?.structuredReport?.serializedValue);
      const [source] = entitiesIn([asked?.source]).map((found) => ({ urn: found.urn, name: textIn(found.name) || found.urn }));
      return asked ? { one: executionOf(asked), source, log: textIn(asked.result?.report), told, report: reportIn(told) } : null;
    },
    refetchInterval: ({ state }) => (state.data?.one.ended === false ? soon : false),
  });
  const beside = useRunsBeside(data?.source?.urn, data?.one.askedAt);
  const name = data?.source?.name;
  useTitle(name ? `Run of ${name}` : "Run", "Ingestion");
  if (!data) {
    return <NotThere what="the run" icon={<RunIcon size={20} stroke={1.5} aria-hidden />} value={data} error={error} onRetry={() => void refetch()} />;
  }
  const { one, source, log, told, report } = data;
  const reason = may.manageIngestion ? null : needsIngestion;
  const began = one.startedAt ?? one.askedAt;
  const title = began === undefined ? "Run" : `Run of ${momentText(began)}`;
  const summary = summaryText(one, report);
  return (
    <div className="page">
      <p className="small">
        <Link href="/ingestion">Ingestion</Link>
        {source && (
          <>
            {" / "}
            <Link href={sourceAddress(source.urn)}>{source.name}</Link>
          </>
        )}
      </p>
      <PageHead
        title={title}
        actions={
          <>
            {beside && <RunSteps {...beside} />}
            <CopyAs call={{ query: IngestionRun.toString(), variables }} urn={urn} />
            {source &&
              (one.ended ? (
                <>
                  <Button look="careful" icon={<HistoryIcon size={16} stroke={1.5} aria-hidden />} reason={reason ?? (one.state === "Rolled back" ? "It was rolled back." : null)} onClick={() => setAsking("rollback")}>
                    Roll back
                  </Button>
                  <Button look="primary" icon={<RunIcon size={16} stroke={1.5} aria-hidden />} reason={reason} onClick={() => void runNow(source, queries)}>
                    Run again
                  </Button>
                </>
              ) : (
                <Button icon={<CloseIcon size={16} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setAsking("cancel")}>
                  Cancel run
                </Button>
              ))}
          </>
        }
      />
      <p className={styles["facts"]}>
        <StateOf run={toldBy(one, report)} />
        <span>
          {one.by}, <BeganAt run={one} />
        </span>
        <span>
          took <Took run={one} />
        </span>
        <span>executor {one.executor}</span>
      </p>
      {one.state === "Waiting" && <Note title="No executor has taken it yet">{`It begins when the executor ${one.executor} takes it.`}</Note>}
      {summary && <p className={styles["summary"]}>{summary}</p>}
      {beside?.earlier && <Compared now={{ one, report }} earlier={beside.earlier} />}
      {report && <Figures report={report} />}
      {report && <Groups title="Failures" tone="bad" groups={report.failures} before={beside?.earlier?.report?.failures} />}
      {report && <Groups title="Warnings" tone="warn" groups={report.warnings} before={beside?.earlier?.report?.warnings} />}
      <Log text={log} />
      {told && (
        <Section title="Report" tools={<CopyButton text={told} label="Copy report" />}>
          <details>
            <summary>{report ? "What the client told, as JSON" : "What the executor told. It is no report that this page can read."}</summary>
            <Code text={told.slice(0, mostTold)} label="Report" />
            {told.length > mostTold && <p className="muted small">The first {counted(mostTold, "character")} are shown. Copy report copies all of it.</p>}
          </details>
        </Section>
      )}
      {asking === "cancel" && source && (
        <Confirm
          title={`Cancel this run of ${source.name}?`}
          verb="Cancel run"
          keep="Let it run"
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await change(CancelIngestionRun, { source: source.urn, run: urn });
            await queries.invalidateQueries({ queryKey: ["ingestion"] });
            toast({ title: "The executor was told to stop" });
          }}
        >
          What it has written stays in the catalog.
        </Confirm>
      )}
      {asking === "rollback" && source && (
        <Fallback show={null}>
          <Rollback id={urn.replace(/^urn:li:dataHubExecutionRequest:/u, "")} name={source.name} onClose={() => setAsking(null)} />
        </Fallback>
      )}
    </div>
  );
}

const mostTold = 100_000;

function Figures({ report }: { report: Report }) {
  const figures: [string, number][] = [
    ...(report.written === undefined ? [] : [["Changes written", report.written] as [string, number]]),
    ...(report.assets.length > 1 ? [["Assets", assetsOf(report)] as [string, number]] : []),
    ...report.assets.slice(0, 5).map(({ type, count }): [string, number] => [kindText(type, 2).replace("2 ", ""), count]),
    ...(report.removed > 0 ? [["Gone at the source", report.removed] as [string, number]] : []),
  ];
  return (
    figures.length > 0 && (
      <dl className={styles["figures"]}>
        {figures.map(([caption, count]) => (
          <div key={caption}>
            <dt>{caption.charAt(0).toUpperCase() + caption.slice(1)}</dt>
            <dd>{numberText(count)}</dd>
          </div>
        ))}
      </dl>
    )
  );
}

const fewPlaces = 3;

function Groups({ title, tone, groups, before }: { title: string; tone: "bad" | "warn"; groups: readonly Group[]; before: readonly Group[] | undefined }) {
  return (
    groups.length > 0 && (
      <Section title={title} tools={<span className="faint small num">{`${numberText(countOf(groups))} in ${counted(groups.length, "group")}${before ? `, ${moreThanBefore(countOf(groups), countOf(before))}` : ""}`}</span>}>
        <ul className={styles["groups"]} aria-label={title}>
          {groups.map((group, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- groups are told apart by their place
            <li key={index}>
              <b className={tone}>{numberText(group.count)}</b>
              <div>
                <p className="name" dir="auto">
                  {group.title}
                </p>
                {group.text && (
                  <p className="muted" dir="auto">
                    {group.text}
                  </p>
                )}
                <Places group={group} />
              </div>
            </li>
          ))}
        </ul>
      </Section>
    )
  );
}

function Places({ group: { places, count, title } }: { group: Group }) {
  const [all, setAll] = useState(false);
  const shown = all ? places : places.slice(0, fewPlaces);
  return (
    places.length > 0 && (
      <>
        <ul aria-label={`Where: ${title}`}>
          {shown.map((place, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the client may tell a place twice
            <li key={index}>
              <code>{place}</code>
            </li>
          ))}
        </ul>
        {places.length > fewPlaces && (
          <Button size="small" look="quiet" onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show ${places.length < count ? `${numberText(places.length)} of ${numberText(count)}` : `all ${numberText(count)}`}`}
          </Button>
        )}
      </>
    )
  );
}
