import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CSSProperties } from "react";
import { Link, useSearchParams } from "wouter";

import { useTitle } from "../../lib/title";
import { Asset, Path, Platform } from "../../components/asset";
import { CopyAs } from "../../components/copy-as";
import { nameOf, useNames } from "../../shared/entities/entities";
import { FilterMenu } from "../../components/filters";
import { BackIcon, BrowseIcon, ContainerIcon, RightIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Bones, Empty, Failure, Find, Kept, PageHead, Person, Tools, When } from "../../components/parts";
import { Rows } from "../../components/rows";
import { StateText } from "../../components/state-text";
import { assetPath } from "../../lib/asset";
import { pageIn } from "../../lib/found";
import { lineOf, type Line } from "../../lib/line";
import { startOf } from "../../lib/parameters";
import { run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { addressOf, valueText } from "../../shared/search/filters";
import { Browse, BrowseAssets } from "./browse.operations";
import { assetsAsked, columnsAsked, columnsOf, depthsOf, filtersOf, kindFilter, kindsOf, size, sortOf, sortsOf, type Column, type Place, type Step } from "./levels";
import styles from "./browse.module.css";

// Deeper than any folder tree of a platform. Search reaches assets below.
const deepest = 50;

/** The address of a place in the tree. */
function addressOfPlace({ platform, path }: Place): string {
  const parameters = new URLSearchParams();
  if (platform !== "") {
    parameters.set("platform", platform);
  }
  for (const step of path) {
    parameters.append("path", step);
  }
  const text = parameters.toString();
  return text === "" ? "/browse" : `/browse?${text}`;
}

// The parent of a place.
const above = ({ platform, path }: Place): Place => (path.length > 0 ? { platform, path: path.slice(0, -1) } : { platform: "", path: [] });

/** The browse page: a column of folders for each level, and the assets of the open folder. */
export default function BrowsePage() {
  const [parameters, setParameters] = useSearchParams();
  const place: Place = { platform: parameters.get("platform") ?? "", path: parameters.get("platform") ? parameters.getAll("path").slice(0, deepest) : [] };
  const set = (name: string, value: string, { replace }: { replace: boolean }) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete("page");
        if (value === "") {
          after.delete(name);
        } else {
          after.set(name, value);
        }
        return after;
      },
      { replace },
    );
  const variables = columnsAsked(place);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["browse", place.platform, ...place.path],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await run(Browse, variables, signal)).data,
  });
  const columns = data ? columnsOf(data, place) : [];
  const platforms = columns[0]?.steps ?? [];
  const total = platforms.reduce((sum, { count }) => sum + count, 0);
  const opened = columns.flatMap(({ steps, open }) => steps.filter(({ key }) => key === open)).at(-1);
  useTitle(opened?.name ?? "", "Browse");
  return (
    <>
      <div className={styles["head"]}>
        <PageHead title="Browse" actions={<CopyAs call={{ query: Browse.toString(), variables }} />}>
          {data ? `${counted(total, "asset")} on ${counted(platforms.length, "platform")}, laid out as their platforms lay them out.` : "The assets as their platforms lay them out."}
        </PageHead>
        <Folded place={place} />
        {place.platform !== "" && (
          <Link className={styles["back"] ?? ""} href={addressOfPlace(above(place))}>
            <BackIcon size={16} stroke={1.5} aria-hidden />
            Back
          </Link>
        )}
      </div>
      {error ? (
        <div className="page">
          <Failure what="the tree" error={error} onRetry={() => void refetch()} />
        </div>
      ) : data ? (
        <div className={[styles["columns"], isPlaceholderData && styles["old"]].filter(Boolean).join(" ")} style={{ "--columns": columns.length } as CSSProperties}>
          {columns.map((column, at) => (
            <Level key={column.depth} column={column} place={place} last={at === columns.length - 1} opened={opened} />
          ))}
          <div className={styles["last"]}>
            {place.platform === "" ? (
              <Empty icon={<BrowseIcon size={20} stroke={1.5} aria-hidden />} title={platforms.length > 0 ? "Choose a platform" : "Nothing is in the catalog yet"}>
                {platforms.length > 0 ? "What lies in it opens beside it, level by level." : <>What recipes bring in stands here by its platform. <Link href="/">How to put something in</Link></>}
              </Empty>
            ) : (
              <Assets place={place} opened={opened} of={(name) => parameters.get(name) ?? ""} set={set} />
            )}
          </div>
        </div>
      ) : (
        <div className="page">
          <Bones rows={10} what="the tree" />
        </div>
      )}
    </>
  );
}

// The path of levels that have no column.
function Folded({ place: { platform, path } }: { place: Place }) {
  const folded = path.slice(0, depthsOf({ platform, path })[0] ?? 0);
  const names = useNames(folded);
  if (folded.length === 0) {
    return null;
  }
  return (
    <Path
      steps={folded.map((step, at) => (
        <Link key={path.slice(0, at + 1).join("␟")} href={addressOfPlace({ platform, path: path.slice(0, at + 1) })}>
          {nameOf(names, step)}
        </Link>
      ))}
    />
  );
}

interface LevelProps {
  column: Column;
  place: Place;
  last: boolean;
  opened: Step | undefined;
}

