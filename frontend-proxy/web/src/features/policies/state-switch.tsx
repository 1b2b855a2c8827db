import { Switch, Tooltip } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { toast } from "../../components/toast";
import { problemOf } from "../../lib/problem";
import styles from "./policies.module.css";
import { fixed } from "./refusal";
import { turn } from "./stored";

/** A switch that activates a policy in the list. If the change fails, it returns to the previous state. */
export function StateSwitch({ urn, name, on, editable }: { urn: string; name: string; on: boolean; editable: boolean }) {
  const queries = useQueryClient();
  const [wanted, setWanted] = useState<boolean | null>(null);
  const shown = wanted ?? on;
  const flip = async () => {
    if (!editable || wanted !== null) {
      return;
    }
    setWanted(!on);
    try {
      await turn(urn, !on);
      await queries.invalidateQueries({ queryKey: ["policies"] });
      toast({ title: `${name} is ${on ? "off" : "on"}`, text: on ? "What it allowed is refused from the next request on." : "It holds for the next request." });
    } catch (error) {
      toast({ tone: "bad", title: `${name} stays ${on ? "on" : "off"}`, text: problemOf(error).message });
    } finally {
      setWanted(null);
    }
  };
  const control = (
    <Switch
      size="xs"
      checked={shown}
      onChange={() => void flip()}
      label={shown ? "On" : "Off"}
      aria-label={name}
      className={styles["switch"] ?? ""}
      {...(editable ? {} : { "aria-disabled": true })}
      {...(wanted === null ? {} : { "aria-busy": true })}
    />
  );
  return editable ? control : <Tooltip label={fixed}>{control}</Tooltip>;
}
