import { Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "../../components/button";
import { DownIcon, TickIcon } from "../../components/icons";
import { toast } from "../../components/toast";
import { problemOf } from "../../lib/problem";
import { change } from "../../lib/request";
import type { Role, User } from "./user";
import { AssignRole } from "./users.operations";
import styles from "./users.module.css";

interface Props {
  user: User;
  roles: readonly Role[];
  reason: string | null;
}

/**
 * The role of a user with a menu of other roles. The change is optimistic and is rolled back if the service rejects
 * it.
 */
export function RolePicker({ user, roles, reason }: Props) {
  const queries = useQueryClient();
  const [pending, setPending] = useState<Role | "none" | null>(null);
  const has = pending === null ? user.roles : pending === "none" ? [] : [pending];
  const { name } = user;
  const text = has.map((role) => role.name).join(", ") || "No role";
  const label = `Role of ${name}: ${text}`;
  const assign = async (role: Role | null) => {
    setPending(role ?? "none");
    try {
      await change(AssignRole, { input: { roleUrn: role?.urn ?? null, actors: [user.urn] } });
      toast({ title: role ? `${name} has the role ${role.name}` : `${name} has no role` });
      await Promise.all([queries.invalidateQueries({ queryKey: ["users"] }), queries.invalidateQueries({ queryKey: ["roles"] })]);
    } catch (failure) {
      toast({ tone: "bad", title: `The role of ${name} was not changed`, text: problemOf(failure).message });
    }
    setPending(null);
  };
  if (reason) {
    return (
      <Button size="small" reason={reason} aria-label={label} className={styles["role"]}>
        <span className="clip">{text}</span>
      </Button>
    );
  }
  const isOnly = (role: Role | null) => (role ? has.length === 1 && has[0]?.urn === role.urn : has.length === 0);
  return (
    <Menu position="bottom-start" width={180}>
      <Menu.Target>
        <button type="button" className={styles["role"]} aria-label={label} aria-busy={pending !== null}>
          <span className="clip">{text}</span>
          <DownIcon size={14} stroke={1.5} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {[...roles, null].map((role) => (
          <Menu.RadioItem
            key={role?.urn ?? "none"}
            value={role?.urn ?? "none"}
            checked={isOnly(role)}
            checkIcon={<TickIcon size={14} stroke={1.5} aria-hidden />}
            closeMenuOnClick
            onChange={() => {
              if (pending === null) {
                void assign(role);
              }
            }}
          >
            {role?.name ?? "No role"}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
