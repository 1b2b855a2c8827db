import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";

import { useTitle } from "../../lib/title";
import { Asset } from "../../components/asset";
import { Where } from "../../components/asset-lines";
import { CopyAs } from "../../components/copy-as";
import { Export } from "../../components/export";
import { CheckIcon, IncidentIcon, PassIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Bones, Empty, Failure, Kept, PageHead, Person, Section, Segments, When } from "../../components/parts";
import { Rows } from "../../components/rows";
import { assetPath } from "../../lib/asset";
import { everyPage, timeText } from "../../lib/csv";
import type { Line } from "../../lib/line";
import { startOf, useParameters } from "../../lib/parameters";
import { run } from "../../lib/request";
import { counted } from "../../lib/text";
import { lastOf, priorities, sinceOf, stateOf, stateWords, titleOf, wordOf } from "../../shared/quality/quality";
import { RunBars } from "../../shared/quality/runs-strip";
import { OutcomeSign } from "../../shared/quality/state";
import { assetsOf, checksIn, foundText, incidentsIn, sinceIsKnown, type FailingCheck, type OpenIncident } from "./failing";
import { Failing, FailingChecksPage, OpenIncidentsPage } from "./failing.operations";
import { checksInput, failingText, incidentsInput, statesIn, statesInput, type Kept as Which, type States } from "../../shared/failing/inputs";
import styles from "./failing.module.css";

const size = 50;

/** Failing checks and open incidents on all assets that the actor may view. */
export default function FailingPage() {
  useTitle("Failing now");
  const [get, set] = useParameters();
  const kept: Which = (["failing", "error"] as const).find((each) => each === get("show")) ?? "all";
  const start = startOf(get("page"), size);
  const incidentStart = startOf(get("incidents"), size);
  const variables = { checks: checksInput(kept, start, size), states: statesInput, incidents: incidentsInput(incidentStart, size) };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["failing", variables],
    queryFn: async ({ signal }) => {
      const { checks, states, incidents } = (await run(Failing, variables, signal)).data;
      return { checks: checksIn(checks), checkTotal: checks?.total ?? 0, states: statesIn(states), incidents: incidentsIn(incidents), incidentTotal: incidents?.total ?? 0 };
    },
    placeholderData: keepPreviousData,
  });
  const paged = (name: "page" | "incidents") => (page: number) => set({ [name]: page > 1 ? String(page) : "" }, { push: true });
  return (
    <div className="page">
      <PageHead title="Failing now" actions={<CopyAs call={{ query: Failing.toString(), variables }} />}>
        Checks that do not pass and incidents that are open, whoever owns the asset.
      </PageHead>
      {error && !data ? (
        <Failure what="what fails" error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Bones rows={8} what="what fails" />
      ) : (
        <Kept old={isPlaceholderData}>
          <Lead states={data.states} assets={kept === "all" && data.checkTotal === data.checks.length ? assetsOf(data.checks) : undefined} incidents={data.incidentTotal} />
          {data.states.failing + data.states.error > 0 && (
            <Section
              title="Checks"
              tools={
                <Export
                  size="small"
                  name="failing-checks"
                  head={["check", "state", "asset", "where", "columns", "since", "last run", "found", "owners", "source", "check URN", "asset URN"]}
                  rows={async () => {
                    const all = await everyPage(async (from, count) => {
                      const { checks } = (await run(FailingChecksPage, { checks: checksInput(kept, from, count) })).data;
                      return { items: checksIn(checks), total: checks?.total ?? 0 };
                    }, { size: 100 });
                    return { rows: all.items.map(checkCells), total: all.total };
                  }}
                />
              }
            >
              <Segments
                label="Which checks"
                value={kept}
                options={[
                  { value: "all", label: "All", count: data.states.failing + data.states.error },
                  { value: "failing", label: "Failing", count: data.states.failing },
                  { value: "error", label: "Could not be run", count: data.states.error },
                ]}
                onChange={(show) => set({ show: show === "all" ? "" : show, page: "" })}
              />
              {data.checks.length === 0 ? (
                <Empty title="None of the checks is at that">Choose All to see the others.</Empty>
              ) : (
                <div className={styles["checks"]}>
                  <Rows label="Checks that do not pass" head={["Check", "Asset", "Since", "Last result", "14 runs", "Owner"]} items={data.checks} keyOf={({ check }) => check.urn} row={(each) => <CheckLine {...each} />} />
                  <Pager label="checks" start={start} size={size} total={data.checkTotal} onPage={paged("page")} />
                </div>
              )}
            </Section>
          )}
          {data.incidentTotal > 0 && (
            <Section
              title="Open incidents"
              tools={
                <Export
                  size="small"
                  name="open-incidents"
                  head={["incident", "asset", "where", "stage", "priority", "kind", "since", "with", "message", "owners", "incident URN", "asset URN"]}
                  rows={async () => {
                    const all = await everyPage(async (from, count) => {
                      const { incidents } = (await run(OpenIncidentsPage, { incidents: incidentsInput(from, count) })).data;
                      return { items: incidentsIn(incidents), total: incidents?.total ?? 0 };
                    }, { size: 100 });
                    return { rows: all.items.map(incidentCells), total: all.total };
                  }}
                />
              }
            >
              <div className={styles["incidents"]}>
                <Rows label="Open incidents" head={["Incident", "Asset", "Since", "Priority", "With", "Owner"]} items={data.incidents} keyOf={({ incident }) => incident.urn} row={(each) => <IncidentLine {...each} />} />
                <Pager label="incidents" start={incidentStart} size={size} total={data.incidentTotal} onPage={paged("incidents")} />
              </div>
            </Section>
          )}
        </Kept>
      )}
    </div>
  );
}

