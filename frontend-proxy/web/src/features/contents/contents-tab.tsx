import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { Asset as Chip, Platform } from "../../components/asset";
import { ContainerIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Bones, Empty, Failure, Find, Tools } from "../../components/parts";
import { Rows } from "../../components/rows";
import { typeName } from "../../lib/asset";
import { startOf, useParameters } from "../../lib/parameters";
import { run } from "../../lib/request";
import { numberText } from "../../lib/text";
import { filtersOf, relationshipsOf } from "../asset/query";
import type { TabProps } from "../asset/tabs";
import { contentsIn, relatedIn, type Contents, type Held as Item } from "./contents";
import { Held, Related } from "./contents.operations";
import styles from "./contents.module.css";

const size = 25;

/** What is in an asset: tables of a schema, charts of a dashboard, tasks of a pipeline, and what has a tag or a term. */
export default function ContentsTab({ urn, type }: TabProps) {
  const [get, set] = useParameters();
  const text = get("find");
  const [sought] = useDebouncedValue(text.trim(), 200);
  const start = startOf(get("page"), size);
  const edges = relationshipsOf(type);
  const { data, error, refetch } = useQuery({
    queryKey: ["asset", urn, "contents", sought, start],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Contents> => {
      if (edges) {
        const input = { types: [...edges.types], direction: edges.direction, start, count: size, includeSoftDelete: false };
        return relatedIn((await run(Related, { urn, input }, signal)).data);
      }
      return contentsIn((await run(Held, { input: { query: sought || "*", start, count: size, orFilters: filtersOf(type, urn) } }, signal)).data);
    },
  });
  if (error) {
    return <Failure what="what is in it" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={8} what="what is in it" />;
  }
  return (
    <>
      {!edges && (
        <Tools>
          <Find label="Find an asset in it" value={text} onChange={(find) => set({ find, page: "" })} />
          <span className="muted small num">{numberText(data.total)}</span>
        </Tools>
      )}
      {data.items.length === 0 ? (
        <Empty icon={<ContainerIcon size={20} stroke={1.5} aria-hidden />} title={sought ? "Nothing matches" : "Nothing is in it yet"}>
          {sought ? "Names, descriptions and columns are searched." : "What is put into it is listed here."}
        </Empty>
      ) : (
        <div className={styles["contents"]}>
          <Rows label="Contents" head={["Name", "Type", "Description"]} items={data.items} keyOf={({ urn: key }) => key} row={(item) => <Line item={item} />} />
        </div>
      )}
      <Pager start={start} size={size} total={data.total} label="what is in it" onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
    </>
  );
}

function Line({ item: { urn, name, type, subType, platform, description } }: { item: Item }) {
  return (
    <>
      <td>
        <Chip urn={urn} name={name} subType={subType} />
      </td>
      <td>
        <span className="row muted">
          {platform && <Platform name={platform} />}
          {subType || typeName(type, 1)}
        </span>
      </td>
      <td className="muted" dir="auto">
        <span className="break">{description.length > 200 ? `${description.slice(0, 200)}…` : description}</span>
      </td>
    </>
  );
}
