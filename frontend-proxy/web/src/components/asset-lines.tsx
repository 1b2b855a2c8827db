import type { Line } from "../lib/line";
import { Asset, Path } from "./asset";
import styles from "./asset-lines.module.css";
import { When } from "./parts";
import { StateText } from "./state-text";

/** A short list of assets: where each lies, whether it is well, how many use it, and when it changed. */
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

/** Where an asset lies: its platform and the last of the steps to it. */
export const Where = ({ line }: { line: Line }) => <Path platform={line.platform} steps={line.steps.length > 0 ? line.steps.slice(-2).map(({ name }) => name) : line.platform ? [line.platform] : []} />;
