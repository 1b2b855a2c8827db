import { useState, type KeyboardEvent } from "react";

import { Button } from "../../components/button";
import { Leaving, nothingToSaveIn, Removed, useLeaving } from "../../components/editable";
import { EntitiesField } from "../pickers/entities-picker";
import { EntityField } from "../pickers/entity-picker";
import { AddIcon, CloseIcon } from "../../components/icons";
import { useOpenField } from "../../components/open-rows";
import { CopyButton } from "../../components/parts";
import { problemOf } from "../../lib/problem";
import type { Property } from "./property";
import styles from "./editor.module.css";
import { valuesOf, type Value } from "./values";

interface Props {
  property: Property;
  /** Called with the final values; an empty list removes the property from the asset. */
  onSave: (values: Value[]) => Promise<unknown>;
  onClose: () => void;
  /** At least one value is required, as in a response to a prompt. */
  needed?: boolean;
}

/**
 * Edits the values of a property in place. Enter saves. Escape discards changes after a confirmation. If the save
 * fails, the input stays.
 */
export function ValueEditor({ property, onSave, onClose, needed = false }: Props) {
  const [texts, setTexts] = useState<readonly string[]>(() => property.values.map(String));
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState("");
  const gone = useOpenField(true);
  const leaving = useLeaving(onClose);
  const type = (after: readonly string[]) => {
    setTexts(after);
    leaving.stay();
  };
  const save = async (written: readonly string[]) => {
    const { values, problem: wrong } = valuesOf(property, written);
    leaving.stay();
    const problem = wrong || (needed && values.length === 0 ? "An answer needs a value." : "");
    setRefusal(problem);
    if (problem || busy || gone) {
      return;
    }
    setBusy(true);
    try {
      await onSave(values);
      onClose();
    } catch (error) {
      setRefusal(problemOf(error).message);
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    if (event.key === "Escape") {
      event.stopPropagation();
      leaving.leave(texts.join("\n") !== property.values.join("\n"));
    } else if (event.key === "Enter" && ((target instanceof HTMLInputElement && target.role !== "combobox" && target.getAttribute("aria-haspopup") === null) || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void save(texts);
    }
  };
  return (
    <div className={styles["editor"]} onKeyDown={onKeyDown} role="presentation">
      <Fields property={property} texts={texts} onChange={type} />
      {gone && <Removed />}
      {refusal && !gone && (
        <p className="bad small break" role="alert">
          {refusal}
        </p>
      )}
      {leaving.asking && <Leaving />}
      <div className="row wrap">
        <Button size="small" look="primary" busy={busy} reason={gone ? nothingToSaveIn : null} onClick={() => void save(texts)}>
          Save
        </Button>
        {gone && <CopyButton text={() => texts.join("\n")} label="Copy text" />}
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
        {property.values.length > 0 && !needed && !gone && (
          <Button size="small" look="quiet" onClick={() => void save([])}>
            Take it off
          </Button>
        )}
      </div>
    </div>
  );
}

interface FieldsProps {
  property: Property;
  texts: readonly string[];
  onChange: (texts: readonly string[]) => void;
}

function Fields({ property, texts, onChange }: FieldsProps) {
  if (property.allowed.length > 0) {
    return <Allowed property={property} texts={texts} onChange={onChange} />;
  }
  if (property.kind === "urn") {
    const known = { label: property.name, bare: true, types: property.types, names: new Map(property.refs.map(({ urn, name }) => [urn, name])) };
    return property.many ? (
      <EntitiesField {...known} value={texts} onChange={onChange} />
    ) : (
      <EntityField {...known} value={texts[0] ?? null} onChange={(urn) => onChange(urn ? [urn] : [])} />
    );
  }
  const shown = texts.length > 0 ? texts : [""];
  const put = (at: number, text: string) => onChange(shown.map((each, index) => (index === at ? text : each)));
  return (
    <>
      {shown.map((text, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- fields in the order in which they are typed
        <span key={at} className="row">
          <Field kind={property.kind} label={property.many ? `${property.name}, value ${at + 1}` : property.name} text={text} first={at === 0} onChange={(after) => put(at, after)} />
          {shown.length > 1 && (
            <Button size="small" look="quiet" label={`Leave out value ${at + 1}`} icon={<CloseIcon size={14} stroke={1.5} aria-hidden />} onClick={() => onChange(shown.filter((_, index) => index !== at))} />
          )}
        </span>
      ))}
      {property.many && (
        <span>
          <Button size="small" look="quiet" icon={<AddIcon size={14} stroke={1.5} aria-hidden />} onClick={() => onChange([...shown, ""])}>
            Another value
          </Button>
        </span>
      )}
    </>
  );
}

function Field({ kind, label, text, first, onChange }: { kind: string; label: string; text: string; first: boolean; onChange: (text: string) => void }) {
  // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field is what was asked for
  const common = { "aria-label": label, value: text, autoFocus: first, maxLength: 20_000, onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value) };
  switch (kind) {
    case "rich_text":
      return <textarea {...common} rows={4} placeholder="Markdown" />;
    case "date":
      return <input {...common} type="date" />;
    case "number":
      return <input {...common} inputMode="decimal" />;
    default:
      return <input {...common} />;
  }
}

function Allowed({ property: { name, allowed, many }, texts, onChange }: FieldsProps) {
  const ticked = new Set(texts);
  const toggle = (value: string) => onChange(many ? (ticked.has(value) ? texts.filter((text) => text !== value) : [...texts, value]) : [value]);
  return (
    <fieldset className={styles["allowed"]}>
      <legend className="sr">{name}</legend>
      {allowed.map(({ value, description }, at) => (
        <label key={value}>
          <input
            type={many ? "checkbox" : "radio"}
            name={`value of ${name}`}
            checked={ticked.has(String(value))}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field is what was asked for
            autoFocus={at === 0}
            onChange={() => toggle(String(value))}
          />
          <span className="break" dir="auto">
            {value}
            {description && <span className={styles["about"]}>{description.slice(0, 300)}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
