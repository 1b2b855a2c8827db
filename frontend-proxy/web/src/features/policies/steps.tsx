import { Checkbox, MultiSelect, TagsInput } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { Button } from "../../components/button";
import type { Names } from "../../shared/entities/entities";
import { EntitiesField } from "../../shared/pickers/entities-picker";
import { AddIcon, CloseIcon } from "../../components/icons";
import { Find } from "../../components/parts";
import { counted } from "../../lib/text";
import type { Choice, Choices } from "./choices";
import styles from "./policies.module.css";
import { fieldName, fields, type Criterion, type Draft, type Part } from "../../shared/policies/policy";

interface Props {
  draft: Draft;
  choices: Choices;
  readOnly: boolean;
  onChange: (part: Partial<Draft>) => void;
}

function Step({ number, part, title, about, children }: { number: number; part: Part; title: string; about?: string; children: ReactNode }) {
  return (
    <section className={styles["step"]} data-step={part}>
      <span className={styles["number"]} aria-hidden>
        {number}
      </span>
      <div>
        <h2>{title}</h2>
        {about && <p className="muted">{about}</p>}
        {children}
      </div>
    </section>
  );
}

// Selected values remain visible even if they are no longer offered.
const withChosen = (choices: readonly Choice[], chosen: readonly string[]): Choice[] => [
  ...choices,
  ...chosen.filter((value) => !choices.some((each) => each.value === value)).map((value) => ({ value, label: value })),
];

const anyOwner = "any";

/** The actors of a policy. */
export function Who({ draft, choices, names, readOnly, onChange }: Props & { names: Names }) {
  const owners = draft.owners === "none" ? [] : draft.owners === "any" ? [anyOwner] : draft.owners;
  const setOwners = (values: string[]) => {
    const added = values.find((value) => !owners.includes(value));
    if (added === anyOwner) {
      onChange({ owners: "any" });
    } else {
      const types = values.filter((value) => value !== anyOwner);
      onChange({ owners: types.length > 0 ? types : "none" });
    }
  };
  return (
    <Step number={1} part="who" title="Who" about="Anyone named here. One match is enough.">
      <div className={styles["fields"]}>
        <EntitiesField
          label="People and groups"
          placeholder={readOnly ? "" : "Add a person or group"}
          types={["CORP_USER", "CORP_GROUP"]}
          names={names}
          value={draft.people}
          readOnly={readOnly}
          onChange={(people) => onChange({ people })}
        />
        <div className={styles["two"]}>
          <MultiSelect
            label="Roles"
            placeholder={readOnly || draft.roles.length > 0 ? "" : "Add a role"}
            data={withChosen(choices.roles, draft.roles)}
            value={draft.roles}
            readOnly={readOnly}
            searchable
            onChange={(roles) => onChange({ roles })}
            nothingFoundMessage="There is no such role."
          />
          {draft.kind === "METADATA" && (
            <MultiSelect
              label="Owners of the asset"
              placeholder={readOnly || owners.length > 0 ? "" : "Add a type of owner"}
              data={withChosen([{ value: anyOwner, label: "Any owner" }, ...choices.owners], owners)}
              value={owners}
              readOnly={readOnly}
              searchable
              onChange={setOwners}
              nothingFoundMessage="There is no such type."
            />
          )}
        </div>
        <div className={styles["ticks"]}>
          <Checkbox size="xs" label="All people" checked={draft.allUsers} onChange={(event) => !readOnly && onChange({ allUsers: event.currentTarget.checked })} {...off(readOnly)} />
          <Checkbox size="xs" label="Members of any group" checked={draft.allGroups} onChange={(event) => !readOnly && onChange({ allGroups: event.currentTarget.checked })} {...off(readOnly)} />
        </div>
      </div>
    </Step>
  );
}

const off = (readOnly: boolean) => (readOnly ? { "aria-disabled": true as const } : {});

// The number of initially visible privileges.
const first = 9;

