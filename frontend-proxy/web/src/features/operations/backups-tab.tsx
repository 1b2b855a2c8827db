import { useQuery } from "@tanstack/react-query";

import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { FailIcon, OperationsIcon, PassIcon, RefreshIcon } from "../../components/icons";
import { Badge, Bones, Code, Empty, Failure, Note, Section, When } from "../../components/parts";
import { Rows } from "../../components/rows";
import { useNow } from "../../lib/now";
import { send } from "../../lib/request";
import { durationText } from "../../lib/time";
import { isRecent, readBackups, type Backup, type Reply } from "./backups";
import styles from "./operations.module.css";
import type { TabProps } from "./sizes-tab";
import { sizeWithUnit } from "./sizes";

const path = "/api/gms/operations?action=getBackups";
const command = "metadata-service backup --out /backups/catalog-$(date +%F).tar.zst";

/** The list of backups, the age of the latest one, and instructions for making one. */
export function BackupsTab({ head }: TabProps) {
  const now = useNow();
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["backups"],
    queryFn: async ({ signal }) => readBackups(await send<Reply | null>(path, { method: "POST", signal })),
  });
  const recent = data ? isRecent(data, now) : null;
  return (
    <>
      {head(
        <>
          <CopyAs call={{ path, method: "POST" }} />
          <Button icon={<RefreshIcon size={16} stroke={1.5} aria-hidden />} busy={isFetching && data !== undefined} onClick={() => void refetch()}>
            Refresh
          </Button>
        </>,
      )}
      {error && !data ? (
        <Failure what="the backups" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={6} what="the backups" />
      ) : (
        <>
          {data.length === 0 ? (
            <Empty icon={<OperationsIcon size={20} stroke={1.5} aria-hidden />} title="No backup yet">
              The service knows of none that was taken by its command. It makes none by itself.
            </Empty>
          ) : (
            <>
              {recent !== true && (
                <Note tone="warn" title={recent === null ? "No backup has succeeded" : "The last backup is older than a day"}>
                  What was written since would be lost with the disk.
                </Note>
              )}
              <Section title="Backups">
                <Rows label="Backups" head={["Ended", "State", "Size", "Took", "Keys", "Where"]} numbers={["Size", "Took"]} items={data} keyOf={({ started, ended }) => `${started} ${ended}`} row={(one) => <Line backup={one} />} />
              </Section>
            </>
          )}
          <Section title="How to make one">
            <p className={`muted ${styles["lead"]}`}>
              On the machine of the service, as the user who runs it. A timer of the machine, such as cron, makes it each day: the service has no schedule of its own. Requests are served meanwhile.
            </p>
            <Code text={command} label="Command that makes a backup" />
            <p className="muted small">It holds keys, so keep it as safe as the data itself. Whether a file is whole is told by metadata-service verify --backup.</p>
          </Section>
        </>
      )}
    </>
  );
}

function Line({ backup: { started, ended, succeeded, bytes, secrets, path: where, error } }: { backup: Backup }) {
  const [size, unit] = sizeWithUnit(bytes / 1e6);
  return (
    <>
      <td>
        <When at={ended} />
      </td>
      <td data-label="State">
        <Badge tone={succeeded ? "ok" : "bad"} icon={succeeded ? <PassIcon size={13} stroke={1.5} aria-hidden /> : <FailIcon size={13} stroke={1.5} aria-hidden />}>
          {succeeded ? "succeeded" : "failed"}
        </Badge>
        {error !== "" && <span className="bad small break"> {error}</span>}
      </td>
      <td className="right num" data-label="Size">
        {succeeded ? `${size} ${unit}` : ""}
      </td>
      <td className="right num muted" data-label="Took">
        {durationText(ended - started)}
      </td>
      <td className="muted" data-label="Keys">
        {secrets ? "with keys" : "without"}
      </td>
      <td className="muted break" data-label="Where">
        {where === "" ? "through a pipe" : <code className="break">{where}</code>}
      </td>
    </>
  );
}
