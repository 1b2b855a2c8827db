import { Letters } from "../../components/parts";
import { counted } from "../../lib/text";
import type { Owner } from "./read";
import styles from "./govern.module.css";

/** A table cell with the name of the first owner and the number of further owners. */
export function OwnersCell({ owners }: { owners: readonly Owner[] }) {
  const [first] = owners;
  if (!first) {
    return <span className="faint">No owner</span>;
  }
  const more = owners.length - 1;
  return (
    <span className={styles["owners"]} title={owners.map(({ name }) => name).join(", ")}>
      <Letters name={first.name} shape={first.group ? "group" : "person"} />
      <span className="clip">{first.name}</span>
      {more > 0 && (
        <span className="faint small num nowrap">
          +{more}
          <span className="sr"> {more === 1 ? "owner" : "owners"} more</span>
        </span>
      )}
    </span>
  );
}

/** The owners as text, for exports. */
export const ownersText = (owners: readonly Owner[]) => owners.map(({ name, kind }) => (kind ? `${name} (${kind})` : name)).join("; ");

/** The number of owners as text. */
export const ownersCount = (owners: readonly Owner[]) => counted(owners.length, "owner");
