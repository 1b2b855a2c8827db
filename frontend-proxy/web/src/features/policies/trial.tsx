import type { UseQueryResult } from "@tanstack/react-query";

import { Note } from "../../components/parts";
import { problemOf } from "../../lib/problem";
import { counted, numberText } from "../../lib/text";
import type { Explanation } from "./explain";
import styles from "./policies.module.css";
import { coversAll, type Draft, type Part } from "../../shared/policies/policy";
import { sentence, type Vocabulary } from "../../shared/policies/words";

/** The explanation of the draft policy. */
export type Answer = UseQueryResult<Explanation>;

/** Describes a policy in a sentence whose parts link to their fields, with the covered users and assets. */
export function PlainWords({ draft, known, answer, onLead }: { draft: Draft; known: Vocabulary; answer: Answer; onLead: (part: Part) => void }) {
  const all = coversAll(draft);
  return (
    <section className={styles["plain"]} aria-labelledby="plain-words">
      <h2 id="plain-words">In plain words</h2>
      <p>
        {sentence(draft, known).map(({ text, part }, index) =>
          part ? (
            <a
              // oxlint-disable-next-line react/no-array-index-key -- parts of a sentence have no other name
              key={index}
              href={`#${part}`}
              className={styles["piece"]}
              onClick={(event) => {
                event.preventDefault();
                onLead(part);
              }}
            >
              {text}
            </a>
          ) : (
            text
          ),
        )}
      </p>
      <p className={styles["reach"]} role="status">
        <ReachText answer={answer} platform={draft.kind === "PLATFORM"} />
      </p>
      {(all.people || all.assets) && (
        <div className={styles["wide"]}>
          <Note tone="warn">{wideText(all)}</Note>
        </div>
      )}
    </section>
  );
}

function wideText({ people, assets }: { people: boolean; assets: boolean }): string {
  if (people && assets) {
    return "It covers all people and all assets, also those who come later.";
  }
  return people ? "It covers all people, also those who come later." : "It covers all assets, also those that come later.";
}

function ReachText({ answer: { data, error }, platform }: { answer: Answer; platform: boolean }) {
  const reach = data?.reach;
  if (error) {
    return <>Whom it reaches is not known: {problemOf(error).message}</>;
  }
  if (!reach) {
    return <>Counting whom it reaches</>;
  }
  const people = `${numberText(reach.people)}${reach.complete ? "" : " or more"} ${reach.people === 1 ? "person" : "people"}`;
  return (
    <>
      Reaches <b className={styles["figure"]}>{people}</b>
      {reach.owners && " besides owners"}
      {platform ? (
        ", for the catalog as a whole"
      ) : (
        <>
          {" "}
          and <b className={styles["figure"]}>{reach.assets === undefined ? "assets" : counted(reach.assets, "asset")}</b>
        </>
      )}
    </>
  );
}
