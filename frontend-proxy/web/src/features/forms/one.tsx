import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";

import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Confirm } from "../../components/dialog";
import { useNames } from "../../shared/entities/entities";
import { AddIcon, CheckIcon, DeleteIcon, DownIcon, EditIcon } from "../../components/icons";
import { Badge, Bones, Empty, Failure, PageHead, Section } from "../../components/parts";
import { RowMenu } from "../../components/row-menu";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { assetPath } from "../../lib/asset";
import { Fallback, lazy } from "../../lib/lazy";
import { problemOf } from "../../lib/problem";
import { change, run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { decoded } from "../../lib/asset-address";
import { definitionIn, forWhom, type Definition, type Question } from "../../shared/forms/forms";
import { answeredOn, countsIn, kindText, needs, progressInput, progressOf, takes, type Counts, type Progress } from "./form";
import { OneForm, UpdateForm } from "./forms.operations";
import styles from "./forms.module.css";
import { Remove } from "./remove";
import { RulePart } from "./rule-part";
import { readStored, useManages, writeQuestions, type Stored } from "./stored";

const Edit = lazy(() => import("./edit"));
const AssetsOfForm = lazy(() => import("./assets"));

/** The page of a form: prompts, respondents, rule, and progress of its assets. */
export default function FormPage() {
  const { urn: part = "" } = useParams<{ urn: string }>();
  const urn = decoded(part);
  const variables = { urn, progress: progressInput([urn], true) };
  const { data, error, refetch } = useQuery({
    queryKey: ["forms", "one", urn],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const answer = (await run(OneForm, variables, signal)).data;
      return { form: definitionIn(answer.form), counts: countsIn(answer.aggregateAcrossEntities) };
    },
  });
  useTitle(data?.form?.name ?? "Form", "Forms");
  return (
    <div className="page">
      <Link href="/forms">Forms</Link>
      {error && !data ? (
        <Failure what="the form" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={8} what="the form" />
      ) : !data.form ? (
        <>
          <PageHead title="Form" />
          <Empty icon={<CheckIcon size={20} stroke={1.5} aria-hidden />} title="There is no such form">
            It was deleted, or never was. <Link href="/forms">All forms</Link>
          </Empty>
        </>
      ) : (
        <Shown key={urn} form={data.form} counts={data.counts} variables={variables} />
      )}
    </div>
  );
}

