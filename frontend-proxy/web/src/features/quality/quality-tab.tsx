import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { createPortal } from "react-dom";

import { Button } from "../../components/button";
import { Export } from "../../components/export";
import { AddIcon, CheckIcon, IncidentIcon } from "../../components/icons";
import { KeepOpen } from "../../components/open-rows";
import { Bones, Empty, Failure, Find, Section, Segments, Tools, When } from "../../components/parts";
import { Rows } from "../../components/rows";
import { timeText } from "../../lib/csv";
import { Fallback, lazy } from "../../lib/lazy";
import { useParameters } from "../../lib/parameters";
import { counted, numberText } from "../../lib/text";
import { momentText } from "../../lib/time";
import { kindOf } from "../../lib/asset";
import { reasonOf } from "../../shared/asset/edit";
import { useAsset } from "../../shared/asset/read";
import { useSideSlot } from "../../shared/asset/slot";
import type { TabProps } from "../../shared/asset/tabs";
import { qualityQuery } from "./edit";
import { daysOf, lastOf, priorities, sentenceOf, stateOf, stateWords, summaryOf, titleOf, wordOf, type Check, type Incident } from "../../shared/quality/quality";
import { DayStrip, RunBars } from "../../shared/quality/runs-strip";
import { IncidentBadge, OutcomeSign } from "../../shared/quality/state";
import type { Quality as Told } from "./page";
import styles from "./quality.module.css";

const CheckPanel = lazy(() => import("./check-panel"));
const IncidentPanel = lazy(() => import("./incident-panel"));
const Raise = lazy(() => import("./raise"));

/** The quality tab of an asset: checks and incidents. */
export default function QualityTab({ urn }: TabProps) {
  const { data, error, refetch } = useQuery(qualityQuery(urn));
  const { asset } = useAsset(urn);
  const [get, set] = useParameters();
  const [raising, setRaising] = useState(false);
  const slot = useSideSlot();
  if (error && !data) {
    return <Failure what="the quality" error={error} onRetry={() => void refetch()} />;
  }
  if (!data || !asset) {
    return <Bones rows={10} what="the quality" />;
  }
  const reason = reasonOf(asset, "canEditIncidents");
  const check = data.checks?.find((each) => each.urn === get("check"));
  const incident = data.incidents.find((each) => each.urn === get("incident"));
  const open = (name: "check" | "incident", value: string) => set({ check: "", incident: "", [name]: value === get(name) ? "" : value }, { push: true });
  const close = () => set({ check: "", incident: "" });
  const troubled = data.incidents.some(({ active }) => active);
  const incidents = <Incidents told={data} reason={reason} chosen={incident} onOpen={(one) => open("incident", one)} onRaise={() => setRaising(true)} />;
  return (
    <>
      {data.checks && <Lead checks={data.checks} what={kindOf(asset.type).one} />}
      {troubled && incidents}
      {data.checks && data.checks.length > 0 && <Checks checks={data.checks} total={data.total} chosen={check} ruled={troubled} onOpen={(one) => open("check", one)} />}
      {!troubled && incidents}
      {slot &&
        createPortal(
          <Fallback show={<Bones rows={6} what="the detail" />}>
            {check ? (
              <CheckPanel key={check.urn} check={check} onClose={close} />
            ) : (
              <KeepOpen value={incident} scope={get("incident")}>
                {(one) => <IncidentPanel key={one.urn} asset={asset} incident={one} checks={data.checks ?? []} reason={reason} onCheck={(failing) => open("check", failing)} onClose={close} />}
              </KeepOpen>
            )}
          </Fallback>,
          slot,
        )}
      {raising && (
        <Fallback show={null}>
          <Raise asset={asset} onClose={() => setRaising(false)} onRaised={(one) => set({ check: "", incident: one }, { push: true })} />
        </Fallback>
      )}
    </>
  );
}

