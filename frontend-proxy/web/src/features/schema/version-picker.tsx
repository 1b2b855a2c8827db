import { Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type Ref } from "react";

import { Button } from "../../components/button";
import { DownIcon, HistoryIcon, TickIcon } from "../../components/icons";
import { useNow } from "../../lib/now";
import { problemOf } from "../../lib/problem";
import { dayText } from "../../lib/time";
import { changesQuery, versionsQuery } from "../../shared/schema/read";
import styles from "./schema.module.css";
import type { Version } from "../../shared/schema/versions";

interface Props {
  urn: string;
  /** The visible version. */
  shown: Version | undefined;
  onChoose: (version: Version) => void;
  onCompare: () => void;
  ref: Ref<HTMLButtonElement>;
}

/** The visible version of the schema, with a menu of the others. */
export function VersionPicker({ urn, shown, onChoose, onCompare, ref }: Props) {
  const { data, error, isFetching, refetch } = useQuery(versionsQuery(urn));
  const [opened, setOpened] = useState(false);
  const changes = useQuery({ ...changesQuery(urn), enabled: opened });
  const now = useNow();
  const when = ({ at }: Version) => (at === undefined ? "" : `, ${dayText(at, now)}`);
  const look = { ref, size: "small", look: "quiet", icon: <HistoryIcon size={14} stroke={1.5} aria-hidden /> } as const;
  if (!data) {
    return error ? (
      <Button {...look} busy={isFetching} title={problemOf(error).message} onClick={() => void refetch()}>
        Versions could not be loaded. Try again
      </Button>
    ) : (
      <Button {...look} busy>
        Versions
      </Button>
    );
  }
  const [newest] = data;
  if (!newest) {
    return null;
  }
  if (data.length === 1) {
    return (
      <Button {...look} unlocked reason="There is no other version yet. The next schema that ingestion writes is kept beside this one.">
        Only version{when(newest)}
      </Button>
    );
  }
  return (
    <Menu position="bottom-end" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Button {...look}>
          {shown ? `Version ${shown.name}${when(shown)}` : "Versions"}
          <DownIcon size={14} stroke={1.5} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles["versions"]}>
          {data.map((version) => (
            <Menu.RadioItem
              key={version.number}
              value={String(version.number)}
              checked={version.number === shown?.number}
              checkIcon={<TickIcon size={14} stroke={1.5} aria-hidden />}
              closeMenuOnClick
              onChange={() => onChoose(version)}
            >
              Version {version.name}
              {when(version)}
              {changes.data?.get(version.number) && <span className="faint small">{changes.data.get(version.number)}</span>}
            </Menu.RadioItem>
          ))}
        </div>
        <Menu.Divider />
        <Menu.Item onClick={onCompare}>Compare two versions</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
