import { TextInput, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { useSession } from "../../shared/session/session";
import { FormDialog } from "../../components/dialog";
import { Segments } from "../../components/parts";
import { toast } from "../../components/toast";
import { change } from "../../lib/request";
import { definitionOf, type Asked } from "../../shared/search/filters";
import { CreateView as Create } from "./search.operations";

/** A dialog that saves the filters of a search as a view. */
export default function CreateView({ asked, onClose, onMade }: { asked: Asked; onClose: () => void; onMade: (urn: string) => void }) {
  const { may } = useSession();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [kind, setKind] = useState<"PERSONAL" | "GLOBAL">("PERSONAL");
  const text = name.trim();
  return (
    <FormDialog
      title="Save filters as a view"
      verb="Save view"
      failed="No view was saved"
      complete={text !== ""}
      onClose={onClose}
      onSubmit={async () => {
        const { createView } = await change(Create, { input: { viewType: kind, name: text, ...(description.trim() ? { description: description.trim() } : {}), definition: definitionOf(asked) } });
        await queries.invalidateQueries({ queryKey: ["views"] });
        if (createView?.urn) {
          onMade(createView.urn);
        }
        toast({ title: `${text} was saved` });
        onClose();
      }}
    >
      {(tried) => (
        <>
          <TextInput label="Name" value={name} maxLength={200} data-autofocus onChange={(event) => setName(event.currentTarget.value)} error={tried && text === "" ? "A view needs a name." : null} />
          <Textarea label="What it is for" value={description} maxLength={2000} autosize={false} rows={2} onChange={(event) => setDescription(event.currentTarget.value)} />
          {may.manageGlobalViews && (
            <Segments
              label="For whom"
              value={kind}
              options={[
                { value: "PERSONAL", label: "For me" },
                { value: "GLOBAL", label: "For everybody" },
              ]}
              onChange={setKind}
            />
          )}
          <p className="muted small">It keeps the {asked.filters.length === 1 ? "filter" : `${asked.filters.length} filters`} of this page. The words that are searched for are no part of it.</p>
        </>
      )}
    </FormDialog>
  );
}
