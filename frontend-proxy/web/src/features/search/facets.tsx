import { Checkbox } from "@mantine/core";
import { useState } from "react";

import { Platform } from "../../components/asset";
import { Find } from "../../components/parts";
import { nameIn, platformName } from "../../lib/name";
import { numberText } from "../../lib/text";
import { tickedIn, valueText, type Facet, type Filter } from "../../shared/search/filters";
import styles from "./search.module.css";

const few = 5;
const many = 12;

interface Props {
  facets: readonly Facet[];
  filters: readonly Filter[];
  onToggle: (field: string, value: string) => void;
  /** Uses larger targets for touch input. */
  large?: boolean;
}

/** The facets of a search with result counts. */
export function Facets({ facets, filters, onToggle, large = false }: Props) {
  return (
    <>
      {facets.map((facet) => (
        <Values key={facet.field} facet={facet} ticked={tickedIn(filters, facet.field)} onToggle={(value) => onToggle(facet.field, value)} large={large} />
      ))}
    </>
  );
}

const labelOf = ({ field }: Facet, { value, entity }: Facet["values"][number]) => {
  if (field === "platform") {
    return platformName(entity) ?? platformName({ urn: value }) ?? value;
  }
  return entity ? nameIn(entity) : value.startsWith("urn:li:") ? nameIn({ urn: value }) : valueText(field, value);
};

function Values({ facet, ticked, onToggle, large }: { facet: Facet; ticked: ReadonlySet<string>; onToggle: (value: string) => void; large: boolean }) {
  const [all, setAll] = useState(false);
  const [text, setText] = useState("");
  const named = facet.values.map((value) => ({ ...value, name: labelOf(facet, value) }));
  const sought = text.trim().toLowerCase();
  const shown = all ? named.filter(({ name }) => name.toLowerCase().includes(sought)) : named.slice(0, Math.max(few, ticked.size));
  const rest = named.length - shown.length;
  return (
    <fieldset className={styles["facet"]} data-large={large}>
      <legend>{facet.title}</legend>
      {all && named.length > many && (
        <div className={styles["facetfind"]}>
          <Find label={`Find in ${facet.title}`} value={text} onChange={setText} />
        </div>
      )}
      <ul>
        {shown.map(({ value, count, name }) => (
          <li key={value} data-on={ticked.has(value)} data-none={count === 0}>
            <Checkbox
              size={large ? "sm" : "xs"}
              checked={ticked.has(value)}
              onChange={() => onToggle(value)}
              classNames={{ body: styles["box"] ?? "", labelWrapper: styles["boxlabel"] ?? "", label: styles["boxtext"] ?? "" }}
              label={
                <>
                  {facet.field === "platform" && large && <Platform name={name} />}
                  <span className="clip grow" title={name}>
                    {name}
                  </span>
                  <span className="num faint small">{numberText(count)}</span>
                </>
              }
            />
          </li>
        ))}
      </ul>
      {all && shown.length === 0 && <p className="faint small">Nothing is called so.</p>}
      {!all && rest > 0 && (
        <button type="button" className={styles["more"]} onClick={() => setAll(true)} aria-label={`${rest} more of ${facet.title}`}>
          {rest} more
        </button>
      )}
      {all && facet.values.length > few && (
        <button type="button" className={styles["more"]} onClick={() => setAll(false)} aria-label={`Fewer of ${facet.title}`}>
          Fewer
        </button>
      )}
    </fieldset>
  );
}
