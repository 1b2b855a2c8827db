import { Link } from "wouter";

import { nameOf } from "../../shared/entities/entities";
import { EntityField } from "../../shared/pickers/entity-picker";
import { FailIcon, PassIcon } from "../../components/icons";
import { Note } from "../../components/parts";
import { problemOf } from "../../lib/problem";
import type { Choices } from "./choices";
import { conditionText, type Condition, type Trial } from "./explain";
import styles from "./policies.module.css";
import { fields, type Draft } from "../../shared/policies/policy";
import { policyPath } from "../../shared/policies/policy-path";
import type { Answer } from "./trial";
import type { Vocabulary } from "../../shared/policies/words";

interface TryProps {
  draft: Draft;
  known: Vocabulary;
  choices: Choices;
  trial: Trial;
  onChange: (trial: Trial) => void;
  answer: Answer;
}

const assetTypes = fields.find(({ field }) => field === "URN")?.types ?? [];

/** Tests whether the draft policy allows a user a privilege. */
export default function TryIt({ draft, known, choices, trial, onChange, answer }: TryProps) {
  const offered = draft.kind === "PLATFORM" ? choices.platform : choices.asset;
  const chosen = offered.filter(({ value }) => draft.privileges.includes(value));
  const others = offered.filter(({ value }) => !draft.privileges.includes(value));
  return (
    <section className={styles["try"]} aria-labelledby="try-it">
      <h2 id="try-it">Try it</h2>
      <p className="muted small">Uses the unsaved version. Nothing is changed.</p>
      <div className={styles["trial"]}>
        <span>May</span>
        <EntityField bare label="Person to try" placeholder="A person" types={["CORP_USER"]} names={known.names} value={trial.person} onChange={(person) => onChange({ ...trial, person })} />
        <span />
        <select className={styles["privilege"]} aria-label="Privilege to try" value={trial.privilege ?? ""} onChange={(event) => onChange({ ...trial, privilege: event.currentTarget.value || null })}>
          <option value="">A privilege</option>
          {chosen.length > 0 && (
            <optgroup label="Chosen">
              {chosen.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </optgroup>
          )}
          <optgroup label="Not chosen">
            {others.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </optgroup>
        </select>
        {draft.kind === "METADATA" && (
          <>
            <span>on</span>
            <EntityField bare label="Asset to try" placeholder="An asset" types={assetTypes} names={known.names} value={trial.asset} onChange={(asset) => onChange({ ...trial, asset })} />
          </>
        )}
      </div>
      <Verdict draft={draft} known={known} trial={trial} answer={answer} />
    </section>
  );
}

function Verdict({ draft, known, trial, answer: { data, error, isPlaceholderData } }: Omit<TryProps, "choices" | "onChange">) {
  if (trial.person === null || trial.privilege === null || (draft.kind === "METADATA" && trial.asset === null)) {
    return <p className="muted small">{draft.kind === "METADATA" ? "Choose a person, a privilege and an asset." : "Choose a person and a privilege."}</p>;
  }
  if (error) {
    return (
      <Note tone="bad" title="It could not be tried">
        {problemOf(error).message}
      </Note>
    );
  }
  if (!data || data.actor !== trial.person) {
    return <p className="muted small">Trying</p>;
  }
  const conditions = data.conditions ?? [];
  const by = data.policies.find(({ draft: isDraft, applies }) => applies && !isDraft);
  const yes = conditions.every(({ met }) => met) && data.allowed;
  const text = (condition: Condition) => conditionText(condition, trial, draft, known);
  const unmet = conditions.find(({ met }) => !met);
  return (
    <div className={isPlaceholderData ? (styles["stale"] ?? "") : ""} role="status">
      <Note tone={yes ? "ok" : "bad"} title={yes ? "Yes" : "No"}>
        {yes ? `${nameOf(known.names, trial.person)} may, by this policy.` : unmet ? `${text(unmet)}.` : data.reason}
      </Note>
      <ul className={styles["conditions"]}>
        {conditions.map((condition, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two conditions may be on one field
          <li key={index}>
            {condition.met ? <PassIcon size={16} stroke={1.5} className="ok" aria-label="Met:" /> : <FailIcon size={16} stroke={1.5} className="bad" aria-label="Not met:" />}
            <span>{text(condition)}</span>
          </li>
        ))}
      </ul>
      <p className="muted small">
        {by ? (
          <>
            {yes ? "Another policy that is on allows it, too: " : "Another policy that is on allows it: "}
            {by.urn ? <Link href={policyPath(by.urn)}>{by.name}</Link> : by.name}.
          </>
        ) : yes ? (
          "No other policy that is on allows it."
        ) : data.allowed ? (
          `It is allowed all the same: ${data.reason}.`
        ) : (
          "No other policy that is on allows it either."
        )}
      </p>
    </div>
  );
}
