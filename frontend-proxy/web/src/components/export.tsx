import { useState } from "react";

import { csvText, saveText, type Cell } from "../lib/csv";
import { problemOf } from "../lib/problem";
import { counted } from "../lib/text";
import { Button } from "./button";
import { DownloadIcon } from "./icons";
import { toast } from "./toast";

interface Props {
  /** The file name without extension. */
  name: string;
  head: readonly string[];
  /** Reads all rows of the filtered list. total is the number of rows if some were left out. */
  rows: () => Promise<{ rows: readonly (readonly Cell[])[]; total?: number }>;
  /** The reason why the export is disabled. */
  reason?: string | null;
  size?: "small" | "medium";
}

/** Saves the complete list, including rows that are not displayed, as a CSV file. */
export function Export({ name, head, rows, reason = null, size = "medium" }: Props) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const { rows: all, total = all.length } = await rows();
      saveText(`${name}.csv`, csvText(head, all));
      toast({
        tone: total > all.length ? "info" : "ok",
        title: `${counted(all.length, "row")} exported`,
        text: total > all.length ? `The list has ${counted(total, "row")}. Narrow it to export the rest.` : "",
      });
    } catch (error) {
      toast({ tone: "bad", title: "Nothing was exported", text: problemOf(error).message });
    }
    setBusy(false);
  };
  return (
    <Button size={size} icon={<DownloadIcon size={size === "small" ? 14 : 16} stroke={1.5} aria-hidden />} busy={busy} reason={reason} onClick={() => void save()}>
      Export CSV
    </Button>
  );
}
