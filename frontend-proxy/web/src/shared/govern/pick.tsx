import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";

import { type Names } from "../entities/entities";
import { EntitiesByText, EntitiesToPick, type EntitiesToPickQueryVariables } from "../entities/entities.operations";
import { Bones, Failure, Find } from "../../components/parts";
import { listIn } from "../../lib/answer";
import { kindOf, typeOf } from "../../lib/asset";
import { entitiesIn, rowEntitiesIn } from "../../lib/found";
import { run } from "../../lib/request";
import { shortOf } from "../../lib/text";
import styles from "./govern.module.css";
import { nameIn } from "../../lib/name";

type EntityType = NonNullable<EntitiesToPickQueryVariables["input"]["types"]>[number];

interface Props {
  label: string;
  /** The types to choose from as in GraphQL; empty for all types that the search supports. */
  types: readonly EntityType[];
  value: Names;
  onChange: (value: Names) => void;
  multiple?: boolean;
  /** Entities that cannot be chosen, such as the edited entity itself. */
  without?: ReadonlySet<string>;
}

const most = 20;

interface Found {
  urn: string;
  name: string;
}

async function find(text: string, types: EntityType[], signal: AbortSignal): Promise<Found[]> {
  const found =
    text === ""
      ? rowEntitiesIn((await run(EntitiesToPick, { input: { ...(types.length > 0 ? { types } : {}), query: "*", start: 0, count: most, searchFlags: { skipAggregates: true } } }, signal)).data.searchAcrossEntities?.searchResults)
      : listIn((await run(EntitiesByText, { input: { ...(types.length > 0 ? { types } : {}), query: text, limit: most } }, signal)).data.autoCompleteForMultiple?.suggestions).flatMap(({ entities }) => entitiesIn(entities));
  return found.map((entity) => ({ urn: entity.urn, name: nameIn(entity) }));
}

/** Finds entities as the user types, with a checkbox for each. Checked entities stay visible. */
export function Pick({ label, types, value, onChange, multiple = false, without }: Props) {
  const [text, setText] = useState("");
  const [sought] = useDebouncedValue(text.trim(), 200);
  const group = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ["govern-pick", types, sought],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => find(sought, [...types], signal),
  });
  const chosen = [...value].map(([urn, name]) => ({ urn, name }));
  const others = (data ?? []).filter(({ urn }) => !value.has(urn) && !without?.has(urn));
  const toggle = ({ urn, name }: Found) => {
    const after = new Map(multiple ? value : []);
    if (value.has(urn)) {
      after.delete(urn);
    } else {
      after.set(urn, name);
    }
    onChange(after);
  };
  return (
    <div className={styles["pick"]} role="group" aria-label={label}>
      <Find label={label} value={text} onChange={setText} />
      {error ? (
        <Failure what="what can be chosen" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={4} what="what can be chosen" />
      ) : chosen.length + others.length === 0 ? (
        <p className="muted">{sought ? "Nothing is found." : "There is nothing to choose yet."}</p>
      ) : (
        <ul>
          {[...chosen, ...others].map((each) => (
            <li key={each.urn}>
              <label>
                <input type={multiple ? "checkbox" : "radio"} name={group} checked={value.has(each.urn)} onChange={() => toggle(each)} />
                <span className="clip" dir="auto">
                  {each.name}
                </span>
                <span className="faint small end clip" title={each.urn}>
                  {each.name === shortOf(each.urn) ? kindOf(typeOf(each.urn)).one : `${kindOf(typeOf(each.urn)).one}, ${shortOf(each.urn)}`}
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