function Shown({ form, counts, variables }: { form: Definition; counts: Counts; variables: { urn: string; progress: object } }) {
  const queries = useQueryClient();
  const [, go] = useLocation();
  const [asking, setAsking] = useState<"edit" | "delete" | null>(null);
  const reason = useManages() ? null : needs;
  const stored = useQuery({ queryKey: ["forms", "stored", form.urn], queryFn: ({ signal }) => readStored(form.urn, signal) });
  const kinds = useNames(stored.data?.ownerKinds ?? []);
  const progress = progressOf(counts, form.urn);
  const changed = () => queries.invalidateQueries({ queryKey: ["forms"] });
  const owners = (stored.data?.ownerKinds ?? []).map((kind) => kinds.get(kind) ?? kind.split("__").at(-1) ?? kind);
  return (
    <>
      <PageHead
        title={form.name}
        actions={
          <>
            <CopyAs call={{ query: OneForm.toString(), variables }} urn={form.urn} />
            <Button icon={<DeleteIcon size={16} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setAsking("delete")}>
              Delete form
            </Button>
            <Button icon={<EditIcon size={16} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setAsking("edit")}>
              Edit
            </Button>
          </>
        }
      >
        <span className="break" dir="auto">
          {form.description}
        </span>
      </PageHead>
      <p className={styles["facts"]}>
        <Badge>{kindText(form)}</Badge>
        <span className="muted">
          For {forWhom(form, owners)} to fill in{form.verifies ? " and to verify" : ""}.
        </span>
      </p>
      <Questions form={form} counts={counts} progress={progress} stored={stored.data} reason={reason} onChanged={changed} />
      <RulePart form={form} progress={progress} stored={stored.data} error={stored.error} reason={reason} onRetry={() => void stored.refetch()} onChanged={changed} />
      <Fallback show={<Bones rows={6} what="the assets" />}>
        <AssetsOfForm form={form} progress={progress} reason={reason} onChanged={changed} />
      </Fallback>
      {asking === "edit" && (
        <Fallback show={null}>
          <Edit what="form" form={form} onSaved={changed} onClose={() => setAsking(null)} />
        </Fallback>
      )}
      {asking === "delete" && (
        <Remove
          form={form}
          onRemoved={() => {
            queries.removeQueries({ queryKey: ["forms"] });
            go("/forms");
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

interface QuestionsProps {
  form: Definition;
  counts: Counts;
  progress: Progress | undefined;
  stored: Stored | undefined;
  reason: string | null;
  onChanged: () => Promise<unknown>;
}

function Questions({ form, counts, progress, stored, reason, onChanged }: QuestionsProps) {
  const [editing, setEditing] = useState<{ question: Question | null } | null>(null);
  const [removing, setRemoving] = useState<Question | null>(null);
  const assets = progress?.assets ?? 0;
  const waits = stored ? null : "The form is being read.";
  const move = async (at: number, by: number) => {
    if (!stored) {
      return;
    }
    try {
      await writeQuestions(form.urn, stored, (questions) => moved(questions, at, at + by));
    } catch (error) {
      toast({ tone: "bad", title: "The question was not moved", text: problemOf(error).message });
    }
    await onChanged();
  };
  return (
    <Section
      title="Questions"
      tools={
        <Button size="small" icon={<AddIcon size={14} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setEditing({ question: null })}>
          Add question
        </Button>
      }
    >
      {form.prompts.length === 0 ? (
        <Empty icon={<CheckIcon size={20} stroke={1.5} aria-hidden />} title="It asks nothing yet">
          Each question is answered with a structured property. Add questions before assets get the form.
        </Empty>
      ) : (
        <Rows
          label="Questions"
          head={["Question", "Answered with", "Required", "Answered", "Actions"]}
          items={form.prompts.map((question, at) => ({ question, at }))}
          keyOf={({ question }) => question.id}
          row={({ question, at }) => (
            <>
              <td>
                <span className="name break" dir="auto">
                  {question.title}
                </span>
                {question.description && (
                  <div className="faint small break" dir="auto">
                    {question.description}
                  </div>
                )}
              </td>
              <td data-label="Answered with">
                <div>
                  {question.property && (
                    <Link className="break" href={assetPath(question.property.urn)} dir="auto">
                      {question.property.name}
                    </Link>
                  )}
                  <div className="faint small">{takes(question)}</div>
                </div>
              </td>
              <td data-label="Required">{question.required ? "Required" : <span className="faint">No</span>}</td>
              <td data-label="Answered" className="num">
                <Answered on={answeredOn(counts, question.id)} assets={assets} />
              </td>
              <td className="right">
                <RowMenu
                  label={`More for ${question.title}`}
                  actions={[
                    { name: "Edit", icon: <EditIcon size={16} stroke={1.5} aria-hidden />, reason: reason ?? waits, onClick: () => setEditing({ question }) },
                    { name: "Move up", icon: <DownIcon size={16} stroke={1.5} aria-hidden style={{ rotate: "180deg" }} />, reason: reason ?? waits ?? (at === 0 ? "It is the first." : null), onClick: () => void move(at, -1) },
                    { name: "Move down", icon: <DownIcon size={16} stroke={1.5} aria-hidden />, reason: reason ?? waits ?? (at === form.prompts.length - 1 ? "It is the last." : null), onClick: () => void move(at, 1) },
                    { name: "Remove", icon: <DeleteIcon size={16} stroke={1.5} aria-hidden />, reason, onClick: () => setRemoving(question) },
                  ]}
                />
              </td>
            </>
          )}
        />
      )}
      {editing && (
        <Fallback show={null}>
          <Edit what="question" form={form} question={editing.question} stored={stored} assets={assets} onSaved={onChanged} onClose={() => setEditing(null)} />
        </Fallback>
      )}
      {removing && (
        <Confirm
          title={`Remove “${removing.title}”?`}
          verb="Remove question"
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            await change(UpdateForm, { input: { urn: form.urn, promptsToRemove: [removing.id] } });
            await onChanged();
            toast({ title: "The question was removed" });
          }}
        >
          {assets === 0 ? "No asset has the form yet." : `${counted(assets, "asset")} ${assets === 1 ? "has" : "have"} the form and ${assets === 1 ? "is" : "are"} no longer asked. Answers stay as properties.`}
        </Confirm>
      )}
    </Section>
  );
}

/** A copy of a list with one element moved. */
function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const rest = list.filter((_, at) => at !== from);
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)];
}

function Answered({ on, assets }: { on: number | undefined; assets: number }) {
  if (assets === 0) {
    return <span className="faint">On no asset yet</span>;
  }
  return on === undefined ? <span className="faint">Not known</span> : `${numberText(on)} of ${numberText(assets)}`;
}
