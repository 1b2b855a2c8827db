import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { Button, ButtonLink } from "../../components/button";
import { LeftIcon, RightIcon } from "../../components/icons";
import { entitiesIn } from "../../lib/found";
import { run } from "../../lib/request";
import { momentText } from "../../lib/time";
import { executionOf, executionsIn, type Execution } from "./execution";
import { runAddress } from "./executions";
import { IngestionRunsBeside } from "./ingestion.operations";
import { comparison, reportIn, toldBy, type Report, type Told } from "./report";
import styles from "./ingestion.module.css";

/** The previous and the next run of a source. */
export interface Beside {
  earlier: { one: Execution; report: Report | null } | null;
  later: Execution | null;
}

/** Reads the runs before and after a run, given its request time. Undefined until loaded. */
export function useRunsBeside(source: string | undefined, askedAt: number | undefined): Beside | undefined {
  const { data } = useQuery({
    queryKey: ["ingestion", "beside", source, askedAt],
    enabled: source !== undefined && askedAt !== undefined,
    queryFn: async ({ signal }): Promise<Beside> => {
      const ofSource = { field: "ingestionSource", values: [source ?? ""] };
      const asked = { field: "requestTimeMs", values: [String(askedAt)] };
      const { earlier, later } = (await run(IngestionRunsBeside, { earlier: [ofSource, { ...asked, condition: "LESS_THAN" }], later: [ofSource, { ...asked, condition: "GREATER_THAN" }] }, signal)).data;
      const [before] = entitiesIn(earlier?.executionRequests);
      const [after] = executionsIn(later);
      return {
        earlier: before ? { one: executionOf(before), report: reportIn(before.result?.structuredReport?.serializedValue) } : null,
        later: after ?? null,
      };
    },
  });
  return data;
}

const beganText = ({ startedAt, askedAt }: Execution) => {
  const at = startedAt ?? askedAt;
  return at === undefined ? "" : `, ${momentText(at)}`;
};

/** Links to the previous and the next run, if they exist. */
export function RunSteps({ earlier, later }: Beside) {
  return (
    <span className="row" role="group" aria-label="Other runs of this source">
      <Step label={earlier ? `The run before${beganText(earlier.one)}` : "Run before"} to={earlier?.one} none="No run was before it." icon={<LeftIcon size={16} stroke={1.5} aria-hidden />} />
      <Step label={later ? `The run after${beganText(later)}` : "Run after"} to={later ?? undefined} none="No run was after it." icon={<RightIcon size={16} stroke={1.5} aria-hidden />} />
    </span>
  );
}

function Step({ label, to, none, icon }: { label: string; to: Execution | undefined; none: string; icon: ReactNode }) {
  return to ? (
    <Link href={runAddress(to.urn)} asChild>
      <ButtonLink icon={icon} aria-label={label} title={label} />
    </Link>
  ) : (
    <Button label={label} icon={icon} reason={none} unlocked />
  );
}

/** Compares a run with the previous one in a sentence. */
export function Compared({ now, earlier }: { now: Told; earlier: NonNullable<Beside["earlier"]> }) {
  const differences = comparison(now, earlier);
  const { tone, state } = toldBy(earlier.one, earlier.report);
  return (
    differences.length > 0 && (
      <p className={styles["against"]}>
        Against{" "}
        <Link href={runAddress(earlier.one.urn)}>
          the run before{beganText(earlier.one)}
        </Link>
        {tone === "bad" && `, which ${state.toLowerCase()}`}: {differences.join(", ")}.
      </p>
    )
  );
}
