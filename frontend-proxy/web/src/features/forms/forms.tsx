import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";

import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Export } from "../../components/export";
import { AddIcon, CheckIcon, DeleteIcon, EditIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Badge, Bones, Empty, Failure, Find, Kept, Meter, PageHead, Tools } from "../../components/parts";
import { RowMenu } from "../../components/row-menu";
import { Rows } from "../../components/rows";
import { assetPath } from "../../lib/asset";
import { everyPage } from "../../lib/csv";
import { pageIn } from "../../lib/found";
import { Fallback, lazy } from "../../lib/lazy";
import { startOf, useParameters } from "../../lib/parameters";
import { run } from "../../lib/request";
import { counted } from "../../lib/text";
import { definitionIn, forWhom, type Definition } from "../../shared/forms/forms";
import { countsIn, doneOf, kindText, needs, progressInput, progressOf, progressText, type Counts, type Progress } from "./form";
import { Forms, FormsProgress, type FormsQueryVariables } from "./forms.operations";
import styles from "./forms.module.css";
import { Remove } from "./remove";
import { useManages } from "./stored";

const Edit = lazy(() => import("./edit"));

// At most the number of field values that the server counts.
const size = 50;

const inputOf = (text: string, start: number, count: number): FormsQueryVariables["input"] => ({
  types: ["FORM"],
  query: text || "*",
  start,
  count,
  ...(text ? {} : { sortInput: { sortCriteria: [{ field: "name", sortOrder: "ASCENDING" }] } }),
  searchFlags: { skipAggregates: true, skipHighlighting: true },
});

async function readForms(input: FormsQueryVariables["input"], signal?: AbortSignal) {
  return pageIn((await run(Forms, { input }, signal)).data.searchAcrossEntities, (entity) => definitionIn(entity) ?? []);
}

async function readCounts(forms: readonly Definition[], signal?: AbortSignal): Promise<Counts> {
  const input = progressInput(forms.map(({ urn }) => urn));
  return countsIn((await run(FormsProgress, { input }, signal)).data.aggregateAcrossEntities);
}

