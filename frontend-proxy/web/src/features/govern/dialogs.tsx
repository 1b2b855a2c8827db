import { lazy, Suspense, type ComponentProps } from "react";

// Dialogs bring fields that most who look at a page never need, so they are loaded when they open.
const Owners = lazy(() => import("./owners"));
const Renamer = lazy(() => import("./rename"));
const Chooser = lazy(() => import("./choose"));

/** Shows who owns something, and adds and takes away owners. */
export function OwnersDialog(props: ComponentProps<typeof Owners>) {
  return (
    <Suspense fallback={null}>
      <Owners {...props} />
    </Suspense>
  );
}

/** Asks which things of the catalog are meant. */
export function ChooseDialog(props: ComponentProps<typeof Chooser>) {
  return (
    <Suspense fallback={null}>
      <Chooser {...props} />
    </Suspense>
  );
}

/** Asks for another name. */
export function RenameDialog(props: ComponentProps<typeof Renamer>) {
  return (
    <Suspense fallback={null}>
      <Renamer {...props} />
    </Suspense>
  );
}
