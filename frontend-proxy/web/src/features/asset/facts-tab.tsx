import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { Asset as Chip } from "../../components/asset";
import { Button } from "../../components/button";
import { nameOf, useNames, type Names } from "../../shared/entities/entities";
import { Bones, Empty, Failure, Find, Section, Tools, When } from "../../components/parts";
import { useParameters } from "../../lib/parameters";
import { send } from "../../lib/request";
import { counted, numberText, words } from "../../lib/text";
import { aspectsIn, type Aspects } from "../../lib/aspects";
import styles from "./facts.module.css";
import { entityPath } from "../../shared/asset/read";
import type { TabProps } from "../../shared/asset/tabs";

// Longer lists are expanded on demand. Deeper values and longer texts are truncated.
const few = 20;
const deepest = 8;
const longest = 2000;

/** All stored aspects of an asset, formatted for reading. */
export default function FactsTab({ urn }: TabProps) {
  const [get, set] = useParameters();
  const text = get("find");
  const { data, error, refetch } = useQuery({ queryKey: ["asset", urn, "facts"], queryFn: async ({ signal }) => aspectsIn(await send(entityPath(urn), { signal })) });
  const names = useNames(data ? urnsIn(data) : []);
  if (error) {
    return <Failure what="the facts" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={10} what="the facts" />;
  }
  const sought = text.trim().toLowerCase();
  const shown = Object.entries(data).filter(([name, value]) => sought === "" || `${name} ${words(name)} ${JSON.stringify(value)}`.toLowerCase().includes(sought));
  return (
    <>
      <Tools>
        <Find label="Find a fact" value={text} onChange={(find) => set({ find })} />
        <span className="muted small num" role="status">
          {counted(shown.length, "aspect")}
        </span>
      </Tools>
      {shown.length === 0 && <Empty title={sought ? "No aspect matches" : "Nothing is written yet"}>{sought ? "The names and the values of all aspects are searched." : "Only the key of this asset is known."}</Empty>}
      {shown.map(([name, value]) => (
        <Section key={name} title={words(name)} tools={<code className="faint small break">{name}</code>}>
          <Value value={value} names={names} depth={0} />
        </Section>
      ))}
    </>
  );
}

const isURN = (text: string) => /^urn:li:[A-Za-z]\w*:.+$/u.test(text) && !/\s/u.test(text);

/** The URNs in aspect values, for name lookups. The search stops after 500. */
export function urnsIn(aspects: Aspects): string[] {
  const found = new Set<string>();
  const waiting: unknown[] = [aspects];
  while (waiting.length > 0 && found.size < 500) {
    const value = waiting.pop();
    if (typeof value === "string") {
      if (isURN(value)) {
        found.add(value);
      }
    } else if (typeof value === "object" && value !== null) {
      waiting.push(...Object.values(value).slice(0, 2000));
    }
  }
  return [...found];
}

interface ValueProps {
  value: unknown;
  /** The name of the enclosing member, which distinguishes times from numbers. */
  name?: string;
  names: Names;
  depth: number;
}

// Accepts milliseconds between 1990 and 2100.
const isMoment = (name: string, value: number) => /(time|millis|ms|date|created|modified|observed|^at$|On)$/iu.test(name) && value > 631e9 && value < 4.1e12;

function Value({ value, name = "", names, depth }: ValueProps): ReactNode {
  if (value === null || value === undefined || value === "") {
    return <span className="faint">None</span>;
  }
  if (typeof value === "boolean") {
    return value ? "Yes" : "No";
  }
  if (typeof value === "number") {
    return isMoment(name, value) ? <When at={value} relative={false} /> : <span className="num">{numberText(value)}</span>;
  }
  if (typeof value === "string") {
    return <Text text={value} names={names} />;
  }
  if (typeof value !== "object") {
    return null;
  }
  if (depth >= deepest) {
    return <code className={styles["text"]}>{JSON.stringify(value).slice(0, longest)}</code>;
  }
  return Array.isArray(value) ? <Items items={value} names={names} depth={depth} name={name} /> : <Members value={value} names={names} depth={depth} />;
}

function Text({ text, names }: { text: string; names: Names }) {
  const [whole, setWhole] = useState(false);
  if (isURN(text)) {
    return <Chip urn={text} name={nameOf(names, text)} />;
  }
  return (
    <span className={styles["text"]} dir="auto">
      {whole ? text : text.slice(0, longest)}
      {text.length > longest && !whole && (
        <Button size="small" look="quiet" onClick={() => setWhole(true)}>
          Show all {numberText(text.length)} characters
        </Button>
      )}
    </span>
  );
}

function Items({ items, names, depth, name }: { items: readonly unknown[]; names: Names; depth: number; name: string }) {
  const [all, setAll] = useState(false);
  if (items.length === 0) {
    return <span className="faint">None</span>;
  }
  return (
    <div className={styles["items"]}>
      {(all ? items : items.slice(0, few)).map((item, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a list that is read as it was written
        <div key={index}>
          <Value value={item} names={names} depth={depth + 1} name={name} />
        </div>
      ))}
      {items.length > few && !all && (
        <div>
          <Button size="small" onClick={() => setAll(true)}>
            Show all {numberText(items.length)}
          </Button>
        </div>
      )}
    </div>
  );
}

function Members({ value, names, depth }: { value: object; names: Names; depth: number }) {
  const entries = Object.entries(value);
  if (entries.length === 0) {
    return <span className="faint">None</span>;
  }
  // A union is encoded as an object with one member named after its type.
  const [only] = entries;
  if (entries.length === 1 && only && only[0].includes(".")) {
    return (
      <span>
        {words(only[0].split(".").at(-1) ?? "")} <Value value={only[1]} names={names} depth={depth + 1} />
      </span>
    );
  }
  return (
    <dl className={styles["ledger"]}>
      {entries.map(([name, inner]) => (
        <Pair key={name} name={name}>
          <Value value={inner} names={names} depth={depth + 1} name={name} />
        </Pair>
      ))}
    </dl>
  );
}

function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt title={name}>{/^[a-z]\w*$/iu.test(name) ? words(name) : name}</dt>
      <dd>{children}</dd>
    </>
  );
}