/** The properties of the prompts, without duplicates. */
const asked = ({ prompts }: Definition) => [...new Set(prompts.flatMap(({ property }) => property?.name ?? []))];

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The forms page: prompts, respondents and progress of each form. */
export default function FormsPage() {
  useTitle("Forms");
  const queries = useQueryClient();
  const [, go] = useLocation();
  const [get, set] = useParameters();
  const [text] = useDebouncedValue(get("find").trim(), 200);
  const start = startOf(get("page"), size);
  const [editing, setEditing] = useState<{ form: Definition | null } | null>(null);
  const [removing, setRemoving] = useState<Definition | null>(null);
  const reason = useManages() ? null : needs;
  const input = inputOf(text, start, size);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["forms", text, start],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readForms(input, signal),
  });
  const { data: counts } = useQuery({
    queryKey: ["forms", "progress", ...(data?.items ?? []).map(({ urn }) => urn)],
    enabled: data !== undefined && data.items.length > 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readCounts(data?.items ?? [], signal),
  });
  const changed = () => queries.invalidateQueries({ queryKey: ["forms"] });
  return (
    <div className="page">
      <PageHead
        title="Forms"
        actions={
          <>
            <CopyAs call={{ query: Forms.toString(), variables: { input } }} />
            <Export
              name="forms"
              head={["Form", "Description", "Kind", "Questions", "Properties", "Filled in by", "Assets", "Complete", "Verified", "URN"]}
              rows={async () => {
                const all = await everyPage(
                  async (from, count) => {
                    const page = await readForms(inputOf(text, from, count));
                    const of = page.items.length > 0 ? await readCounts(page.items) : undefined;
                    return { items: page.items.map((form) => ({ form, progress: of && progressOf(of, form.urn) })), total: page.total };
                  },
                  { size },
                );
                return {
                  rows: all.items.map(({ form, progress }) => [
                    form.name,
                    form.description,
                    kindText(form),
                    form.prompts.map(({ title }) => title).join("; "),
                    asked(form).join("; "),
                    forWhom(form),
                    progress?.assets,
                    progress?.complete,
                    progress?.verified,
                    form.urn,
                  ]),
                  total: all.total,
                };
              }}
            />
            <Button look="primary" icon={<AddIcon size={16} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setEditing({ form: null })}>
              Create form
            </Button>
          </>
        }
      >
        What people are asked to fill in of assets: who is asked, what, and how far they are.
      </PageHead>
      <Tools>
        <Find label="Find a form" value={get("find")} onChange={(find) => set({ find, page: "" })} />
        {data && (
          <span className="muted small num" role="status">
            {counted(data.total, "form")}
          </span>
        )}
      </Tools>
      {error ? (
        <Failure what="the forms" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={6} what="the forms" />
      ) : data.items.length === 0 ? (
        <Empty icon={<CheckIcon size={20} stroke={1.5} aria-hidden />} title={text ? "No form matches" : "No form yet"} actions={text ? <Button onClick={() => set({ find: "", page: "" })}>Show all forms</Button> : null}>
          {text ? "The name is searched, and the properties that take the answers." : "Create one, say what it asks, and choose the assets that it is about. Their owners find it under Governance."}
        </Empty>
      ) : (
        <Kept old={isPlaceholderData}>
          <Rows
            label="Forms"
            head={["Form", "Asks for", "Kind", "Filled in by", "Progress", "Actions"]}
            items={data.items}
            keyOf={({ urn }) => urn}
            row={(form) => (
              <>
                <td>
                  <Link className="name break" href={assetPath(form.urn)} dir="auto">
                    {form.name}
                  </Link>
                  {form.description && (
                    <div className="faint small break" dir="auto">
                      {form.description.slice(0, 300)}
                    </div>
                  )}
                </td>
                <td data-label="Asks for">
                  <Asks form={form} />
                </td>
                <td data-label="Kind">
                  <Badge>{kindText(form)}</Badge>
                </td>
                <td data-label="Filled in by" className="break" dir="auto">
                  {capital(forWhom(form))}
                </td>
                <td data-label="Progress">
                  <HowFar progress={counts && progressOf(counts, form.urn)} waits={counts === undefined} verifies={form.verifies} />
                </td>
                <td className="right">
                  <RowMenu
                    label={`More for ${form.name}`}
                    actions={[
                      { name: "Edit", icon: <EditIcon size={16} stroke={1.5} aria-hidden />, reason, onClick: () => setEditing({ form }) },
                      { name: "Delete form", icon: <DeleteIcon size={16} stroke={1.5} aria-hidden />, reason, onClick: () => setRemoving(form) },
                    ]}
                  />
                </td>
              </>
            )}
          />
          <Pager label="forms" start={start} size={size} total={data.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
        </Kept>
      )}
      {editing && (
        <Fallback show={null}>
          <Edit
            what="form"
            form={editing.form}
            onSaved={async (urn) => {
              await changed();
              if (editing.form === null) {
                go(assetPath(urn));
              }
            }}
            onClose={() => setEditing(null)}
          />
        </Fallback>
      )}
      {removing && <Remove form={removing} onRemoved={changed} onClose={() => setRemoving(null)} />}
    </div>
  );
}

function Asks({ form }: { form: Definition }) {
  if (form.prompts.length === 0) {
    return <span className="faint">Nothing yet</span>;
  }
  const names = asked(form);
  return (
    <div>
      <span className="num">{counted(form.prompts.length, "question")}</span>
      <div className="faint small break" dir="auto">
        {names.slice(0, 4).join(", ")}
        {names.length > 4 && ` and ${names.length - 4} more`}
      </div>
    </div>
  );
}

function HowFar({ progress, waits, verifies }: { progress: Progress | undefined; waits: boolean; verifies: boolean }) {
  if (!progress) {
    return <span className="faint">{waits ? "Counting" : "Not known"}</span>;
  }
  return (
    <span className={styles["progress"]}>
      {progress.assets > 0 && <Meter share={doneOf(progress, verifies) / progress.assets} tone={doneOf(progress, verifies) === progress.assets ? "ok" : "accent"} />}
      <span className={`small num ${progress.assets === 0 ? "faint" : "muted"}`}>{progressText(progress, verifies)}</span>
    </span>
  );
}
