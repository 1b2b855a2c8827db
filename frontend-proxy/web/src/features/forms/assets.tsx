import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { Asset } from "../../components/asset";
import { Button } from "../../components/button";
import { Confirm } from "../../components/dialog";
import { Export } from "../../components/export";
import { AddIcon, CloseIcon, DatasetIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Bones, Empty, Failure, Find, Kept, Meter, Section, Segments, Tools } from "../../components/parts";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { assetPath, kindOf, typeInGraphQL } from "../../lib/asset";
import { everyPage } from "../../lib/csv";
import { pageIn } from "../../lib/found";
import { startOf, useParameters } from "../../lib/parameters";
import { change, run } from "../../lib/request";
import { counted } from "../../lib/text";
import { ChooseDialog } from "../../shared/govern/dialogs";
import { AssetsOf } from "../../shared/govern/govern.operations";
import { OwnersCell, ownersText } from "../../shared/govern/people";
import { listedIn, type Listed } from "../../shared/govern/read";
import type { Definition } from "../../shared/forms/forms";
import { assetsInput, doneOf, parts, progressText, type Part, type Progress } from "./form";
import { AssignForm, TakeFormOff } from "./forms.operations";
import styles from "./forms.module.css";
import { carriers } from "./rule";

const size = 25;

async function read(form: Definition, part: Part, page: { text: string; start: number; count: number }, signal?: AbortSignal): Promise<{ items: Listed[]; total: number }> {
  return pageIn((await run(AssetsOf, { input: assetsInput(form.urn, form.verifies, part, page), columns: false }, signal)).data.searchAcrossEntities, listedIn);
}

const isPart = (text: string): text is Part => (parts as readonly string[]).includes(text);

const nothing: Readonly<Record<Part, string>> = {
  incomplete: "Nothing is left to do",
  done: "None is done yet",
  all: "No asset has it yet",
};

/** The assets with a form, by completion. */
export default function AssetsOfForm({ form, progress, reason, onChanged }: { form: Definition; progress: Progress | undefined; reason: string | null; onChanged: () => Promise<unknown> }) {
  const [get, set] = useParameters();
  const asked = get("assets");
  const part: Part = isPart(asked) ? asked : "incomplete";
  const [text] = useDebouncedValue(get("find").trim(), 200);
  const start = startOf(get("page"), size);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Listed | null>(null);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["forms", "assets", form.urn, form.verifies, part, text, start],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => read(form, part, { text, start, count: size }, signal),
  });
  const done = progress && doneOf(progress, form.verifies);
  const counts: Readonly<Record<Part, number | undefined>> = { incomplete: progress && progress.assets - (done ?? 0), done, all: progress?.assets };
  const unasked = form.prompts.length === 0 ? "Add a question first: assets are asked what the form asks when they get it." : null;
  return (
    <Section
      title="How far assets are"
      tools={
        <Button size="small" icon={<AddIcon size={14} stroke={1.5} aria-hidden />} reason={reason ?? unasked} onClick={() => setAdding(true)}>
          Add assets
        </Button>
      }
    >
      {progress && (
        <p className={styles["whole"]} role="status">
          <span className="muted num">{progressText(progress, form.verifies)}.</span>
          {progress.assets > 0 && <Meter share={(done ?? 0) / progress.assets} tone={done === progress.assets ? "ok" : "accent"} />}
        </p>
      )}
      <Tools>
        <Segments
          label="Which assets"
          size="small"
          value={part}
          options={[
            { value: "incomplete", label: "To do", count: counts.incomplete },
            { value: "done", label: form.verifies ? "Verified" : "Complete", count: counts.done },
            { value: "all", label: "All", count: counts.all },
          ]}
          onChange={(value) => set({ assets: value === "incomplete" ? "" : value, page: "" })}
        />
        <Find label="Find an asset here" value={get("find")} onChange={(find) => set({ find, page: "" })} />
        <span className="end">
          <Export
            size="small"
            name="form-assets"
            head={["Asset", "Type", "Platform", "Owners", "URN"]}
            rows={async () => {
              const all = await everyPage((from, count) => read(form, part, { text, start: from, count }), { size: 200 });
              return { rows: all.items.map((asset) => [asset.name, kindOf(asset.type).one, asset.platform, ownersText(asset.owners), asset.urn]), total: all.total };
            }}
          />
        </span>
      </Tools>
      {error ? (
        <Failure what="the assets" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={6} what="the assets" />
      ) : data.items.length === 0 ? (
        <Empty icon={<DatasetIcon size={20} stroke={1.5} aria-hidden />} title={text ? "No asset matches" : progress?.assets === 0 ? nothing.all : nothing[part]} actions={text ? <Button onClick={() => set({ find: "", page: "" })}>Show all</Button> : null}>
          {text ? "Names, descriptions and columns are searched." : progress?.assets === 0 ? "Assign it by a rule, or add assets one by one." : part === "incomplete" ? "All assets that have it are done." : "Whoever fills it in finds it under Governance of the asset."}
        </Empty>
      ) : (
        <Kept old={isPlaceholderData}>
          <Rows
            label="Assets"
            head={["Asset", "Platform", "Owner", "Form", "Actions"]}
            items={data.items}
            keyOf={(asset) => asset.urn}
            row={(asset) => (
              <>
                <td>
                  <Asset urn={asset.urn} name={asset.name} type={asset.type} />
                </td>
                <td className="muted" data-label="Platform">
                  {asset.platform || <span className="faint">None</span>}
                </td>
                <td data-label="Owner">
                  <OwnersCell owners={asset.owners} />
                </td>
                <td data-label="Form">
                  <Link href={assetPath(asset.urn, "Governance")} aria-label={`Answers of ${asset.name}`}>
                    Answers
                  </Link>
                </td>
                <td className="right">
                  <Button size="small" look="quiet" label={`Take the form off ${asset.name}`} icon={<CloseIcon size={14} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setRemoving(asset)} />
                </td>
              </>
            )}
          />
          <Pager label="assets" start={start} size={size} total={data.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
        </Kept>
      )}
      {adding && (
        <ChooseDialog
          title="Add assets"
          about={`They get ${form.name} with all questions open. Those that have it keep their answers.`}
          verb="Add assets"
          what="an asset"
          find="Find an asset"
          types={carriers.map(typeInGraphQL) as never}
          multiple
          onClose={() => setAdding(false)}
          onChoose={async (chosen) => {
            await change(AssignForm, { input: { formUrn: form.urn, entityUrns: [...chosen.keys()] } });
            await onChanged();
            toast({ title: `${counted(chosen.size, "asset")} ${chosen.size === 1 ? "has" : "have"} the form` });
          }}
        />
      )}
      {removing && (
        <Confirm
          title={`Take ${form.name} off ${removing.name}?`}
          verb="Take off"
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            await change(TakeFormOff, { input: { formUrn: form.urn, entityUrns: [removing.urn] } });
            await onChanged();
            toast({ title: `${form.name} was taken off ${removing.name}` });
          }}
        >
          Who answered and verified is forgotten. The answers stay as properties of the asset.
        </Confirm>
      )}
    </Section>
  );
}