function Lead({ checks, what }: { checks: readonly Check[]; what: string }) {
  if (checks.length === 0) {
    return (
      <Empty icon={<CheckIcon size={20} stroke={1.5} aria-hidden />} title="No check watches this yet">
        Tools that check data report here, as does the mutation <code>upsertCustomAssertion</code>. Then this {what} shows whether it passes, and since when.
      </Empty>
    );
  }
  const summary = summaryOf(checks);
  const { tone, text } = sentenceOf(summary);
  const others = [summary.passed === 1 ? "One passes" : summary.passed > 1 ? `${numberText(summary.passed)} pass` : "", summary.failed > 0 && summary.error > 0 && `${numberText(summary.error)} could not be run`].filter(Boolean).join(", ");
  const more = summary.failed + summary.error > 0 && others;
  return (
    <>
      <div className={styles["top"]}>
        <div>
          <p className={styles["lead"]}>
            <span className={tone === "plain" ? "" : tone}>{text}</span>
            {summary.failed > 0 && summary.since !== undefined && ` since ${momentText(summary.since)}`}.
          </p>
          <p className={styles["under"]}>
            {more && `${more}. `}
            {summary.last === undefined ? (
              "No run is known yet."
            ) : (
              <>
                Last run <When at={summary.last} />.
              </>
            )}
          </p>
        </div>
      </div>
      <DayStrip days={daysOf(checks, 30)} />
    </>
  );
}

const shows = ["failing", "passing"] as const;

function Checks({ checks, total, chosen, ruled, onOpen }: { checks: readonly Check[]; total: number; chosen: Check | undefined; ruled: boolean; onOpen: (urn: string) => void }) {
  const [get, set] = useParameters();
  const text = get("find");
  const kept = shows.find((each) => each === get("show")) ?? "all";
  const failing = checks.filter((check) => stateOf(check) === "failed" || stateOf(check) === "error");
  const passing = checks.filter((check) => stateOf(check) === "passed");
  const sought = text.trim().toLowerCase();
  const of = { all: checks, failing, passing }[kept];
  const shown = of.filter(({ name, columns, kind, source }) => sought === "" || [name, kind, source, ...columns].join(" ").toLowerCase().includes(sought));
  const content = (
    <>
      <Tools>
        <Find label="Find a check" value={text} onChange={(find) => set({ find })} />
        <Segments
          label="Which checks"
          value={kept}
          options={[
            { value: "all", label: "All", count: checks.length },
            { value: "failing", label: "Failing", count: failing.length },
            { value: "passing", label: "Passing", count: passing.length },
          ]}
          onChange={(show) => set({ show: show === "all" ? "" : show })}
        />
        <span className="end">
          <Export
            size="small"
            name="checks"
            head={["check", "state", "kind", "columns", "last run", "found", "source", "urn"]}
            rows={() => Promise.resolve({ rows: shown.map((check) => [check.name, stateWords[stateOf(check)], check.kind, check.columns.join(", "), timeText(lastOf(check)?.at), lastOf(check)?.found ?? "", check.source, check.urn]), total: shown.length })}
          />
        </span>
      </Tools>
      <p className="sr" role="status">
        {counted(shown.length, "check")}
      </p>
      {total > checks.length && (
        <p className="muted small num">
          The first {numberText(checks.length)} of {counted(total, "check")} are shown.
        </p>
      )}
      {shown.length === 0 ? (
        <Empty
          title="No check matches"
          actions={
            <Button size="small" onClick={() => set({ find: "", show: "" })}>
              Show all {numberText(checks.length)}
            </Button>
          }
        />
      ) : (
        <div className={styles["checks"]}>
          <Rows
            label="Checks"
            head={["Check", "Column", "Last result", "14 runs", "Source"]}
            items={shown}
            keyOf={({ urn }) => urn}
            selected={({ urn }) => urn === chosen?.urn}
            row={(check) => <CheckLine check={check} chosen={check.urn === chosen?.urn} onOpen={() => onOpen(check.urn)} />}
          />
        </div>
      )}
    </>
  );
  return ruled ? <Section title="Checks">{content}</Section> : content;
}

function CheckLine({ check, chosen, onOpen }: { check: Check; chosen: boolean; onOpen: () => void }) {
  const state = stateOf(check);
  const last = lastOf(check);
  const [first, ...more] = check.columns;
  return (
    <>
      <td>
        <button type="button" className={styles["open"]} aria-expanded={chosen} onClick={onOpen}>
          <OutcomeSign outcome={state} />
          <span dir="auto">{check.name.slice(0, 300)}</span>
          <span className="sr">, {stateWords[state].toLowerCase()}</span>
        </button>
      </td>
      <td data-label="Column">
        {first === undefined ? (
          <span className="faint">The whole</span>
        ) : (
          <>
            <code className="muted break">{first}</code> {more.length > 0 && <span className="faint small">and {more.length} more</span>}
          </>
        )}
      </td>
      <td data-label="Last result">
        <span className={state === "failed" ? "bad break" : state === "error" ? "warn break" : "muted break"}>{last ? (state === "error" && last.reason.slice(0, 120)) || last.found || last.word : "Not run yet"}</span>
      </td>
      <td data-label="Runs">
        <RunBars runs={check.runs} />
      </td>
      <td data-label="Source">
        <span className="faint break">{check.source}</span>
      </td>
    </>
  );
}