function Level({ column: { title, depth, steps, more, open }, place, last, opened }: LevelProps) {
  const first = depth < 0;
  return (
    <section className={styles["column"]} aria-label={title} {...(last ? { "data-last": true } : {})}>
      <header>
        <h2>{title}</h2>
        <span className="num">{numberText(steps.length + more)}</span>
      </header>
      <ul>
        {steps.map((step) => (
          <li key={step.key}>
            <Link
              href={addressOfPlace(first ? { platform: step.key, path: [] } : { platform: place.platform, path: [...place.path.slice(0, depth), step.key] })}
              {...(step.key === open ? { "aria-current": step === opened ? ("page" as const) : ("true" as const) } : {})}
            >
              {first ? <Platform name={step.name} /> : <ContainerIcon size={16} stroke={1.5} aria-hidden />}
              <span className="clip" title={step.name}>
                {step.name}
              </span>
              <b>{numberText(step.count)}</b>
              <RightIcon size={14} stroke={1.5} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={`faint small ${styles["more"]}`}>{numberText(more)} more. Search finds them.</p>}
    </section>
  );
}

interface AssetsProps {
  place: Place;
  opened: Step | undefined;
  /** The state of the list in the address. */
  of: (name: "find" | "kind" | "sort" | "page") => string;
  set: (name: string, value: string, how: { replace: boolean }) => void;
}

function Assets({ place, opened, of, set }: AssetsProps) {
  const [find, kind] = [of("find"), of("kind")];
  const [text] = useDebouncedValue(find, 200);
  const start = startOf(of("page"), size);
  const sort = sortOf({ find: text, sort: of("sort") });
  const variables = assetsAsked(place, { find: text, kind, sort: of("sort"), start });
  const { data: answer, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["browse-assets", place.platform, ...place.path, "", text, kind, sort?.value, start],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await run(BrowseAssets, variables, signal)).data,
  });
  const data = answer?.searchAcrossEntities && pageIn(answer.searchAcrossEntities, lineOf);
  const kinds = kindsOf(answer);
  const known = kind === "" || kinds.some((each) => each.kind === kind) ? kinds : [...kinds, { kind, count: 0 }];
  const lines = data?.items ?? [];
  const filters = [...filtersOf(place), ...kindFilter(kind)];
  const search = `/search?${addressOf({ query: text.trim() || "*", filters, any: false, view: "", sort: sort?.value ?? "best", page: 1 }).toString()}`;
  return (
    <>
      <div className={styles["title"]}>
        <h2 className="break">{opened?.name ?? "What is here"}</h2>
        {data && (
          <span className="muted small num" role="status">
            {counted(data.total, "asset")}
          </span>
        )}
        <span className="row end">
          {opened?.urn && place.path.length > 0 && <Link href={assetPath(opened.urn)}>Open its page</Link>}
          <Link href={search}>Open as search</Link>
        </span>
      </div>
      <Tools>
        <Find label="Find an asset" value={find} onChange={(value) => set("find", value, { replace: true })} />
        <FilterMenu
          label={kind === "" ? "Every kind" : kindText(kind)}
          value={kind}
          options={[{ value: "", name: "Every kind" }, ...known.map((each) => ({ value: each.kind, name: `${kindText(each.kind)}, ${numberText(each.count)}` }))]}
          onChange={(value) => set("kind", value, { replace: false })}
        />
        <span className="end">
          <FilterMenu
            label={sort?.label ?? "Order"}
            value={sort?.value ?? ""}
            options={sortsOf(text).map(({ value, label }) => ({ value, name: label }))}
            onChange={(value) => set("sort", value, { replace: false })}
          />
        </span>
      </Tools>
      {error ? (
        <Failure what="the assets" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={8} what="the assets" />
      ) : lines.length === 0 ? (
        <Empty icon={<BrowseIcon size={20} stroke={1.5} aria-hidden />} title={text.trim() === "" && kind === "" ? "No asset is here" : "No asset matches"} />
      ) : (
        <Kept old={isPlaceholderData}>
          <Rows label="Assets" head={["Name", "Health", "Owner", "People", "Changed"]} numbers={["People"]} items={lines} keyOf={({ urn }) => urn} row={(line) => <Cells line={line} />} />
          <Pager label="assets" start={start} size={size} total={data.total} onPage={(page) => set("page", page > 1 ? String(page) : "", { replace: false })} />
        </Kept>
      )}
    </>
  );
}

const kindText = (kind: string) => valueText(kindFilter(kind)[0]?.field ?? "", kind);

function Cells({ line: { urn, type, name, subType, state, owners, people, changedAt } }: { line: Line }) {
  const [owner] = owners;
  return (
    <>
      <td>
        <Asset urn={urn} name={name} type={type} subType={subType} />
      </td>
      <td data-label="Health">
        <StateText state={state} />
      </td>
      <td data-label="Owner">{owner ? <Person name={owner.name} shape={owner.shape} /> : <span className="warn">No owner</span>}</td>
      <td className="right num" data-label="People">
        {people === undefined ? <span className="faint">Not counted</span> : numberText(people)}
      </td>
      <td data-label="Changed">{changedAt === undefined ? <span className="faint">Not known</span> : <When at={changedAt} />}</td>
    </>
  );
}
