import { columnOf } from "../../lib/column";
import { listIn, numberIn, textIn } from "../../lib/answer";
import { shortOf } from "../../lib/text";
import { restrictedName, sourcesIn, type Source } from "./charts";
import type { ChartFieldsQuery } from "./fields.operations";

/** A field that a chart shows. */
export interface Field {
  path: string;
  kind: string;
  description: string;
  /** The column that it shows, where that is known and of another asset. */
  from: { source: Source; path: string } | null;
}

/** What a chart shows, and what it reads that from. */
export interface Shown {
  fields: readonly Field[];
  sources: readonly Source[];
  /** How many sources it has, of which those that are read are the first. */
  sourceCount: number;
}

// A source that may not be viewed comes without its URN, which fields still point to: what is then not among the sources may be it.
const hidden: Source = { urn: "", type: "", name: restrictedName, state: undefined, restricted: true };

/** Reads the fields of a chart, each once. */
export function fieldsIn(urn: string, answer: ChartFieldsQuery | null): Shown {
  const chart = answer?.entity;
  const sources = sourcesIn(chart);
  const someHidden = sources.some(({ restricted }) => restricted);
  const unlisted = (one: string): Source => (someHidden ? hidden : { urn: one, type: "", name: shortOf(one), state: undefined, restricted: false });
  const fields = listIn(chart?.inputFields?.fields).flatMap((each): Field[] => {
    const column = columnOf(textIn(each.schemaFieldUrn));
    const field = each.schemaField;
    const path = textIn(field?.fieldPath) || column?.path || "";
    const source = column && column.urn !== urn ? (sources.find((one) => one.urn === column.urn) ?? unlisted(column.urn)) : undefined;
    return path === ""
      ? []
      : [{ path, kind: textIn(field?.nativeDataType) || textIn(field?.type).toLowerCase(), description: textIn(field?.description), from: column && source ? { source, path: source.restricted ? "" : column.path } : null }];
  });
  return {
    fields: [...new Map(fields.map((field) => [`${field.path}\n${field.from?.source.urn ?? ""}\n${field.from?.path ?? ""}`, field])).values()],
    sources,
    sourceCount: Math.max(numberIn(chart?.sources?.total) ?? 0, sources.length),
  };
}
