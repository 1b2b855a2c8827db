import { type ComponentProps } from "react";
import { Fallback, lazy } from "../../lib/lazy";

// Dialogs bring fields that most who look at a page never need, so they are loaded when they open.
const Owners = lazy(() => import("./owners"));
const Renamer = lazy(() => import("./rename"));
const Chooser = lazy(() => import("./choose"));

/** Shows who owns something, and adds and takes away owners. */
export function OwnersDialog(props: ComponentProps<typeof Owners>) {
  return (
    <Fallback show={null}>
      <Owners {...props} />
    </Fallback>
  );
}

/** Asks which things of the catalog are meant. */
export function ChooseDialog(props: ComponentProps<typeof Chooser>) {
  return (
    <Fallback show={null}>
      <Chooser {...props} />
    </Fallback>
  );
}

/** Asks for another name. */
export function RenameDialog(props: ComponentProps<typeof Renamer>) {
  return (
    <Fallback show={null}>
      <Renamer {...props} />
    </Fallback>
  );
}