function Lead({ states, assets, incidents }: { states: States; assets: number | undefined; incidents: number }) {
  const { failing, error, passing } = states;
  const text = failingText(states, assets, incidents);
  if (text !== "") {
    return (
      <p className={styles["lead"]} role="status">
        <span className={failing > 0 || incidents > 0 ? "bad" : "warn"}>{text}</span>. {passing > 0 && <span className={styles["rest"]}>{`${counted(passing, "check")} ${passing === 1 ? "passes" : "pass"}.`}</span>}
      </p>
    );
  }
  return failing + error + passing > 0 ? (
    <Empty icon={<PassIcon size={20} stroke={1.5} className="ok" aria-hidden />} title={passing === 1 ? "The one check passes" : `All ${counted(passing, "check")} pass`}>
      No incident is open either. What fails shows up here with its asset and owner.
    </Empty>
  ) : (
    <Empty icon={<CheckIcon size={20} stroke={1.5} aria-hidden />} title="No check reports here yet">
      Tools that check data report their results to the catalog. What fails then shows up here, newest first, as do incidents that people raise.
    </Empty>
  );
}

const tabOf = (asset: Line, name: "check" | "incident", urn: string) => `${assetPath(asset.urn)}/Quality?${new URLSearchParams({ [name]: urn }).toString()}`;

function CheckLine({ check, asset }: FailingCheck) {
  const state = stateOf(check);
  const since = sinceOf(check);
  const name = <span dir="auto">{check.name.slice(0, 300)}</span>;
  return (
    <>
      <td>
        <span className={styles["name"]}>
          <OutcomeSign outcome={state} />
          {asset ? (
            <Link className="name break" href={tabOf(asset, "check", check.urn)}>
              {name}
            </Link>
          ) : (
            name
          )}
          <span className="sr">, {stateWords[state].toLowerCase()}</span>
        </span>
        {check.columns.length > 0 && <code className="muted small break">{check.columns.slice(0, 3).join(", ")}</code>}
      </td>
      <AssetCell asset={asset} />
      <td className="muted" data-label="Since">
        {since === undefined ? <span className="faint">Not told</span> : <When at={since} />}
        {since !== undefined && !sinceIsKnown(check) && <span className="faint small"> or earlier</span>}
      </td>
      <td className={`break ${state === "failed" ? "bad" : "warn"}`} data-label="Last result">
        {foundText(check) || stateWords[state]}
      </td>
      <td data-label="Runs">
        <RunBars runs={check.runs} />
      </td>
      <OwnerCell asset={asset} />
    </>
  );
}

function IncidentLine({ incident, asset }: OpenIncident) {
  const { priority, assignees, startedAt, raisedAt } = incident;
  const [first, ...more] = assignees;
  const since = startedAt ?? raisedAt;
  const name = <span dir="auto">{titleOf(incident).slice(0, 300)}</span>;
  return (
    <>
      <td>
        <span className={styles["name"]}>
          <IncidentIcon size={16} stroke={1.5} className="bad" aria-hidden />
          {asset ? (
            <Link className="name break" href={tabOf(asset, "incident", incident.urn)}>
              {name}
            </Link>
          ) : (
            name
          )}
        </span>
      </td>
      <AssetCell asset={asset} />
      <td className="muted" data-label="Since">
        {since === undefined ? <span className="faint">Not told</span> : <When at={since} />}
      </td>
      <td className="muted" data-label="Priority">
        {priority ? wordOf(priorities, priority) : <span className="faint">None</span>}
      </td>
      <td className="muted break" data-label="With">
        {first ? (
          <span dir="auto">
            {first.name}
            {more.length > 0 && ` and ${more.length} more`}
          </span>
        ) : (
          <span className="faint">Nobody yet</span>
        )}
      </td>
      <OwnerCell asset={asset} />
    </>
  );
}

function AssetCell({ asset }: { asset: Line | null }) {
  return (
    <td data-label="Asset">
      {asset ? (
        <>
          <Asset urn={asset.urn} name={asset.name} type={asset.type} subType={asset.subType} />
          <span className={styles["where"]}>
            <Where line={asset} />
          </span>
        </>
      ) : (
        <span className="faint">Not known</span>
      )}
    </td>
  );
}

function OwnerCell({ asset }: { asset: Line | null }) {
  const [first, ...more] = asset?.owners ?? [];
  return (
    <td data-label="Owner">
      {first ? (
        <span className="row">
          <Person name={first.name} shape={first.shape} />
          {more.length > 0 && (
            <span className="faint small num nowrap" title={more.map(({ name }) => name).join(", ")}>
              +{more.length}
              <span className="sr"> more</span>
            </span>
          )}
        </span>
      ) : (
        <span className="faint">No owner</span>
      )}
    </td>
  );
}

const whereText = (asset: Line | null) => [asset?.platform, ...(asset?.steps ?? []).map(({ name }) => name)].filter(Boolean).join(" / ");
const ownersText = (asset: Line | null) => (asset?.owners ?? []).map(({ name }) => name).join("; ");

const checkCells = ({ check, asset }: FailingCheck) => [
  check.name,
  stateWords[stateOf(check)],
  asset?.name,
  whereText(asset),
  check.columns.join(", "),
  timeText(sinceOf(check)),
  timeText(lastOf(check)?.at),
  foundText(check),
  ownersText(asset),
  check.source,
  check.urn,
  asset?.urn,
];

const incidentCells = ({ incident, asset }: OpenIncident) => [
  titleOf(incident),
  asset?.name,
  whereText(asset),
  incident.stage,
  incident.priority,
  incident.kind,
  timeText(incident.startedAt ?? incident.raisedAt),
  incident.assignees.map(({ name }) => name).join("; "),
  incident.message,
  ownersText(asset),
  incident.urn,
  asset?.urn,
];
