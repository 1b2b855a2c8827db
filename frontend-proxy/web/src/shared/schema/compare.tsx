import { useQuery } from "@tanstack/react-query";
import type { Ref } from "react";
import { Link } from "wouter";

import { Button, ButtonLink } from "../../components/button";
import { FilterMenu } from "../../components/filters";
import { CloseIcon } from "../../components/icons";
import { Bones, CopyButton, Empty, Failure } from "../../components/parts";
import { assetPath } from "../../lib/asset";
import { useParameters } from "../../lib/parameters";
import { counted, numberText } from "../../lib/text";
import { dateText } from "../../lib/time";
import { plainPath } from "./columns";
import { pairQuery, versionsQuery } from "./read";
import styles from "./compare.module.css";
import { differenceSigns } from "./signs";
import { Touches } from "./touches";
import { countsText, differencesOf, differencesText, wordOf, type Difference, type Version } from "./versions";

interface Props {
  urn: string;
  /** Closes the panel; absent if the panel cannot be closed. */
  onClose?: () => void;
  ref?: Ref<HTMLElement>;
}

/** The differences between two schema versions. The address contains both numbers, as in 3-0. */
export default function Compare({ urn, onClose, ref }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it takes the focus when a row beside it asks for it
    <section ref={ref} tabIndex={-1} className={styles["compare"]} aria-label="Compare schemas">
      <header>
        <h2>Compare schemas</h2>
        {onClose && <Button size="small" look="quiet" label="Close the comparison" icon={<CloseIcon size={16} stroke={1.5} aria-hidden />} onClick={onClose} />}
      </header>
      <Pair urn={urn} />
    </section>
  );
}

const nameOf = ({ name, at }: Version) => (at === undefined ? name : `${name}, ${dateText(at)}`);

function Pair({ urn }: { urn: string }) {
  const { data, error, refetch } = useQuery(versionsQuery(urn));
  const [get, set] = useParameters();
  if (error && !data) {
    return <Failure what="the versions" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={3} what="the versions" />;
  }
  const [latest, before] = data;
  if (!latest || !before) {
    return (
      <Empty title={latest ? `One version: ${nameOf(latest)}` : "No version is kept"}>
        Each time ingestion writes another schema, the one before is kept to compare with.
      </Empty>
    );
  }
  const [, first, second] = /^(\d+)-(\d+)$/u.exec(get("compare")) ?? [];
  const find = (number: string | undefined, otherwise: Version) => data.find((version) => String(version.number) === number) ?? otherwise;
  const [one, other] = [find(first, before), find(second, latest)];
  // The older version comes first, regardless of the order of selection: a removed column is missing in the newer
  // version.
  const [from, to] = data.indexOf(one) >= data.indexOf(other) ? [one, other] : [other, one];
  const choose = (compare: string) => set({ compare }, { push: true });
  const options = data.map((version) => ({ value: String(version.number), name: nameOf(version) }));
  return (
    <>
      <div className={styles["pair"]} role="group" aria-label="Versions to compare">
        <FilterMenu label={`Version ${from.name}`} value={String(from.number)} options={options} onChange={(number) => choose(`${number}-${to.number}`)} />
        <span className="muted">and</span>
        <FilterMenu label={`Version ${to.name}`} value={String(to.number)} options={options} onChange={(number) => choose(`${from.number}-${number}`)} />
      </div>
      <Differences key={`${from.number} ${to.number}`} urn={urn} from={from} to={to} latest={latest} />
    </>
  );
}

// The maximum number of rendered differences.
const most = 500;

function Differences({ urn, from, to, latest }: { urn: string; from: Version; to: Version; latest: Version }) {
  const { data, error, refetch } = useQuery(pairQuery(urn, from.number, to.number));
  if (error && !data) {
    return <Failure what="these versions" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={4} what="these versions" />;
  }
  if (!data.older || !data.newer) {
    return <Empty title={`Version ${(data.older ? to : from).name} is not kept any more`}>Choose another one to compare with.</Empty>;
  }
  const all = differencesOf(data.older, data.newer);
  const same = data.newer.length - all.filter(({ kind }) => kind !== "removed").length;
  const counts = countsText(all.map(({ kind }) => kind));
  return (
    <>
      <p className="muted" role="status">
        {counts ? <b>{counts}.</b> : "The columns are the same."} {counts && same > 0 && `${numberText(same)} ${same === 1 ? "stays as it was" : "stay as they were"}.`}
      </p>
      {all.length > 0 && (
        <>
          <ul className={styles["differences"]}>
            {all.slice(0, most).map((each) => (
              <One key={each.path} of={each} />
            ))}
          </ul>
          {all.length > most && <p className="faint small">and {counted(all.length - most, "column")} more, which the copy holds</p>}
          <Touches urn={urn} differences={all} reads={data.reads} />
        </>
      )}
      <div className={styles["leave"]}>
        <Link href={`${assetPath(urn, "Schema")}${from === latest ? "" : `?version=${from.number}`}`} asChild>
          <ButtonLink size="small">Open version {from.name}</ButtonLink>
        </Link>
        {all.length > 0 && <CopyButton quiet label="Copy differences" text={() => differencesText(all)} />}
      </div>
    </>
  );
}

function One({ of }: { of: Difference }) {
  const { path, kind, text, was, is } = of;
  const { Icon, tone } = differenceSigns[kind];
  return (
    <li>
      <Icon size={14} stroke={1.5} className={tone} aria-hidden />
      <code className="break">{plainPath(path)}</code>
      <span className="faint small">{wordOf(of)}</span>
      <span className={styles["what"]}>
        {was !== undefined && <del>{was}</del>} {is !== undefined && <ins>{is}</ins>} {text && <span className="muted">{text}</span>}
      </span>
    </li>
  );
}
