import type { Line } from "../lib/line";
import { Asset, Path } from "./asset";
import styles from "./asset-lines.module.css";
import { When } from "./parts";
import { StateText } from "./state-text";

/** A short table of assets with location, state, number of users and time of the last change. */
export function Lines({ label, lines }: { label: string; lines: readonly Line[] }) {
  return (
    <table className={styles["lines"]} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Where</th>
          <th scope="col">Health</th>
          <th scope="col" className="right">
            People, 30 days
          </th>
          <th scope="col" className="right">
            Changed
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.urn}>
            <td>
              <Asset urn={line.urn} name={line.name} type={line.type} subType={line.subType} />
            </td>
            <td>
              <Where line={line} />
            </td>
            <td>
              <StateText state={line.state} />
            </td>
            <td className="right num muted">{line.people ?? <span className="faint">Not known</span>}</td>
            <td className="right muted">{line.changedAt === undefined ? <span className="faint">Not known</span> : <When at={line.changedAt} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The location of an asset: its platform and the last two steps of its path. */
export const Where = ({ line }: { line: Line }) => <Path platform={line.platform} steps={line.steps.length > 0 ? line.steps.slice(-2).map(({ name }) => name) : line.platform ? [line.platform] : []} />;
