import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { useSession } from "../../shared/session/session";
import { Button } from "../../components/button";
import { Badge, Bones, Failure, Note, Section, When } from "../../components/parts";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { problemOf } from "../../lib/problem";
import { change, run } from "../../lib/request";
import { counted } from "../../lib/text";
import type { Asset } from "../../shared/asset/asset";
import type { Property } from "../../shared/properties/property";
import { useEdit } from "../../shared/asset/edit";
import { ValueEditor } from "../../shared/properties/editor";
import { isEditable, kindName, plainValue, type Value } from "../../shared/properties/values";
import { forWhom } from "../../shared/forms/forms";
import { columnsIn, namesOf, openIn, reasonFor, refusalOf, stateOf, type Form, type Prompt, type Stamp } from "./assigned";
import { AnswerPrompt, ColumnAnswers, VerifyForm } from "./governance.operations";
import styles from "./governance.module.css";
import { governanceQuery } from "./read";

// Changes a form and throws an error with a readable reason if the service rejects the change, for example because
// the respondents have changed or the form was removed.
function useFormEdit(asset: Asset, form: Form): ReturnType<typeof useEdit> {
  const me = useSession();
  const queries = useQueryClient();
  const edit = useEdit(asset.urn);
  return async (expected, act) => {
    try {
      await edit(expected, act);
    } catch (error) {
      const now = await queries.fetchQuery({ ...governanceQuery(asset.urn), staleTime: 0 }).catch(() => ({ forms: [form] }));
      throw refusalOf(error, form, now.forms, asset, me);
    }
  };
}

type Answer = (prompt: Prompt, property: Property, values: readonly Value[], fieldPath?: string) => Promise<void>;

/** A form of an asset: prompts with editing in place, and its verification. */
export function FormPart({ asset, form }: { asset: Asset; form: Form }) {
  const reason = reasonFor(form, asset, useSession());
  const edit = useFormEdit(asset, form);
  const [open, setOpen] = useState<string | null>(null);
  const [column, setColumn] = useState<string | null>(null);
  const [columnsOf, setColumnsOf] = useState<string | null>(null);
  const state = stateOf(form);
  const answer: Answer = (prompt, property, values, fieldPath) =>
    edit(
      (before) =>
        fieldPath !== undefined
          ? before
          : { ...before, properties: [...before.properties.filter(({ urn }) => urn !== property.urn), { ...property, values: values.map(plainValue) }] },
      () =>
        change(AnswerPrompt, {
          urn: asset.urn,
          input: {
            formUrn: form.urn,
            promptId: prompt.id,
            type: prompt.ofColumns ? "FIELDS_STRUCTURED_PROPERTY" : "STRUCTURED_PROPERTY",
            structuredPropertyParams: { structuredPropertyUrn: property.urn, values: [...values] },
            ...(fieldPath === undefined ? {} : { fieldPath }),
          },
        }),
    );
  const shown = form.prompts.find(({ id }) => id === columnsOf);
  const showColumns = (id: string) => {
    setColumnsOf(columnsOf === id ? null : id);
    setColumn(null);
  };
  if (form.gone && open === null && column === null) {
    return null;
  }
  return (
    <Section
      title={form.name}
      tools={
        <>
          <Badge tone={state.tone}>{state.text}</Badge>
          {form.verifies && !form.verified && <Verify asset={asset} form={form} reason={reason} />}
        </>
      }
    >
      {form.gone && (
        <Note tone="warn" title={`${form.name} was taken off meanwhile`}>
          What you wrote stays here until you cancel, to be copied. It can be saved when the form is back.
        </Note>
      )}
      {form.description && (
        <p className={`muted break ${styles["about"]}`} dir="auto">
          {form.description}
        </p>
      )}
      <p className="muted small">
        For {forWhom(form, namesOf(form.ownerTypes))} to fill in{form.verifies ? " and to verify" : ""}.
        {form.verified && (
          <>
            {" "}
            Verified <By stamp={form.verified} />.
          </>
        )}
      </p>
      {form.prompts.length === 0 ? (
        <p className="faint">It asks no questions.</p>
      ) : (
        <Rows
          label={form.name}
          head={["Question", "Answer", "Answered", "Actions"]}
          items={form.prompts}
          keyOf={({ id }) => id}
          row={(prompt) => {
            const property = withValues(prompt.property, asset);
            return (
              <>
                <td className={styles["what"]}>
                  <span className="name break" dir="auto">
                    {prompt.title}
                  </span>{" "}
                  {prompt.required && <span className="faint small nowrap">Required</span>}
                  {prompt.description && (
                    <span className={styles["hint"]} dir="auto">
                      {prompt.description}
                    </span>
                  )}
                </td>
                <td data-label="Answer">
                  {prompt.ofColumns ? (
                    <span className={prompt.columns.size === 0 ? "faint" : "num"}>{prompt.columns.size === 0 ? "No column yet" : counted(prompt.columns.size, "column")}</span>
                  ) : property && open === prompt.id ? (
                    <ValueEditor needed property={property} onSave={(values) => answer(prompt, property, values)} onClose={() => setOpen(null)} />
                  ) : (
                    <Values property={property} />
                  )}
                </td>
                <td data-label="Answered">{prompt.answered ? <By stamp={prompt.answered} /> : <span className="faint">Not yet</span>}</td>
                <td className="right">
                  {open !== prompt.id && (
                    <Button
                      size="small"
                      label={`${actionOf(prompt, columnsOf)}: ${prompt.title}`}
                      reason={prompt.ofColumns ? null : (reason ?? whyNot(property, property?.values ?? []))}
                      onClick={() => (prompt.ofColumns ? showColumns(prompt.id) : setOpen(prompt.id))}
                    >
                      {actionOf(prompt, columnsOf)}
                    </Button>
                  )}
                </td>
              </>
            );
          }}
        />
      )}
      {shown && <Columns key={shown.id} asset={asset} prompt={shown} reason={reason} open={column} onOpen={setColumn} onAnswer={answer} />}
    </Section>
  );
}

