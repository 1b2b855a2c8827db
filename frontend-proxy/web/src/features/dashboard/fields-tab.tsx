import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { Export } from "../../components/export";
import { ColumnIcon } from "../../components/icons";
import { Bones, Empty, Failure, Find, Section, Tools } from "../../components/parts";
import { Rows } from "../../components/rows";
import { StateText } from "../../components/state-text";
import { assetPath } from "../../lib/asset";
import { run } from "../../lib/request";
import { counted, numberText, plainText, shortOf } from "../../lib/text";
import type { TabProps } from "../../shared/asset/tabs";
import { columnName } from "../../shared/lineage/columns";
import { isBad } from "./charts";
import styles from "./dashboard.module.css";
import { Doubts } from "./doubts";
import { fieldsIn, type Field, type Shown } from "./fields";
import { ChartFields } from "./fields.operations";
import { SourceChip } from "./source";

/** The fields of a chart, with the health of their sources. */
export default function FieldsTab({ urn }: TabProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ["asset", urn, "fields"],
    queryFn: async ({ signal }) => fieldsIn(urn, (await run(ChartFields, { urn }, signal)).data),
  });
  if (error) {
    return <Failure what="the fields" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={8} what="the fields" />;
  }
  const { fields, sources, sourceCount } = data;
  const doubtful = sources.filter(isBad);
  return (
    <>
      {doubtful.length > 0 && <Doubts title={`${numberText(doubtful.length)} of ${counted(sourceCount, "source")} ${doubtful.length === 1 ? "is" : "are"} not well: the chart may be wrong now`} sources={doubtful} />}
      {fields.length === 0 ? (
        <Empty icon={<ColumnIcon size={20} stroke={1.5} aria-hidden />} title="Its fields are not known">
          Platforms that tell which columns a chart shows have them listed here.
        </Empty>
      ) : (
        <Listed urn={urn} fields={fields} />
      )}
      <Sources sources={sources} sourceCount={sourceCount} urn={urn} />
    </>
  );
}

function Listed({ urn, fields }: { urn: string; fields: readonly Field[] }) {
  const [text, setText] = useState("");
  const sought = text.trim().toLowerCase();
  const found = fields.filter(({ path, description, from }) => `${columnName(path)} ${description} ${from?.source.name ?? ""}`.toLowerCase().includes(sought));
  return (
    <>
      <Tools>
        <Find label="Find a field" value={text} onChange={setText} />
        <span className="muted small num" role="status">
          {counted(found.length, "field")}
        </span>
        <span className="end">
          <Export
            name={`${shortOf(urn)}-fields`}
            head={["Field", "Type", "Description", "Asset", "Column", "URN"]}
            reason={found.length === 0 ? "There is no field to export." : null}
            rows={async () => ({ rows: found.map(({ path, kind, description, from }) => [columnName(path), kind, description, from?.source.name, from && columnName(from.path), from?.source.urn]) })}
          />
        </span>
      </Tools>
      {found.length === 0 ? (
        <Empty icon={<ColumnIcon size={20} stroke={1.5} aria-hidden />} title="No field matches" />
      ) : (
        <Rows
          label="Fields"
          head={["Field", "Type", "Description", "Made from"]}
          items={found}
          keyOf={({ path, from }) => `${path} ${from?.source.urn ?? ""} ${from?.path ?? ""}`}
          row={({ path, kind, description, from }) => (
            <>
              <td>
                <ColumnLink href={`${assetPath(urn, "Lineage")}?column=${encodeURIComponent(path)}`} title="Show the field in the lineage" path={path} />
              </td>
              <td data-label="Type">{kind ? <code className="faint break">{kind}</code> : <span className="faint">Not known</span>}</td>
              <td data-label="Description" dir="auto" className={description ? "muted" : "faint"}>
                <span className="break">{plainText(description.slice(0, 600)) || "Not described"}</span>
              </td>
              <td data-label="Made from">{from ? <Origin from={from} /> : <span className="faint">Not known</span>}</td>
            </>
          )}
        />
      )}
    </>
  );
}

const ColumnLink = ({ href, title, path }: { href: string; title: string; path: string }) => (
  <Link href={href} title={title}>
    <code className="break">{columnName(path)}</code>
  </Link>
);

function Origin({ from: { source, path } }: { from: NonNullable<Field["from"]> }) {
  return (
    <span className={styles["origin"]}>
      <SourceChip source={source} />
      {!source.restricted && <ColumnLink href={`${assetPath(source.urn, "Schema")}?column=${encodeURIComponent(path)}`} title="Open the column" path={path} />}
    </span>
  );
}

function Sources({ urn, sources, sourceCount }: Pick<Shown, "sources" | "sourceCount"> & { urn: string }) {
  return (
    sources.length > 0 && (
      <Section title="Reads" tools={<Link href={assetPath(urn, "Lineage")}>Lineage</Link>}>
        <ul className={styles["sources"]}>
          {sources.map((source) => (
            <li key={source.urn}>
              <SourceChip source={source} />
              {!source.restricted && <StateText state={source.state} />}
            </li>
          ))}
          {sourceCount > sources.length && <li className="faint">{counted(sourceCount - sources.length, "more source")}</li>}
        </ul>
      </Section>
    )
  );
}
