import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { Link, useSearchParams } from "wouter";

import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { Choose } from "../../shared/pickers/choose";
import { CopyAs } from "../../components/copy-as";
import { nameOf, useNames, type Names } from "../../shared/entities/entities";
import { Export } from "../../components/export";
import { Chip, Chips, FilterMenu } from "../../components/filters";
import { ClockIcon, DownIcon, FailIcon, PassIcon, RefreshIcon, RightIcon, WarnIcon } from "../../components/icons";
import { Bones, Empty, Failure, Kept, Letters, PageHead, Segments, Tools } from "../../components/parts";
import { useNow } from "../../lib/now";
import { counted } from "../../lib/text";
import { exactText } from "../../lib/time";
import {
  callText,
  cellsOf,
  deedOf,
  everyRecord,
  groups,
  isRefused,
  keyOfRecord,
  momentText,
  pageSize,
  readOperates,
  search,
  searchOf,
  spans,
  wayText,
  whoText,
  whyText,
  type AuditRecord,
  type Deed,
  type Sought,
} from "./record";
import styles from "./audit.module.css";

/** The polling interval for new records in follow mode, in ms. */
const interval = 3000;

// The server counts up to this limit.
const exactTotal = 10_000;

const nameIn = (options: readonly { value: string; name: string }[], sought: string) => options.find(({ value }) => value === sought)?.name ?? sought;

const unless = (usual: string, value: string) => (value === usual ? null : value);

/** The audit log: actor, action, source and outcome of each event. */
export default function AuditPage() {
  useTitle("Audit");
  const [parameters, setParameters] = useSearchParams();
  const sought: Sought = {
    outcome: parameters.get("outcome") ?? "all",
    what: parameters.get("what") ?? "any",
    who: parameters.get("who"),
    span: parameters.get("when") ?? "day",
    after: parameters.get("after"),
  };
  const follows = parameters.get("follow") === "1" && sought.after === null;
  const set = (changes: Record<string, string | null>, replace = true) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        if (!("after" in changes)) {
          after.delete("after");
        }
        for (const [key, value] of Object.entries(changes)) {
          if (value === null) {
            after.delete(key);
          } else {
            after.set(key, value);
          }
        }
        return after;
      },
      { replace },
    );

  const rights = useQuery({ queryKey: ["audit", "operates"], staleTime: 5 * 60_000, queryFn: ({ signal }) => readOperates(signal) });
  const operates = rights.data ?? false;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["audit", "records", operates, sought],
    enabled: rights.isFetched,
    placeholderData: keepPreviousData,
    refetchInterval: follows ? interval : false,
    queryFn: ({ signal }) => search(sought, operates, signal),
  });
  const records = data?.records ?? [];
  const names = useNames([...records.flatMap(({ actorUrn, entityUrn }) => (entityUrn ? [actorUrn, entityUrn] : [actorUrn])), ...(sought.who ? [sought.who] : [])]);
  const now = useNow();
  const narrowed = sought.outcome !== "all" || sought.what !== "any" || sought.who !== null || sought.span !== "day";

  return (
    <>
      <PageHead
        title="Audit"
        actions={
          <>
            <CopyAs call={searchOf(sought, operates, now)} />
            <Export
              name="audit"
              head={["Time", "Type", "Outcome", "Actor", "About", "Aspect", "Way", "Call", "Token", "Run", "Request"]}
              rows={async () => {
                const { records: all, total } = await everyRecord(sought, operates);
                return { rows: all.map((record) => cellsOf(record, names)), total };
              }}
            />
            <Button
              icon={follows ? <ClockIcon size={16} stroke={1.5} aria-hidden /> : <RefreshIcon size={16} stroke={1.5} aria-hidden />}
              aria-pressed={follows}
              onClick={() => set({ follow: follows ? null : "1" })}
            >
              {follows ? "Following newest" : "Follow newest"}
            </Button>
          </>
        }
      >
        {operates ? "Every change, every refusal, every sign-in: who, by which way, and what came of it." : "Sign-ins, and changes of users, policies, access tokens and ingestion sources: who, by which way, and what came of it."}
      </PageHead>
      <Tools>
        <Segments
          label="Outcome"
          value={sought.outcome}
          options={[
            { value: "all", label: "All" },
            { value: "done", label: "Done" },
            { value: "refused", label: "Refused" },
          ]}
          onChange={(outcome) => set({ outcome: unless("all", outcome) })}
        />
        <Choose
          label="Who"
          words
          single
          types={["CORP_USER"]}
          chosen={sought.who ? [{ urn: sought.who, name: nameOf(names, sought.who) }] : []}
          onSave={([chosen]) => Promise.resolve(set({ who: chosen?.urn ?? null }))}
        />
        <FilterMenu label="Did what" value={sought.what} options={groups.filter(({ ours }) => operates || !ours)} onChange={(what) => set({ what: unless("any", what) })} />
        <FilterMenu label="When" value={sought.span} options={spans} onChange={(span) => set({ when: unless("day", span) })} />
      </Tools>
      {narrowed && (
        <Chips onClear={() => set({ outcome: null, what: null, who: null, when: null })}>
          {sought.outcome !== "all" && <Chip label="Outcome is" value={sought.outcome} onRemove={() => set({ outcome: null })} />}
          {sought.who && <Chip label="Who is" value={nameOf(names, sought.who)} onRemove={() => set({ who: null })} />}
          {sought.what !== "any" && <Chip label="Did what is" value={nameIn(groups, sought.what)} onRemove={() => set({ what: null })} />}
          {sought.span !== "day" && <Chip label="When is" value={nameIn(spans, sought.span)} onRemove={() => set({ when: null })} />}
        </Chips>
      )}
      {error ? (
        <Failure what="the audit log" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={9} what="the audit log" />
      ) : records.length === 0 ? (
        <Empty icon={<ClockIcon size={20} stroke={1.5} aria-hidden />} title="No record matches">
          {sought.span === "all" ? "Nothing of it is kept." : "Look further back, or drop a filter."}
        </Empty>
      ) : (
        <Kept old={isPlaceholderData}>
          <List records={records} names={names} now={now} />
          <nav className={styles["pager"]} aria-label="Pages of records">
            <span className="muted small num" role="status">
              {data.total >= exactTotal ? "10,000 or more records" : counted(data.total, "record")}, newest first
              {records.length === pageSize && `; ${pageSize} are shown`}
            </span>
            <span className="row end">
              <Button size="small" reason={sought.after === null ? "These are the newest." : null} onClick={() => set({ after: null }, false)}>
                Newest
              </Button>
              <Button size="small" reason={data.next === null ? "There are no older ones." : null} onClick={() => data.next && set({ after: data.next, follow: null }, false)}>
                Older
              </Button>
            </span>
          </nav>
        </Kept>
      )}
      {rights.isFetched && !operates && (
        <p className="muted small">Refusals, other changes and addresses are shown to those who have the privilege Manage System Operations.</p>
      )}
    </>
  );
}

