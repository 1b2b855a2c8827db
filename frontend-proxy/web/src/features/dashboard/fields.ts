import { columnOf } from "../../lib/column";
import { listIn, numberIn, textIn } from "../../lib/answer";
import { shortOf } from "../../lib/text";
import { restrictedName, sourcesIn, type Source } from "./charts";
import type { ChartFieldsQuery } from "./fields.operations";

/** A field of a chart. */
export interface Field {
  path: string;
  kind: string;
  description: string;
  /** The source column of the field, if it is known and belongs to another asset. */
  from: { source: Source; path: string } | null;
}

/** The fields and the sources of a chart. */
export interface Shown {
  fields: readonly Field[];
  sources: readonly Source[];
  /** The number of sources; only the first ones are listed. */
  sourceCount: number;
}

// A source that the actor may not view arrives without its URN, but fields still refer to the URN. A field with an
// unlisted source may therefore refer to a hidden one.
const hidden: Source = { urn: "", type: "", name: restrictedName, state: undefined, restricted: true };

/** Reads the fields of a chart, without duplicates. */
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
