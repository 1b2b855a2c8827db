import { useQuery, type QueryFunctionContext } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { createPortal } from "react-dom";

import { useSession } from "../../shared/session/session";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { useNames } from "../../shared/entities/entities";
import { Export } from "../../components/export";
import { FilterMenu } from "../../components/filters";
import { HistoryIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Badge, Bones, Empty, Failure, Find, Letters, Segments, Tools } from "../../components/parts";
import { timeText } from "../../lib/csv";
import { Fallback, lazy } from "../../lib/lazy";
import { useNow } from "../../lib/now";
import { startOf, useParameters } from "../../lib/parameters";
import { run } from "../../lib/request";
import { counted, numberText, shortOf } from "../../lib/text";
import { clockText, dateText, exactText } from "../../lib/time";
import { hasSchema, type Asset } from "../../shared/asset/asset";
import { useAsset } from "../../shared/asset/read";
import { useSideSlot } from "../../shared/asset/slot";
import type { TabProps } from "../../shared/asset/tabs";
import { keepVersions, versionsQuery } from "../../shared/schema/read";
import type { Version } from "../../shared/schema/versions";
import { byDay, categoryTitle, countsOf, historyIn, isProgram, keptOf, sentenceOf, summaryOf, type By, type History as Told, type Transaction } from "../../shared/history/history";
import { History } from "./history.operations";
import { dayTitle, Detail, Sentence } from "../../shared/history/sentence";
import styles from "../../shared/history/history.module.css";

const Compare = lazy(() => import("../../shared/schema/compare"));

const size = 25;
// More changes at one time are summarized first.
const few = 3;

async function read(urn: string, withSchema: boolean, { signal, client }: QueryFunctionContext): Promise<Told> {
  const { data, problems } = await run(History, variablesOf(urn, withSchema), signal);
  if (!data.getTimeline && problems[0]) {
    throw problems[0];
  }
  keepVersions(client, urn, data);
  return historyIn(data);
}

const variablesOf = (urn: string, withSchema: boolean) => ({ input: { urn }, urn, versions: withSchema });

/**
 * The change history of an asset, with actors and times. The side panel compares schema versions, if the asset has a
 * schema.
 */
export default function HistoryTab({ urn }: TabProps) {
  const { asset } = useAsset(urn);
  const withSchema = asset ? hasSchema(asset) : false;
  const { data, error, refetch } = useQuery({ queryKey: ["asset", urn, "history"], queryFn: (context) => read(urn, withSchema, context), enabled: Boolean(asset) });
  const slot = useSideSlot();
  const panel = useRef<HTMLElement>(null);
  const bones = <Bones rows={4} what="the versions" />;
  return (
    <>
      {error ? (
        <Failure what="the history" error={error} onRetry={() => void refetch()} />
      ) : !data || !asset ? (
        <Bones rows={10} what="the history" />
      ) : data.transactions.length === 0 ? (
        <Empty icon={<HistoryIcon size={20} stroke={1.5} aria-hidden />} title="No change is known">
          Columns, documentation, tags, terms, owners and properties tell here what becomes of them.
        </Empty>
      ) : (
        <Changes urn={urn} asset={asset} told={data} onCompared={() => panel.current?.focus()} />
      )}
      {withSchema && slot && createPortal(<Fallback show={bones}>{data || error ? <Compare ref={panel} urn={urn} /> : bones}</Fallback>, slot)}
    </>
  );
}

// The data of the asset already contains the names of most entities in its history.
function namesOf(asset: Asset, self: { urn: string; name: string }): ReadonlyMap<string, string> {
  const refs = [self, ...asset.owners, ...asset.tags, ...asset.terms, ...asset.path, ...asset.products, ...asset.applications, ...asset.properties, ...(asset.domain ? [asset.domain] : [])];
  return new Map(refs.map(({ urn, name }) => [urn, name]));
}

