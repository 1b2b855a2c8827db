import { useQuery } from "@tanstack/react-query";

import { Confirm } from "../../components/dialog";
import { Bones, Failure } from "../../components/parts";
import { toast } from "../../components/toast";
import { change, run } from "../../lib/request";
import { counted } from "../../lib/text";
import type { Definition } from "../../shared/forms/forms";
import { countsIn, progressInput, progressOf } from "./form";
import { DeleteForm, FormsProgress } from "./forms.operations";

/** A confirmation before a form is deleted, with the number of affected assets. */
export function Remove({ form, onRemoved, onClose }: { form: Definition; onRemoved: () => unknown; onClose: () => void }) {
  const { data, error } = useQuery({
    queryKey: ["form-uses", form.urn],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const { aggregateAcrossEntities } = (await run(FormsProgress, { input: progressInput([form.urn]) }, signal)).data;
      return progressOf(countsIn(aggregateAcrossEntities), form.urn)?.assets ?? 0;
    },
  });
  return (
    <Confirm
      title={`Delete ${form.name}?`}
      verb="Delete form"
      typed={form.name}
      onClose={onClose}
      onConfirm={async () => {
        await change(DeleteForm, { input: { urn: form.urn } });
        toast({ title: `${form.name} was deleted` });
        await onRemoved();
      }}
    >
      {error ? (
        <Failure what="its assets" error={error} />
      ) : data === undefined ? (
        <Bones rows={1} what="its assets" />
      ) : (
        <p>{data === 0 ? "No asset has it." : `${counted(data, "asset")} ${data === 1 ? "has" : "have"} it and ${data === 1 ? "loses" : "lose"} it, with who answered and verified. The answers stay as properties of the ${data === 1 ? "asset" : "assets"}.`}</p>
      )}
      <p>This cannot be undone.</p>
    </Confirm>
  );
}
