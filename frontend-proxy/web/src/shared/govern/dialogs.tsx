import { type ComponentProps } from "react";
import { Fallback, lazy } from "../../lib/lazy";

// Dialogs need form fields that most page views never use, so they are loaded when they open.
const Owners = lazy(() => import("./owners"));
const Renamer = lazy(() => import("./rename"));
const Chooser = lazy(() => import("./choose"));

/** A dialog that lists, adds and removes owners. */
export function OwnersDialog(props: ComponentProps<typeof Owners>) {
  return (
    <Fallback show={null}>
      <Owners {...props} />
    </Fallback>
  );
}

/** A dialog that selects entities. */
export function ChooseDialog(props: ComponentProps<typeof Chooser>) {
  return (
    <Fallback show={null}>
      <Chooser {...props} />
    </Fallback>
  );
}

/** A dialog for a new name. */
export function RenameDialog(props: ComponentProps<typeof Renamer>) {
  return (
    <Fallback show={null}>
      <Renamer {...props} />
    </Fallback>
  );
}
