import { createContext, createElement, useContext, useLayoutEffect, useState, type ComponentType, type ReactNode } from "react";

/** A component in a separate chunk. */
export type Lazy<P extends object = object> = ComponentType<P> & {
  /** Loads the component in advance. A failure is reported only when the component is rendered. */
  preload: () => void;
};

const Shown = createContext<ReactNode>(null);

/** Sets the content that lazy components inside show during loading. */
export function Fallback({ show, children }: { show: ReactNode; children: ReactNode }) {
  return <Shown value={show}>{children}</Shown>;
}

/**
 * Creates a component that is loaded at its first rendering. It does not suspend, unlike React.lazy: after
 * each fallback React shows no new content for 300 ms, so a page of three nested chunks would need a second
 * even if all files are cached. A failure is thrown to the enclosing error boundary; rendering the component
 * again retries.
 */
export function lazy<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): Lazy<P> {
  let loaded: ComponentType<P> | undefined;
  let loading: Promise<void> | undefined;

  const begin = () =>
    (loading ??= load().then(
      (chunk) => {
        loaded = chunk.default;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    ));

  function Loaded(props: P) {
    const fallback = useContext(Shown);
    const [, setReady] = useState(loaded !== undefined);
    const [failure, setFailure] = useState<{ error: unknown } | null>(null);
    useLayoutEffect(() => {
      let here = true;
      if (!loaded) {
        begin().then(
          () => here && setReady(true),
          (error: unknown) => here && setFailure({ error }),
        );
      }
      return () => {
        here = false;
      };
    }, []);
    if (failure) {
      throw failure.error;
    }
    return loaded ? createElement(loaded, props) : fallback;
  }

  return Object.assign(Loaded, { preload: () => void begin().catch(() => undefined) });
}