/** The privileges of a policy. */
export function May({ draft, choices, readOnly, onChange }: Props) {
  const [text, setText] = useState("");
  const [all, setAll] = useState(false);
  const offered = withChosen(draft.kind === "PLATFORM" ? choices.platform : choices.asset, draft.privileges);
  const sought = text.trim().toLowerCase();
  const [shownFirst] = useState(draft.privileges);
  const order = [...offered].toSorted((a, b) => Number(shownFirst.includes(b.value)) - Number(shownFirst.includes(a.value)));
  const found = order.filter(({ value, label, description = "" }) => `${label} ${value} ${description}`.toLowerCase().includes(sought));
  const shown = sought !== "" || all ? found : found.slice(0, Math.max(first, shownFirst.length));
  const toggle = (value: string) =>
    onChange({ privileges: draft.privileges.includes(value) ? draft.privileges.filter((each) => each !== value) : [...draft.privileges, value] });
  return (
    <Step number={2} part="do" title="May do">
      <div className={styles["find"]}>
        <Find label="Find a privilege" value={text} onChange={setText} />
        <span className="muted small num" role="status">
          {draft.privileges.length} of {offered.length} chosen
        </span>
      </div>
      <fieldset className={styles["privileges"]} aria-label="Privileges">
        {shown.map(({ value, label, description }) => (
          <Checkbox
            key={value}
            size="xs"
            label={label}
            title={description ? `${description} (${value})` : value}
            checked={draft.privileges.includes(value)}
            onChange={() => !readOnly && toggle(value)}
            {...off(readOnly)}
          />
        ))}
      </fieldset>
      {shown.length === 0 && <p className="muted">No privilege matches.</p>}
      {sought === "" && (all || shown.length < offered.length) && (
        <Button size="small" look="quiet" onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${offered.length}`}
        </Button>
      )}
    </Step>
  );
}

/** The assets of a policy. */
export function On({ draft, choices, names, readOnly, onChange }: Props & { names: Names }) {
  const { criteria } = draft;
  const put = (index: number, criterion: Criterion) => onChange({ criteria: criteria.map((each, at) => (at === index ? criterion : each)) });
  const free = fields.find(({ field }) => !criteria.some((each) => each.field === field)) ?? fields[0];
  return (
    <Step number={3} part="on" title="On" about={criteria.length === 0 ? "All assets, as no condition narrows it." : "Assets that meet every condition. One of its values is enough."}>
      {criteria.map((criterion, index) => (
        // Conditions have no key of their own and are replaced as a whole.
        // oxlint-disable-next-line react/no-array-index-key
        <Rule key={index} criterion={criterion} choices={choices} names={names} readOnly={readOnly} onChange={(after) => put(index, after)} onRemove={() => onChange({ criteria: criteria.filter((_, at) => at !== index) })} />
      ))}
      {!readOnly && (
        <div className={styles["add"]}>
          <Button
            size="small"
            look="quiet"
            icon={<AddIcon size={14} stroke={1.5} aria-hidden />}
            onClick={() => onChange({ criteria: [...criteria, { field: free?.field ?? "TYPE", condition: "EQUALS", values: [] }] })}
          >
            Add a condition
          </Button>
        </div>
      )}
      {readOnly && criteria.length > 0 && <p className="sr">{counted(criteria.length, "condition")}</p>}
    </Step>
  );
}

const operators = [
  { value: "EQUALS", label: "is" },
  { value: "NOT_EQUALS", label: "is not" },
  { value: "STARTS_WITH", label: "begins with" },
];

interface RuleProps {
  criterion: Criterion;
  choices: Choices;
  names: Names;
  readOnly: boolean;
  onChange: (criterion: Criterion) => void;
  onRemove: () => void;
}

function Rule({ criterion, choices, names, readOnly, onChange, onRemove }: RuleProps) {
  const { field, condition } = criterion;
  const title = fieldName(field);
  return (
    <div className={styles["rule"]}>
      <select aria-label="Condition on" value={field} disabled={readOnly} onChange={(event) => onChange({ field: event.currentTarget.value, condition: "EQUALS", values: [] })}>
        {withChosen(
          fields.map(({ field: value, name: label }) => ({ value, label })),
          [field],
        ).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <select aria-label={`How ${title} is compared`} value={condition} disabled={readOnly} onChange={(event) => onChange({ ...criterion, condition: event.currentTarget.value })}>
        {withChosen(operators, [condition]).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <div className={styles["values"]}>
        <Values criterion={criterion} title={title} choices={choices} names={names} readOnly={readOnly} onChange={(after) => onChange({ ...criterion, values: after })} />
      </div>
      {readOnly ? <span /> : <Button look="quiet" label={`Remove the condition on ${title}`} icon={<CloseIcon size={16} stroke={1.5} aria-hidden />} onClick={onRemove} />}
    </div>
  );
}

interface ValuesProps {
  criterion: Criterion;
  title: string;
  choices: Choices;
  names: Names;
  readOnly: boolean;
  onChange: (values: string[]) => void;
}

function Values({ criterion: { field, condition, values }, title, choices, names, readOnly, onChange }: ValuesProps) {
  const label = `Values of ${title}`;
  const types = fields.find((each) => each.field === field)?.types;
  if (condition === "STARTS_WITH" || types === undefined) {
    return <TagsInput aria-label={label} placeholder={values.length > 0 || readOnly ? "" : "Type a beginning, then Enter"} value={values} readOnly={readOnly} onChange={onChange} />;
  }
  if (field === "TYPE") {
    return (
      <MultiSelect
        aria-label={label}
        placeholder={values.length > 0 || readOnly ? "" : "Choose types"}
        data={withChosen(choices.types, values)}
        value={values}
        readOnly={readOnly}
        searchable
        onChange={onChange}
        nothingFoundMessage="There is no such type."
      />
    );
  }
  return <EntitiesField bare label={label} placeholder={values.length > 0 || readOnly ? "" : "Find by name"} types={types} names={names} value={values} readOnly={readOnly} onChange={onChange} />;
}