const actionOf = ({ id, ofColumns, answered }: Prompt, columnsOf: string | null) => (ofColumns ? (columnsOf === id ? "Hide columns" : "Columns") : answered ? "Change" : "Answer");

const withValues = (property: Property | null, asset: Asset): Property | null => property && (asset.properties.find(({ urn }) => urn === property.urn) ?? property);

function whyNot(property: Property | null, values: Property["values"]): string | null {
  if (!property) {
    return "The property that takes the answer is gone.";
  }
  if (property.immutable && values.length > 0) {
    return `${property.name} cannot be changed once it is set.`;
  }
  return isEditable(property.kind) ? null : `Values of the kind ${kindName(property.kind).toLowerCase()} are not edited here.`;
}

function Values({ property }: { property: Property | null }) {
  if (!property || property.values.length === 0) {
    return <span className="faint">None</span>;
  }
  return (
    <span className="break" dir="auto">
      {property.values.map((value) => property.refs.find(({ urn }) => urn === value)?.name ?? String(value).slice(0, 300)).join(", ")}
    </span>
  );
}

function By({ stamp: { by, time } }: { stamp: Stamp }) {
  return (
    <span>
      {time !== undefined && <When at={time} />}
      {by && <span title={by.urn}>{` by ${by.name}`}</span>}
    </span>
  );
}

function Verify({ asset, form, reason }: { asset: Asset; form: Form; reason: string | null }) {
  const [busy, setBusy] = useState(false);
  const edit = useFormEdit(asset, form);
  const left = openIn(form);
  const verify = async () => {
    setBusy(true);
    try {
      await edit((before) => before, () => change(VerifyForm, { input: { formUrn: form.urn, entityUrn: asset.urn } }));
      toast({ title: `${asset.name} was verified` });
    } catch (error) {
      toast({ tone: "bad", title: `${asset.name} was not verified`, text: problemOf(error).message });
    }
    setBusy(false);
  };
  return (
    <Button size="small" look="primary" busy={busy} label={`Verify ${form.name}`} reason={reason ?? (left > 0 ? `Answer ${counted(left, "required question")} first.` : null)} onClick={() => void verify()}>
      Verify
    </Button>
  );
}

interface ColumnsProps {
  asset: Asset;
  prompt: Prompt;
  reason: string | null;
  /** The path of the column in the editor. */
  open: string | null;
  onOpen: (path: string | null) => void;
  onAnswer: Answer;
}

function Columns({ asset, prompt, reason, open, onOpen, onAnswer }: ColumnsProps) {
  const { property } = prompt;
  const { data, error, refetch } = useQuery({
    queryKey: ["asset", asset.urn, "column-answers", property?.urn],
    queryFn: async ({ signal }) => columnsIn((await run(ColumnAnswers, { urn: asset.urn }, signal)).data, property?.urn ?? ""),
  });
  if (error) {
    return <Failure what="the columns" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={4} what="the columns" />;
  }
  if (data.size === 0) {
    return <p className="faint">No columns are known.</p>;
  }
  return (
    <div className={styles["columns"]}>
      <Rows
        label={`Columns of ${prompt.title}`}
        head={["Column", "Answer", "Answered", "Actions"]}
        items={[...data]}
        keyOf={([path]) => path}
        row={([path, values]) => {
          const held = property && { ...property, values };
          const answered = prompt.columns.get(path);
          return (
            <>
              <td className={styles["what"]}>
                <code className="break">{path}</code>
              </td>
              <td data-label="Answer">
                {held && open === path ? <ValueEditor needed property={held} onSave={(after) => onAnswer(prompt, held, after, path)} onClose={() => onOpen(null)} /> : <Values property={held} />}
              </td>
              <td data-label="Answered">{answered ? <By stamp={answered} /> : <span className="faint">Not yet</span>}</td>
              <td className="right">
                {open !== path && (
                  <Button size="small" look="quiet" label={`${answered ? "Change" : "Answer"} for ${path}`} reason={reason ?? whyNot(property, values)} onClick={() => onOpen(path)}>
                    {answered ? "Change" : "Answer"}
                  </Button>
                )}
              </td>
            </>
          );
        }}
      />
    </div>
  );
}