interface IncidentsProps {
  told: Told;
  reason: string | null;
  chosen: Incident | undefined;
  onOpen: (urn: string) => void;
  onRaise: () => void;
}

function Incidents({ told: { incidents, incidentTotal }, reason, chosen, onOpen, onRaise }: IncidentsProps) {
  const [get, set] = useParameters();
  const active = incidents.filter((each) => each.active);
  const resolved = incidents.filter((each) => !each.active);
  const kept = (["open", "resolved"] as const).find((each) => each === get("incidents")) ?? "all";
  const shown = { all: incidents, open: active, resolved }[kept];
  return (
    <Section
      title="Incidents"
      tools={
        <>
          {incidents.length > 0 && (
            <Export
              size="small"
              name="incidents"
              head={["incident", "state", "stage", "priority", "kind", "started", "raised", "assignees", "message", "urn"]}
              rows={() =>
                Promise.resolve({
                  rows: shown.map((each) => [titleOf(each), each.state, each.stage, each.priority, each.kind, timeText(each.startedAt), timeText(each.raisedAt), each.assignees.map(({ name }) => name).join(", "), each.message, each.urn]),
                  total: shown.length,
                })
              }
            />
          )}
          <Button size="small" icon={<AddIcon size={14} stroke={1.5} aria-hidden />} reason={reason} onClick={onRaise}>
            Raise an incident
          </Button>
        </>
      }
    >
      {incidents.length === 0 ? (
        <p className="muted">None is known. Raise one to tell everybody who looks here that something is wrong.</p>
      ) : (
        <>
          {resolved.length > 0 && active.length > 0 && (
            <Tools>
              <Segments
                label="Which incidents"
                size="small"
                value={kept}
                options={[
                  { value: "all", label: "All", count: incidents.length },
                  { value: "open", label: "Open", count: active.length },
                  { value: "resolved", label: "Resolved", count: resolved.length },
                ]}
                onChange={(value) => set({ incidents: value === "all" ? "" : value })}
              />
            </Tools>
          )}
          {incidentTotal > incidents.length && (
            <p className="muted small num">
              The newest {numberText(incidents.length)} of {counted(incidentTotal, "incident")} are shown.
            </p>
          )}
          <div className={styles["incidents"]}>
            <Rows
              label="Incidents"
              head={["Incident", "State", "Priority", "With", "Since"]}
              items={shown}
              keyOf={({ urn }) => urn}
              selected={({ urn }) => urn === chosen?.urn}
              row={(each) => <IncidentLine incident={each} chosen={each.urn === chosen?.urn} onOpen={() => onOpen(each.urn)} />}
            />
          </div>
        </>
      )}
    </Section>
  );
}

function IncidentLine({ incident, chosen, onOpen }: { incident: Incident; chosen: boolean; onOpen: () => void }) {
  const { active, priority, assignees, startedAt, raisedAt } = incident;
  const [first, ...more] = assignees;
  const since = startedAt ?? raisedAt;
  return (
    <>
      <td>
        <button type="button" className={styles["open"]} aria-expanded={chosen} onClick={onOpen}>
          <IncidentIcon size={16} stroke={1.5} className={active ? "bad" : "faint"} aria-hidden />
          <span dir="auto">{titleOf(incident).slice(0, 300)}</span>
        </button>
      </td>
      <td data-label="State">
        <IncidentBadge incident={incident} />
      </td>
      <td data-label="Priority">
        <span className="muted">{priority ? wordOf(priorities, priority) : <span className="faint">None</span>}</span>
      </td>
      <td data-label="With">
        {first ? (
          <span className="muted break" dir="auto">
            {first.name}
            {more.length > 0 && ` and ${more.length} more`}
          </span>
        ) : (
          <span className="faint">Nobody yet</span>
        )}
      </td>
      <td data-label="Since">{since !== undefined && <span className="muted"><When at={since} /></span>}</td>
    </>
  );
}
