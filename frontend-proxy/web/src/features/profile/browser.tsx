import { useMantineColorScheme } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useId } from "react";

import { places } from "../../shared/navigation/places";
import { useSession } from "../../shared/session/session";
import { Segments } from "../../components/parts";
import { setDensity, useDensity } from "../../lib/density";
import styles from "./profile.module.css";

/** Settings of the UI that this browser stores, and the keyboard shortcuts. */
export function Browser() {
  const heading = useId();
  const density = useDensity();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [small, setSmall] = useLocalStorage({ key: "cartulary-rail-small", defaultValue: false, getInitialValueInEffect: false });
  const { may } = useSession();
  return (
    <aside className={styles["browser"]} aria-labelledby={heading}>
      <h2 id={heading}>This browser</h2>
      <div>
        <div>
          <h3>Colours</h3>
          <Segments
            label="Colours"
            value={colorScheme}
            options={[
              { value: "auto", label: "System" },
              { value: "light", label: "Light" },
              { value: "dark", label: "Dark" },
            ]}
            onChange={setColorScheme}
          />
        </div>
        <div>
          <h3>Rows</h3>
          <Segments
            label="Rows"
            value={density}
            options={[
              { value: "roomy", label: "Roomy, 40 px" },
              { value: "compact", label: "Compact, 32 px" },
            ]}
            onChange={setDensity}
          />
        </div>
        <div>
          <h3>Menu at the left</h3>
          <Segments
            label="Menu at the left"
            value={small ? "icons" : "words"}
            options={[
              { value: "words", label: "Words" },
              { value: "icons", label: "Icons" },
            ]}
            onChange={(value) => setSmall(value === "icons")}
          />
        </div>
        <p className="faint small">Kept here only, not in your account.</p>
      </div>
      <div>
        <h3>Keys</h3>
        <dl className={styles["keys"]}>
          <Key does="Find field of the page" keys={["/"]} />
          {places
            .filter(({ key, shown }) => key && (!shown || shown(may)))
            .map(({ name, key }) => (
              <Key key={name} does={name} keys={["g", key ?? ""]} />
            ))}
          <Key does="All keys" keys={["?"]} />
        </dl>
      </div>
    </aside>
  );
}

function Key({ does, keys }: { does: string; keys: readonly string[] }) {
  return (
    <div>
      <dt>{does}</dt>
      <dd>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dd>
    </div>
  );
}