function Changes({ urn, asset, told, onCompared }: { urn: string; asset: Asset; told: Told; onCompared: () => void }) {
  const [get, set] = useParameters();
  const session = useSession();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const seen = namesOf(asset, session);
  const [category, text] = [get("about"), get("find")];
  const nameIn = (names: ReadonlyMap<string, string>) => (one: string) => seen.get(one) ?? names.get(one) ?? shortOf(one);
  const by: By = (["people", "programs"] as const).find((one) => one === get("by")) ?? "all";
  const kept = keptOf(told.transactions, { category, text, by }, nameIn(new Map()));
  const start = Math.min(startOf(get("page"), size), Math.max(0, Math.ceil(kept.length / size) - 1) * size);
  const shown = kept.slice(start, start + size);
  const isOpen = ({ key, changes }: Transaction) => changes.length <= few || opened.has(key);
  // To save requests, further names are loaded only when the user opens details, pages or filters.
  const closer = opened.size > 0 || start > 0 || category !== "" || text !== "" || by !== "all";
  const spoken = (closer ? shown : []).flatMap((each) => [each.actor].concat(isOpen(each) ? each.changes.map((change) => change.urn) : [])).filter((one) => one !== "" && !seen.has(one));
  const nameOf = nameIn(useNames(spoken));
  const counts = countsOf(told.transactions);
  const now = useNow();
  const oldest = told.transactions.at(-1)?.at;
  const { data: versions = [] } = useQuery({ ...versionsQuery(urn), enabled: hasSchema(asset) });
  const compare = (pair: string) => {
    set({ compare: pair }, { push: true });
    onCompared();
  };
  return (
    <>
      <Tools>
        <Find label="Find in the history" value={text} onChange={(find) => set({ find, page: "" })} />
        <Segments
          label="Made by"
          value={by}
          options={[
            { value: "all", label: "Everything" },
            { value: "people", label: "By people" },
            { value: "programs", label: "By programs" },
          ]}
          onChange={(one) => set({ by: one === "all" ? "" : one, page: "" }, { push: true })}
        />
        <span className="end">
          <FilterMenu
            label={category === "" ? "Kind of change" : categoryTitle(category)}
            value={category}
            options={[
              { value: "", name: "Every kind of change" },
              ...counts.map((each) => ({ value: each.category, name: `${categoryTitle(each.category)}, ${numberText(each.count)}` })),
              ...(category !== "" && !counts.some((each) => each.category === category) ? [{ value: category, name: `${categoryTitle(category)}, 0` }] : []),
            ]}
            onChange={(about) => set({ about, page: "" }, { push: true })}
          />
        </span>
      </Tools>
      <p className="sr" role="status">
        {counted(kept.reduce((sum, { changes }) => sum + changes.length, 0), "change")}
      </p>
      {kept.length === 0 && (
        <Empty
          title="No change matches"
          actions={
            <Button size="small" onClick={() => set({ find: "", about: "", by: "" })}>
              Show everything
            </Button>
          }
        />
      )}
      {byDay(shown).map(({ day, at, of }) => (
        <section key={day} className={styles["day"]}>
          <h2>{at === undefined ? "At a time that is not known" : dayTitle(at, now)}</h2>
          <ol>
            {of.map((each) => (
              <Line key={each.key} of={each} nameOf={nameOf} open={isOpen(each)} onOpen={() => setOpened((before) => new Set([...before, each.key]))} made={madeOf(each, versions)} onCompare={compare} />
            ))}
          </ol>
        </section>
      ))}
      <div className={styles["foot"]}>
        <Pager start={start} size={size} total={kept.length} label="the history" onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
        <div className={styles["acts"]}>
          <p className="faint small">
            {oldest !== undefined && `Known since ${dateText(oldest)}.`} {told.skipped > 0 && `${counted(told.skipped, "older version")} ${told.skipped === 1 ? "is" : "are"} not kept any more.`}
          </p>
          <span className="row end">
            <Export
              name="history"
              head={["time", "actor", "kind", "operation", "change", "more", "as the service tells it"]}
              rows={() => Promise.resolve({ rows: kept.flatMap(({ at, actor, changes }) => changes.map((change) => [timeText(at), actor, change.category, change.operation, sentenceOf(change, nameOf), change.detail, change.said])) })}
            />
            <CopyAs call={{ query: History.toString(), variables: variablesOf(urn, hasSchema(asset)) }} urn={urn} />
          </span>
        </div>
      </div>
    </>
  );
}

// A schema version with its predecessor.
interface Made {
  version: Version;
  before: Version | undefined;
}

function madeOf({ schemaVersion }: Transaction, versions: readonly Version[]): Made | null {
  const place = versions.findIndex(({ number }) => number === schemaVersion);
  const version = versions[place];
  return version ? { version, before: versions[place + 1] } : null;
}

interface LineProps {
  of: Transaction;
  nameOf: (urn: string) => string;
  open: boolean;
  onOpen: () => void;
  /** The schema version that resulted from the changes. */
  made: Made | null;
  onCompare: (pair: string) => void;
}

function Line({ of: { at, actor, changes }, nameOf, open, onOpen, made, onCompare }: LineProps) {
  const who = actor ? nameOf(actor) : "Somebody";
  const [first] = changes;
  const alone = changes.length === 1 ? first : undefined;
  return (
    <li className={styles["line"]}>
      <time className="faint num" {...(at === undefined ? {} : { dateTime: new Date(at).toISOString(), title: exactText(at) })}>
        {at === undefined ? "" : clockText(at)}
      </time>
      <Letters name={who} shape={isProgram(actor) ? "group" : "person"} />
      <div className={styles["told"]}>
        <div>
          <b className="break" dir="auto">
            {who}
          </b>{" "}
          {alone ? <Sentence change={alone} nameOf={nameOf} /> : <span className="muted">{summaryOf(changes)}</span>}
        </div>
        {alone && <Detail change={alone} />}
        {!alone && open && (
          <ul>
            {changes.slice(0, most).map((change, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- changes are told apart by their place
              <li key={index}>
                <Sentence change={change} nameOf={nameOf} />
                <Detail change={change} />
              </li>
            ))}
            {changes.length > most && <li className="faint">and {counted(changes.length - most, "more change")}, which the export holds</li>}
          </ul>
        )}
        <div className={styles["acts"]}>
          {!alone && !open && (
            <Button size="small" look="quiet" onClick={onOpen}>
              Show the {counted(changes.length, "change")}
            </Button>
          )}
          {made?.before && (
            <Button size="small" look="quiet" onClick={() => onCompare(`${made.before?.number}-${made.version.number}`)}>
              Compare with version {made.before.name}
            </Button>
          )}
        </div>
      </div>
      {made && <Badge tone="info">version {made.version.name}</Badge>}
    </li>
  );
}

// The maximum number of rendered changes of one time.
const most = 200;