function List({ records, names, now }: { records: readonly AuditRecord[]; names: Names; now: number }) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <table className={styles["table"]} aria-label="Records">
      <thead>
        <tr>
          <th scope="col" className={styles["when"]}>
            When
          </th>
          <th scope="col" className={styles["person"]}>
            Who
          </th>
          <th scope="col">Did what</th>
          <th scope="col" className={styles["way"]}>
            By which way
          </th>
          <th scope="col" className={styles["outcome"]}>
            Outcome
          </th>
          <th scope="col" className={styles["more"]}>
            <span className="sr">Details</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {records.map((record, index) => {
          const key = keyOfRecord(record);
          const is = open === key;
          return (
            // Records of changes in one request can have equal keys.
            // oxlint-disable-next-line react/no-array-index-key
            <Fragment key={`${key} ${keyTwice(records, index) ? index : ""}`}>
              <Line record={record} names={names} now={now} open={is} onToggle={() => setOpen(is ? null : key)} />
              {is && (
                <tr className={styles["detail"]}>
                  <td colSpan={6}>
                    <Details record={record} />
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

const keyTwice = (records: readonly AuditRecord[], index: number) => {
  const [record, before] = [records[index], records[index - 1]];
  return record !== undefined && before !== undefined && keyOfRecord(record) === keyOfRecord(before);
};

function Line({ record, names, now, open, onToggle }: { record: AuditRecord; names: Names; now: number; open: boolean; onToggle: () => void }) {
  const who = whoText(record, names);
  const at = momentText(record.timestamp, now);
  return (
    <tr className={open ? styles["open"] : undefined}>
      <td className="num faint nowrap">
        <time dateTime={new Date(record.timestamp).toISOString()} title={exactText(record.timestamp)}>
          {at}
        </time>
      </td>
      <td>
        <span className="row">
          <Letters name={who.known ? who.name : "?"} />
          <span className={who.known ? "clip" : "clip faint"} title={who.name}>
            {who.name}
          </span>
        </span>
      </td>
      <td>
        <Did deed={deedOf(record, names)} />
      </td>
      <td className="muted">{wayText(record)}</td>
      <td>
        <Outcome type={record.type} />
      </td>
      <td className="right">
        <Button
          size="small"
          look="quiet"
          label={`Details of ${at}`}
          aria-expanded={open}
          icon={open ? <DownIcon size={16} stroke={1.5} aria-hidden /> : <RightIcon size={16} stroke={1.5} aria-hidden />}
          onClick={onToggle}
        />
      </td>
    </tr>
  );
}

function Did({ deed: { text, thing, code } }: { deed: Deed }) {
  const policy = thing?.urn.startsWith("urn:li:dataHubPolicy:");
  return (
    <span className={styles["did"]}>
      <span>{text}</span>
      {code && <code>{code}</code>}
      {thing && (code ? <span>of</span> : null)}
      {thing && (policy ? <Link href={`/settings/policies/${encodeURIComponent(thing.urn)}`}>{thing.name}</Link> : <b title={thing.urn}>{thing.name}</b>)}
    </span>
  );
}

function Outcome({ type }: { type: string }) {
  if (type === "EventsLostEvent") {
    return (
      <span className={`${styles["state"]} warn`}>
        <WarnIcon size={16} stroke={1.5} aria-hidden />
        Lost
      </span>
    );
  }
  return isRefused(type) || type === "ThrottledEvent" ? (
    <span className={`${styles["state"]} bad`}>
      <FailIcon size={16} stroke={1.5} aria-hidden />
      Refused
    </span>
  ) : (
    <span className={`${styles["state"]} muted`}>
      <PassIcon size={16} stroke={1.5} className="ok" aria-hidden />
      Done
    </span>
  );
}

function Details({ record }: { record: AuditRecord }) {
  const lines: [string, string | undefined, boolean?][] = [
    ["Why", whyText(record)],
    ["Call", callText(record)],
    ["About", record.entityUrn, true],
    ["Aspect", record.aspectName, true],
    ["Token", record.tokenId, true],
    ["Run", record.runId, true],
    ["Record", record.requestId, true],
    ["Time", exactText(record.timestamp)],
    ["Type", record.type, true],
  ];
  return (
    <dl className={styles["details"]}>
      {lines.map(
        ([term, text, code]) =>
          text && (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{code ? <code>{text}</code> : text}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
