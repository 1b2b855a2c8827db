import { useEffect, useEffectEvent, useState } from "react";

import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Meter, Note } from "../../components/parts";
import { toast } from "../../components/toast";
import { textIn } from "../../lib/answer";
import { csvText, saveText, type Cell } from "../../lib/csv";
import { pageIn } from "../../lib/found";
import { kindText, lineOf, type Line } from "../../lib/line";
import { problemOf } from "../../lib/problem";
import { run, type Answered } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { orFilters, sortInput, type Asked } from "../../shared/search/filters";
import { ExportPage, type ExportPageQuery, type ExportPageQueryVariables } from "./search.operations";

const size = 500;
/** The maximum number of rows; more would overload spreadsheets and the memory of the page. */
const most = 100_000;

const head = ["Name", "Kind", "Platform", "Path", "Description", "Tags", "Terms", "Owners", "Deprecated", "State", "People, 30 days", "URN"];

const row = (line: Line): Cell[] => [
  line.name,
  kindText(line),
  line.platform,
  line.steps.map(({ name }) => name).join(" / "),
  line.description,
  line.tags.map(({ name }) => name).join("; "),
  line.terms.map(({ name }) => name).join("; "),
  line.owners.map(({ name }) => name).join("; "),
  line.deprecated ? "yes" : "",
  line.state?.text,
  line.people,
  line.urn,
];

interface Props {
  asked: Asked;
  total: number;
  onClose: () => void;
}

/** Reads all results of a search page by page and saves them as a file. */
export default function ExportResults(props: Props) {
  const [round, setRound] = useState(0);
  return <Round key={round} {...props} onRetry={() => setRound(round + 1)} />;
}

function Round({ asked, total, onClose, onRetry }: Props & { onRetry: () => void }) {
  const [done, setDone] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const begin = useEffectEvent((signal: AbortSignal) => {
    readAll(asked, signal, setDone).then(
      ({ rows, more }) => {
        saveText("search.csv", csvText(head, rows));
        toast({ tone: more ? "info" : "ok", title: `${counted(rows.length, "row")} exported`, text: more ? `The list is longer than ${numberText(most)}. Narrow it to export the rest.` : "" });
        onClose();
      },
      (failure: unknown) => {
        if (!signal.aborted) {
          setError(failure);
        }
      },
    );
  });
  useEffect(() => {
    const stop = new AbortController();
    begin(stop.signal);
    return () => stop.abort();
  }, []);
  const expected = Math.min(total, most);
  return (
    <Dialog
      title="Export as CSV"
      size={420}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {error !== null && <Button onClick={onRetry}>Try again</Button>}
        </>
      }
    >
      {error === null ? (
        <>
          <p className="muted num" role="status">
            {numberText(done)} of {counted(expected, "row")} read
          </p>
          <Meter share={expected === 0 ? 0 : done / expected} tone="accent" />
        </>
      ) : (
        <Note tone="bad" title="Nothing was exported">
          {problemOf(error).message}
        </Note>
      )}
    </Dialog>
  );
}

async function readAll(asked: Asked, signal: AbortSignal, onRead: (count: number) => void): Promise<{ rows: Cell[][]; more: boolean }> {
  const rows: Cell[][] = [];
  const or = orFilters(asked.filters, asked.any);
  const sorted = sortInput(asked.sort);
  let scrollId: string | null = null;
  do {
    const input: ExportPageQueryVariables["input"] = {
      query: asked.query,
      count: Math.min(size, most - rows.length),
      searchFlags: { skipAggregates: true, skipHighlighting: true },
      ...(or ? { orFilters: or } : {}),
      ...(asked.view ? { viewUrn: asked.view } : {}),
      ...(sorted ? { sortInput: sorted } : {}),
      ...(scrollId === null ? {} : { scrollId }),
    };
    // oxlint-disable-next-line no-await-in-loop -- a page begins where the one before it ended
    const { data, problems }: Answered<ExportPageQuery> = await run(ExportPage, { input }, signal);
    if (problems[0]) {
      throw problems[0]; // an incomplete list must not appear complete
    }
    const page = data.scrollAcrossEntities;
    rows.push(...pageIn(page, lineOf).items.map(row));
    onRead(rows.length);
    scrollId = textIn(page?.nextScrollId) || null;
  } while (scrollId !== null && rows.length < most);
  return { rows, more: scrollId !== null };
}
