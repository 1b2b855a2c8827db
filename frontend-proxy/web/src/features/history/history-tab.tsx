import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { useSession } from "../../app/session";
import { Asset as Chip, TagPill, TermPill } from "../../components/asset";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { shortOf, useNames } from "../../components/entities";
import { Export } from "../../components/export";
import { HistoryIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Bones, Empty, Failure, Find, Letters, Tools } from "../../components/parts";
import { typeOf } from "../../lib/asset";
import { timeText } from "../../lib/csv";
import { useNow } from "../../lib/now";
import { startOf, useParameters } from "../../lib/parameters";
import { run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { clockText, dateText, exactText } from "../../lib/time";
import type { Asset } from "../asset/asset";
import { isSafeLink } from "../asset/asset";
import { useAsset } from "../asset/read";
import type { TabProps } from "../asset/tabs";
import { byDay, categoryTitle, countsOf, historyIn, keptOf, sentenceOf, summaryOf, verbOf, type Change, type History as Told, type Transaction } from "./history";
import { History } from "./history.operations";
import styles from "./history.module.css";

const size = 25;
// More changes of one moment than these are told as a sum first.
const few = 3;

/** What changed of an asset, by whom and when. */
export default function HistoryTab({ urn }: TabProps) {
  const { data, error, refetch } = useQuery({ queryKey: ["asset", urn, "history"], queryFn: async ({ signal }) => historyIn((await run(History, { input: { urn } }, signal)).data) });
  const { asset } = useAsset(urn);
  if (error) {
    return <Failure what="the history" error={error} onRetry={() => void refetch()} />;
  }
  if (!data || !asset) {
    return <Bones rows={10} what="the history" />;
  }
  if (data.transactions.length === 0) {
    return (
      <Empty icon={<HistoryIcon size={20} stroke={1.5} aria-hidden />} title="No change is known">
        Columns, documentation, tags, terms, owners and properties tell here what becomes of them.
      </Empty>
    );
  }
  return <Changes urn={urn} asset={asset} told={data} />;
}

// What the page has read of the asset names most of what its history speaks of.
function namesOf(asset: Asset, self: { urn: string; name: string }): ReadonlyMap<string, string> {
  const refs = [self, ...asset.owners, ...asset.tags, ...asset.terms, ...asset.path, ...asset.products, ...asset.applications, ...asset.properties, ...(asset.domain ? [asset.domain] : [])];
  return new Map(refs.map(({ urn, name }) => [urn, name]));
}

function Changes({ urn, asset, told }: { urn: string; asset: Asset; told: Told }) {
  const [get, set] = useParameters();
  const session = useSession();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const seen = namesOf(asset, session);
  const [category, text] = [get("about"), get("find")];
  const nameIn = (names: ReadonlyMap<string, string>) => (one: string) => seen.get(one) ?? names.get(one) ?? shortOf(one);
  const kept = keptOf(told.transactions, { category, text }, nameIn(new Map()));
  const start = Math.min(startOf(get("page"), size), Math.max(0, Math.ceil(kept.length / size) - 1) * size);
  const shown = kept.slice(start, start + size);
  const isOpen = ({ key, changes }: Transaction) => changes.length <= few || opened.has(key);
  // A page is shown with as few requests as can be: names that it has not read are asked for once somebody looks closer.
  const closer = opened.size > 0 || start > 0 || category !== "" || text !== "";
  const spoken = (closer ? shown : []).flatMap((each) => [each.actor].concat(isOpen(each) ? each.changes.map((change) => change.urn) : [])).filter((one) => one !== "" && !seen.has(one));
  const nameOf = nameIn(useNames(spoken));
  const counts = countsOf(told.transactions);
  const now = useNow();
  const oldest = told.transactions.at(-1)?.at;
  return (
    <>
      <Tools>
        <Find label="Find in the history" value={text} onChange={(find) => set({ find, page: "" })} />
        <select className={styles["select"]} aria-label="Kind of change" value={category} onChange={(event) => set({ about: event.currentTarget.value, page: "" }, { push: true })}>
          <option value="">Every kind of change</option>
          {counts.map((each) => (
            <option key={each.category} value={each.category}>
              {categoryTitle(each.category)}, {numberText(each.count)}
            </option>
          ))}
          {category !== "" && !counts.some((each) => each.category === category) && <option value={category}>{categoryTitle(category)}, 0</option>}
        </select>
        <span className="row end">
          <Export
            name="history"
            head={["time", "actor", "kind", "operation", "change", "more", "as the service tells it"]}
            rows={() => Promise.resolve({ rows: kept.flatMap(({ at, actor, changes }) => changes.map((change) => [timeText(at), actor, change.category, change.operation, sentenceOf(change, nameOf), change.detail, change.said])) })}
          />
          <CopyAs call={{ query: History.toString(), variables: { input: { urn } } }} urn={urn} />
        </span>
      </Tools>
      <p className="sr" role="status">
        {counted(kept.reduce((sum, { changes }) => sum + changes.length, 0), "change")}
      </p>
      {kept.length === 0 && (
        <Empty
          title="No change matches"
          actions={
            <Button size="small" onClick={() => set({ find: "", about: "" })}>
              Show everything
            </Button>
          }
        />
      )}
      {byDay(shown).map(({ day, at, of }) => (
        <section key={day} className={styles["day"]}>
          <h2>{at === undefined ? "At a time that is not known" : dayText(at, now)}</h2>
          <ol>
            {of.map((each) => (
              <Line key={each.key} of={each} nameOf={nameOf} open={isOpen(each)} onOpen={() => setOpened((before) => new Set([...before, each.key]))} />
            ))}
          </ol>
        </section>
      ))}
      <div className={styles["foot"]}>
        <Pager start={start} size={size} total={kept.length} label="the history" onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
        <p className="faint small">
          {oldest !== undefined && `Known since ${dateText(oldest)}.`} {told.skipped > 0 && `${counted(told.skipped, "older version")} ${told.skipped === 1 ? "is" : "are"} not kept any more.`}
        </p>
      </div>
    </>
  );
}

const dayMs = 86_400_000;

function dayText(at: number, now: number): string {
  const is = (time: number) => new Date(time).toDateString() === new Date(at).toDateString();
  return is(now) ? "Today" : is(now - dayMs) ? "Yesterday" : dateText(at);
}

function Line({ of: { at, actor, version, changes }, nameOf, open, onOpen }: { of: Transaction; nameOf: (urn: string) => string; open: boolean; onOpen: () => void }) {
  const who = actor ? nameOf(actor) : "Somebody";
  const [first] = changes;
  const alone = changes.length === 1 ? first : undefined;
  return (
    <li className={styles["line"]}>
      <time className="faint num" {...(at === undefined ? {} : { dateTime: new Date(at).toISOString(), title: exactText(at) })}>
        {at === undefined ? "" : clockText(at)}
      </time>
      <Letters name={who} />
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
        {!alone && !open && (
          <Button size="small" look="quiet" onClick={onOpen}>
            Show the {counted(changes.length, "change")}
          </Button>
        )}
      </div>
      {version && <span className={styles["version"]}>{version}</span>}
    </li>
  );
}

// More changes of one moment are not drawn.
const most = 200;

function Sentence({ change, nameOf }: { change: Change; nameOf: (urn: string) => string }): ReactNode {
  const { category, noun, urn, column, said, operation } = change;
  if (!noun) {
    return (
      <span className="muted break">
        {said ? `${said.charAt(0).toLowerCase()}${said.slice(1, 500)}` : `${verbOf(change)} something`} <span className="faint small">{categoryTitle(category)}</span>
      </span>
    );
  }
  const word = noun === "description" ? "of" : operation === "ADD" ? "to" : operation === "REMOVE" ? "from" : "of";
  return (
    <span className="muted">
      {verbOf(change)} the {noun} {urn && <Thing urn={urn} name={nameOf(urn)} />}
      {column && (
        <>
          {category === "TECHNICAL_SCHEMA" ? "" : ` ${word} `}
          <code className="break">{column}</code>
        </>
      )}
    </span>
  );
}

function Thing({ urn, name }: { urn: string; name: string }) {
  const type = typeOf(urn);
  const Pill = type === "tag" ? TagPill : type === "glossaryTerm" ? TermPill : null;
  return <span className={styles["thing"]}>{Pill ? <Pill urn={urn} name={name} /> : <Chip urn={urn} name={name} />}</span>;
}

const longest = 400;

function Detail({ change: { noun, operation, detail } }: { change: Change }) {
  const text = detail.length > longest ? `${detail.slice(0, longest)}…` : detail;
  if (!text) {
    return null;
  }
  if (noun === "link" && isSafeLink(detail)) {
    return (
      <p className="small">
        <a href={detail} target="_blank" rel="noreferrer noopener" className="break">
          {text}
        </a>
      </p>
    );
  }
  const Mark = operation === "REMOVE" ? "del" : operation === "ADD" || noun === "description" ? "ins" : "span";
  return (
    <p className={styles["detail"]} dir="auto">
      <Mark>{text}</Mark>
    </p>
  );
}
