import { Menu } from "@mantine/core";
import type { ReactNode } from "react";

import { Button } from "./button";
import { LockIcon, MoreIcon } from "./icons";

/** An action on a table row. */
export interface RowAction {
  name: string;
  icon: ReactNode;
  onClick: () => void;
  /** The reason why the action is not available. */
  reason?: string | null;
}

/** A menu with the actions of a row. Unavailable actions state the reason. */
export function RowMenu({ label, actions }: { label: string; actions: readonly RowAction[] }) {
  return (
    <Menu width={260}>
      <Menu.Target>
        <Button size="small" look="quiet" aria-label={label} icon={<MoreIcon size={16} stroke={1.5} aria-hidden />} />
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ name, icon, onClick, reason }) => (
          <Menu.Item
            key={name}
            leftSection={reason ? <LockIcon size={16} stroke={1.5} aria-hidden /> : icon}
            closeMenuOnClick={!reason}
            {...(reason ? { "aria-disabled": true } : { onClick })}
          >
            <span className={reason ? "faint" : ""}>{name}</span>
            {reason && <span className="faint small" style={{ display: "block" }}>{reason}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
