import { MultiSelect, Select, TagsInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "../../components/button";
import { FormDialog } from "../../components/dialog";
import { nameOf, useNames, type Names } from "../../shared/entities/entities";
import { EntitiesField } from "../../shared/pickers/entities-picker";
import { AddIcon, CloseIcon } from "../../components/icons";
import { toast } from "../../components/toast";
import { numberIn } from "../../lib/answer";
import { problemOf } from "../../lib/problem";
import { change, run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import type { Definition } from "../../shared/forms/forms";
import { conditionText, type Filter } from "../../shared/search/filters";
import { countInput } from "./form";
import { AssignByRule, RuleHolds } from "./forms.operations";
import styles from "./forms.module.css";
import { fields, fieldTitle, filled, filtersOf, urnsIn, type Group } from "./rule";

const blank: Filter = { field: "_entityType", condition: "EQUAL", values: [], negated: false };

// A condition from another client that this editor cannot represent is kept or removed, but not edited.
const isMade = ({ field, condition }: Filter) => (condition === "EQUAL" || condition === "IN") && fields.some((each) => each.field === field);

const replaced = <Item,>(list: readonly Item[], at: number, items: readonly Item[]) => [...list.slice(0, at), ...items, ...list.slice(at + 1)];

const holdsText = ({ all, without }: { all: number; without: number }) =>
  `${counted(all, "asset")} now; ${without === 0 ? "none gets" : without === 1 ? "1 gets" : `${numberText(without)} get`} the form anew.${without < all ? " Those that have it keep their answers." : ""}`;

/** A dialog for the rule that assigns a form, with the number of matching assets. */
export function EditRule({ form, rule, onSaved, onClose }: { form: Definition; rule: readonly Group[]; onSaved: () => Promise<unknown>; onClose: () => void }) {
  const [groups, setGroups] = useState<readonly Group[]>(rule.length > 0 ? rule : [[blank]]);
  const names = useNames(urnsIn(rule));
  const whole = filled(groups);
  const [asked] = useDebouncedValue(JSON.stringify(filtersOf(whole)), 300);
  const { data, error } = useQuery({
    queryKey: ["form-rule", form.urn, asked],
    enabled: asked !== "[]",
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const filters = JSON.parse(asked) as ReturnType<typeof filtersOf>;
      const answer = (await run(RuleHolds, { all: countInput(filters), without: countInput(filters, form.urn) }, signal)).data;
      return { all: numberIn(answer.all?.total) ?? 0, without: numberIn(answer.without?.total) ?? 0 };
    },
  });
  const set = (at: number, group: Group) => setGroups(replaced(groups, at, group.length > 0 ? [group] : []));
  return (
    <FormDialog
      title={`Which assets get ${form.name}`}
      verb="Assign"
      failed="The form was not assigned"
      complete={whole.length > 0}
      onClose={onClose}
      onSubmit={async () => {
        await change(AssignByRule, { input: { formUrn: form.urn, orFilters: filtersOf(whole) } });
        await onSaved();
        toast({ title: "The rule was kept, and its assets have the form" });
        onClose();
      }}
    >
      {(tried) => (
        <>
          {groups.map((group, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- groups have no other name than their place
            <fieldset key={at} className={styles["group"]}>
              <legend>{at === 0 ? "All of these hold" : "Or all of these hold"}</legend>
              {group.map((filter, place) => (
                <Condition
                  // oxlint-disable-next-line react/no-array-index-key -- nor have conditions
                  key={`${place} ${filter.field}`}
                  filter={filter}
                  names={names}
                  onChange={(next) => set(at, replaced(group, place, [next]))}
                  onRemove={groups.length === 1 && group.length === 1 ? null : () => set(at, replaced(group, place, []))}
                />
              ))}
              <div>
                <Button size="small" look="quiet" icon={<AddIcon size={14} stroke={1.5} aria-hidden />} onClick={() => set(at, [...group, blank])}>
                  Add condition
                </Button>
              </div>
            </fieldset>
          ))}
          <div>
            <Button size="small" look="quiet" icon={<AddIcon size={14} stroke={1.5} aria-hidden />} onClick={() => setGroups([...groups, [blank]])}>
              Or another group
            </Button>
          </div>
          {tried && whole.length === 0 ? (
            <p className="bad small" role="alert">
              Choose at least one value. A rule without conditions would take in every asset.
            </p>
          ) : (
            <p className={error ? "bad small" : "muted small num"} role="status">
              {whole.length === 0 ? "No condition yet." : error ? problemOf(error).message : data ? holdsText(data) : "Counting"}
            </p>
          )}
        </>
      )}
    </FormDialog>
  );
}

interface ConditionProps {
  filter: Filter;
  names: Names;
  onChange: (filter: Filter) => void;
  onRemove: (() => void) | null;
}

function Condition({ filter, names, onChange, onRemove }: ConditionProps) {
  const titleIn = (each: string) => fieldTitle(each, (urn) => nameOf(names, urn));
  const title = titleIn(filter.field);
  const values = [...filter.values];
  const field = fields.find((each) => each.field === filter.field);
  const setValues = (next: string[]) => onChange({ ...filter, values: next });
  const label = `${title} of the condition`;
  if (!isMade(filter)) {
    return (
      <div className="row">
        <span className="grow break">
          {title} {conditionText(filter)} {values.map((value) => (value.startsWith("urn:li:") ? nameOf(names, value) : value)).join(", ")}
        </span>
        {onRemove && <Button size="small" look="quiet" label={`Remove the condition ${title}`} icon={<CloseIcon size={14} stroke={1.5} aria-hidden />} onClick={onRemove} />}
      </div>
    );
  }
  return (
    <div className={styles["condition"]}>
      <Select aria-label="Field" data={fields.map((each) => ({ value: each.field, label: titleIn(each.field) }))} value={filter.field} allowDeselect={false} onChange={(next) => onChange({ ...blank, field: next ?? filter.field })} />
      <Select aria-label={`How ${title} is compared`} data={[{ value: "is", label: "is" }, { value: "not", label: "is not" }]} value={filter.negated ? "not" : "is"} allowDeselect={false} onChange={(next) => onChange({ ...filter, negated: next === "not" })} />
      {field?.types ? (
        <EntitiesField bare label={label} placeholder={values.length > 0 ? "" : "Find by name"} types={field.types} names={names} value={values} onChange={setValues} />
      ) : field?.options ? (
        <MultiSelect aria-label={label} placeholder={values.length > 0 ? "" : "Choose"} data={[...field.options, ...values.filter((value) => !field.options?.some((each) => each.value === value)).map((value) => ({ value, label: value }))]} value={values} onChange={setValues} searchable hidePickedOptions maxDropdownHeight={220} />
      ) : (
        <TagsInput aria-label={label} placeholder={values.length > 0 ? "" : "Type, then Enter"} value={values} onChange={setValues} maxTags={50} acceptValueOnBlur />
      )}
      {onRemove ? <Button size="small" look="quiet" label={`Remove the condition ${title}`} icon={<CloseIcon size={14} stroke={1.5} aria-hidden />} onClick={onRemove} /> : <span />}
    </div>
  );
}
