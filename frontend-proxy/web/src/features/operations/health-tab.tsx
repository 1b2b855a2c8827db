import { useQuery } from "@tanstack/react-query";

import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { FailIcon, PassIcon, RefreshIcon, WarnIcon } from "../../components/icons";
import { Badge, Bones, Empty, Failure, Section, When, type Tone } from "../../components/parts";
import { Rows } from "../../components/rows";
import { Problem } from "../../lib/problem";
import { send } from "../../lib/request";
import { numberText } from "../../lib/text";
import { positionsIn, readHealth, type HealthReply, type PositionsReply, type Projection } from "./health";
import styles from "./operations.module.css";
import type { TabProps } from "./sizes-tab";

const healthPath = "/api/gms/health/detailed";
const lagPath = "/openapi/operations/messaging/mcl/consumer/lag";

/** The health of the service, and the progress of consumers of the change log. */
export function HealthTab({ head }: TabProps) {
  const { data, error, refetch, isFetching, dataUpdatedAt } = useQuery({
    queryKey: ["health"],
    queryFn: async ({ signal }) => readHealth(await send<HealthReply | null>(healthPath, { signal })),
    refetchInterval: 10_000,
  });
  const lag = useQuery({ queryKey: ["lag"], queryFn: async ({ signal }) => positionsIn(await send<PositionsReply | null>(lagPath, { signal })), refetchInterval: 10_000, retry: false });
  return (
    <>
      {head(
        <>
          <CopyAs call={{ path: healthPath, method: "GET" }} />
          <Button icon={<RefreshIcon size={16} stroke={1.5} aria-hidden />} busy={isFetching && data !== undefined} onClick={() => void Promise.all([refetch(), lag.refetch()])}>
            Refresh
          </Button>
        </>,
      )}
      {error && !data ? (
        <Failure what="the health of the service" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={6} what="the health of the service" />
      ) : (
        <>
          <Section title="The service" tools={<span className="muted small">Read <When at={dataUpdatedAt} /></span>}>
            {data.parts.length === 0 ? (
              <Empty title="The service tells nothing of its health" />
            ) : (
              <Rows
                label="Parts of the service"
                head={["Part", "State", "Reason"]}
                items={data.parts}
                keyOf={({ name }) => name}
                row={({ name, state, detail }) => (
                  <>
                    <td className="name">{name}</td>
                    <td data-label="State">
                      <Light state={state} />
                    </td>
                    <td className="muted break" data-label="Reason">
                      {detail}
                    </td>
                  </>
                )}
              />
            )}
          </Section>
          {data.projections.length > 0 && (
            <Section title="What follows the change log">
              <p className={`muted ${styles["lead"]}`}>
                {lag.data && lag.data.size > 0 ? `The log is at change ${numberText(Math.max(...lag.data.values()))}. ` : ""}
                Those that writes wait for are what is searched and shown. The others work in the background.
                {lag.error instanceof Problem && lag.error.reason === "refused" && " Who has the privilege Manage System Operations sees positions in the log, too."}
              </p>
              <Rows
                label="Projections"
                head={["Name", "State", "Writes wait", "Behind", "Position", "Failures", "Passed over", "Lost"]}
                numbers={["Behind", "Position", "Failures", "Passed over", "Lost"]}
                items={data.projections}
                keyOf={({ name }) => name}
                row={(projection) => <Line projection={projection} position={lag.data?.get(projection.name)} />}
              />
            </Section>
          )}
        </>
      )}
    </>
  );
}

function Line({ projection, position }: { projection: Projection; position: number | undefined }) {
  const { name, state, awaited, behind, failures, skipped, lost } = projection;
  return (
    <>
      <td>
        <code>{name}</code>
      </td>
      <td data-label="State">
        <Light state={state} />
      </td>
      <td className="muted" data-label="Writes wait">
        {awaited ? "Yes" : "No"}
      </td>
      <td className="right num" data-label="Behind">
        {numberText(behind)}
      </td>
      <td className="right num muted" data-label="Position">
        {position === undefined ? "" : numberText(position)}
      </td>
      <td className="right num muted" data-label="Failures">
        {numberText(failures)}
      </td>
      <td className="right num muted" data-label="Passed over">
        {numberText(skipped)}
      </td>
      <td className="right num muted" data-label="Lost">
        {numberText(lost)}
      </td>
    </>
  );
}

const lights: Record<string, { tone: Tone; word: string; Icon: typeof PassIcon }> = {
  green: { tone: "ok", word: "well", Icon: PassIcon },
  yellow: { tone: "warn", word: "stands still", Icon: WarnIcon },
  red: { tone: "bad", word: "failing", Icon: FailIcon },
};

function Light({ state }: { state: string }) {
  const light = lights[state];
  return light ? (
    <Badge tone={light.tone} icon={<light.Icon size={13} stroke={1.5} aria-hidden />}>
      {light.word}
    </Badge>
  ) : (
    <Badge>{state || "not told"}</Badge>
  );
}
