import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { Asset as Chip, Platform } from "../../components/asset";
import { Button } from "../../components/button";
import { Export } from "../../components/export";
import { ContainerIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Bones, Empty, Failure, Find, Kept, Tools, When } from "../../components/parts";
import { Rows } from "../../components/rows";
import { StateText } from "../../components/state-text";
import { typeName, typeOf } from "../../lib/asset";
import { everyPage, timeText } from "../../lib/csv";
import { startOf, useParameters } from "../../lib/parameters";
import { run } from "../../lib/request";
import { counted, plainText, shortOf } from "../../lib/text";
import { filtersOf, hasHealth, relationshipsOf } from "../../shared/asset/query";
import type { TabProps } from "../../shared/asset/tabs";
import { OwnersCell } from "../../shared/govern/people";
import { RunState } from "../../shared/runs/run-state";
import { contentsIn, listingOf, relatedIn, type Column, type Contents, type Held as Item } from "./contents";
import { Held, Related } from "./contents.operations";
import styles from "./contents.module.css";

const size = 25;

/** The contents of an entity, or the assets of an owner: tables of a schema, tasks of a pipeline, assets of a person. */
export default function ContentsTab({ urn, type }: TabProps) {
  const [get, set] = useParameters();
  const text = get("find");
  const [sought] = useDebouncedValue(text.trim(), 200);
  const start = startOf(get("page"), size);
  const edges = relationshipsOf(type);
  const { columns, one, empty } = listingOf(type);
  const many = `${one}s`;
  const read = async (from: number, count: number, signal?: AbortSignal): Promise<Contents> => {
    if (edges) {
      const input = { types: [...edges.types], direction: edges.direction, start: from, count, includeSoftDelete: false };
      return relatedIn((await run(Related, { urn, input }, signal)).data);
    }
    return contentsIn((await run(Held, { input: { query: sought || "*", start: from, count, orFilters: filtersOf(type, urn) } }, signal)).data);
  };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["asset", urn, "contents", sought, start],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => read(start, size, signal),
  });
  if (error) {
    return <Failure what={`the ${many}`} error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={8} what={`the ${many}`} />;
  }
  return (
    <>
      <Tools>
        {!edges && <Find label="Find an asset" value={text} onChange={(find) => set({ find, page: "" })} />}
        <span className="muted small num" role="status">
          {counted(data.total, one)}
        </span>
        <span className="end">
          <Export
            name={`${shortOf(urn)}-${many}`}
            head={["Name", "Type", "Platform", "Where", "Description", "Owners", "Health", ...(columns.includes("Last run") ? ["Last run", "Started"] : []), "URN"]}
            reason={data.total === 0 ? "There is nothing to export." : null}
            rows={async () => {
              const { items, total } = await everyPage(read, { size: 200 });
              return { rows: items.map((item) => cellsOf(item, columns.includes("Last run"))), total };
            }}
          />
        </span>
      </Tools>
      {data.items.length === 0 ? (
        <Empty
          icon={<ContainerIcon size={20} stroke={1.5} aria-hidden />}
          title={sought ? "No asset matches" : empty}
          actions={sought ? <Button onClick={() => set({ find: "", page: "" })}>Show all</Button> : null}
        >
          {sought ? "Names, descriptions and columns are searched." : "What comes in, by hand or by ingestion, is listed here."}
        </Empty>
      ) : (
        <Kept old={isPlaceholderData}>
          <div className={styles["contents"]}>
            <Rows
              label="Contents"
              head={["Name", ...columns]}
              items={data.items}
              keyOf={({ urn: key }) => key}
              row={(item) => (
                <>
                  <td>
                    <Chip urn={item.urn} name={item.name} type={item.type} subType={item.subType} />
                  </td>
                  {columns.map((column) => (
                    <td key={column} data-label={column}>
                      {cells[column](item)}
                    </td>
                  ))}
                </>
              )}
            />
          </div>
          <Pager start={start} size={size} total={data.total} label={many} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
        </Kept>
      )}
    </>
  );
}

const kindOfItem = ({ subType, type }: Item) => subType ?? typeName(type, 1);

const cellsOf = (item: Item, runs: boolean) => [
  item.name,
  kindOfItem(item),
  item.platform,
  item.steps.map(({ name }) => name).join(" / "),
  item.description,
  item.owners.map(({ name }) => name).join("; "),
  item.state?.text,
  ...(runs ? [item.lastRun?.state.text, timeText(item.lastRun?.startedAt)] : []),
  item.urn,
];

const cells: Readonly<Record<Column, (item: Item) => ReactNode>> = {
  Kind: (item) => (
    <span className="row muted">
      {item.platform && <Platform name={item.platform} />}
      {kindOfItem(item)}
    </span>
  ),
  Where: (item) => (item.steps.length > 0 ? <span className="muted break">{item.steps.map(({ name }) => name).join(" / ")}</span> : <span className="faint">At the top</span>),
  Description: ({ description }) => (
    <span className={description ? `muted ${styles["about"]}` : "faint"} dir="auto">
      {plainText(description.slice(0, longest)) || "Not described"}
    </span>
  ),
  Owner: ({ owners }) => <OwnersCell owners={owners.map(({ urn, name, shape }) => ({ urn, name, group: shape === "group", kind: "", kindUrn: "" }))} />,
  Health: ({ urn, state }) => hasHealth(typeOf(urn)) && <StateText state={state} />,
  "Last run": ({ lastRun }) =>
    lastRun ? (
      <span className="row wrap">
        <RunState run={lastRun} />
        {lastRun.startedAt !== undefined && (
          <span className="faint small nowrap">
            <When at={lastRun.startedAt} />
          </span>
        )}
      </span>
    ) : (
      <span className="faint">No run known</span>
    ),
};

// The maximum length of a description; the list shows two lines of it.
const longest = 600;
