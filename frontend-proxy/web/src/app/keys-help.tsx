import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { places } from "../shared/navigation/places";
import { useSession } from "../shared/session/session";
import styles from "./shell.module.css";

/** A dialog that lists the keyboard shortcuts. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  const { may } = useSession();
  return (
    <Dialog title="Keys" onClose={onClose} size={420} actions={<Button onClick={onClose}>Close</Button>}>
      <dl className={styles["keys"]}>
        <Keys keys={["/", "Ctrl K"]} does="Search the catalog" />
        {places
          .filter(({ key, shown }) => key && (!shown || shown(may)))
          .map(({ key, name }) => (
            <Keys key={name} keys={["g", key ?? ""]} does={name} />
          ))}
        <Keys keys={["j", "k"]} does="Go through the results of a search" />
        <Keys keys={["x"]} does="Tick a result" />
        <Keys keys={["Esc"]} does="Close what is open, or empty the find field" />
        <Keys keys={["?"]} does="This list" />
      </dl>
    </Dialog>
  );
}

function Keys({ keys, does }: { keys: string[]; does: string }) {
  return (
    <>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </>
  );
}
