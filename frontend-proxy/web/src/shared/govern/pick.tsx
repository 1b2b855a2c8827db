import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";

import type { Names } from "../entities/entities";
import type { EntitiesToPickQueryVariables } from "../entities/entities.operations";
import { findEntities } from "../entities/find-entities";
import { Bones, Failure, Find } from "../../components/parts";
import { kindOf, typeOf } from "../../lib/asset";
import { shortOf } from "../../lib/text";
import styles from "./govern.module.css";

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

/** Finds entities as the user types, with a checkbox for each. Checked entities stay visible. */
export function Pick({ label, types, value, onChange, multiple = false, without }: Props) {
  const [text, setText] = useState("");
  const [sought] = useDebouncedValue(text.trim(), 200);
  const group = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ["govern-pick", types, sought],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => findEntities(sought, types, signal),
  });
  const others = (data ?? []).filter(([urn]) => !value.has(urn) && !without?.has(urn));
  const toggle = (urn: string, name: string) => {
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
      ) : value.size + others.length === 0 ? (
        <p className="muted">{sought ? "Nothing is found." : "There is nothing to choose yet."}</p>
      ) : (
        <ul>
          {[...value, ...others].map(([urn, name]) => (
            <li key={urn}>
              <label>
                <input type={multiple ? "checkbox" : "radio"} name={group} checked={value.has(urn)} onChange={() => toggle(urn, name)} />
                <span className="clip" dir="auto">
                  {name}
                </span>
                <span className="faint small end clip" title={urn}>
                  {name === shortOf(urn) ? kindOf(typeOf(urn)).one : `${kindOf(typeOf(urn)).one}, ${shortOf(urn)}`}
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
