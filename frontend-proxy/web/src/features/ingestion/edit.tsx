import { Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { FormDialog } from "../../components/dialog";
import { toast } from "../../components/toast";
import { change } from "../../lib/request";
import { CreateIngestionSource, UpdateIngestionSource } from "./ingestion.operations";
import { scheduleText } from "./schedule";
import type { Source } from "./stored";

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

const missing = (tried: boolean, value: string, reason: string) => (tried && value.trim() === "" ? reason : null);

/** A dialog for the recipe and the schedule of a source. Values that the form does not show are preserved. */
export default function Edit({ source, onClose }: { source: Source | null; onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(source?.name ?? "");
  const [type, setType] = useState(source?.type ?? "");
  const [recipe, setRecipe] = useState(source?.config.recipe ?? "");
  const [interval, setInterval] = useState(source?.schedule?.interval ?? "");
  const [timezone, setTimezone] = useState(source?.schedule?.timezone ?? timeZone);
  const [executor, setExecutor] = useState(source?.config.executorId ?? "default");
  const [version, setVersion] = useState(source?.config.version ?? "");
  const submit = async () => {
    const input = {
      name: name.trim(),
      type: type.trim(),
      schedule: interval.trim() === "" ? null : { interval: interval.trim(), timezone: timezone.trim() },
      config: { recipe, executorId: executor.trim(), version: version.trim() || null, debugMode: source?.config.debugMode ?? null, extraArgs: source?.config.extraArgs ?? null },
      source: source?.source ?? null,
    };
    await (source ? change(UpdateIngestionSource, { urn: source.urn, input }) : change(CreateIngestionSource, { input }));
    await queries.invalidateQueries({ queryKey: ["ingestion"] });
    toast({ title: source ? `${input.name} was changed` : `${input.name} was created` });
    onClose();
  };
  return (
    <FormDialog
      title={source ? `Edit ${source.name}` : "New source"}
      verb={source ? "Save changes" : "Create source"}
      failed={source ? "The source stays as it was" : "No source was created"}
      complete={[name, type, recipe, executor].every((value) => value.trim() !== "")}
      onSubmit={submit}
      onClose={onClose}
    >
      {(tried) => (
        <>
          <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} error={missing(tried, name, "A source needs a name.")} autoComplete="off" data-autofocus />
          <TextInput label="Kind" description="As the recipe names it, such as postgres" value={type} onChange={(event) => setType(event.currentTarget.value)} error={missing(tried, type, "Say what kind of source it is.")} autoComplete="off" />
          <Textarea
            label="Recipe"
            description="JSON or YAML. Name secrets in it as ${NAME}."
            value={recipe}
            onChange={(event) => setRecipe(event.currentTarget.value)}
            error={missing(tried, recipe, "A source needs a recipe.")}
            rows={8}
            spellCheck={false}
            styles={{ input: { fontFamily: "var(--f-mono)" } }}
          />
          <TextInput label="Schedule" description={interval.trim() === "" ? "A cron expression, such as 0 4 * * *. Without one it runs by hand alone." : `Runs ${scheduleText(interval)}`} value={interval} onChange={(event) => setInterval(event.currentTarget.value)} autoComplete="off" spellCheck={false} />
          {interval.trim() !== "" && <TextInput label="Time zone" value={timezone} onChange={(event) => setTimezone(event.currentTarget.value)} autoComplete="off" spellCheck={false} />}
          <TextInput label="Executor" value={executor} onChange={(event) => setExecutor(event.currentTarget.value)} error={missing(tried, executor, "Say which executor runs it.")} autoComplete="off" spellCheck={false} />
          <TextInput label="Version of the client" description="Empty for the usual one of the executor" value={version} onChange={(event) => setVersion(event.currentTarget.value)} autoComplete="off" spellCheck={false} />
        </>
      )}
    </FormDialog>
  );
}
