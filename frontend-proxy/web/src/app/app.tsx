import { getDefaultZIndex, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { Route, Router, Switch } from "wouter";

import { Boundary } from "../components/boundary";
import { Bones, Failure } from "../components/parts";
import { base, styleNonce } from "../lib/base";
import { Fallback, lazy } from "../lib/lazy";
import { resolveVariables, theme } from "../theme/theme";
import { ConnectionLine } from "./connection-line";
import { answers } from "../shared/session/answers";
import { Routes, usePreload } from "./routes";
import { useSessionQuery } from "../shared/session/session";
import { Shell } from "./shell";

const SignIn = lazy(() => import("../features/sign-in/sign-in"));
// The page exists only in the development server: in builds the condition is false, and the bundler drops the
// page.
const Parts = import.meta.env.DEV ? lazy(() => import("../dev/parts")) : null;

/** The root component. */
export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
      <QueryClientProvider client={answers}>
        {/* In front of dialogs but behind open lists: a notification must not cover the button that saves a list. */}
        <Notifications position="bottom-right" limit={3} zIndex={getDefaultZIndex("popover") - 1} />
        <Router base={base}>
          <Boundary what="this page">
            <Switch>
              {["/login", "/signup", "/reset"].map((path) => (
                <Route key={path} path={path}>
                  <Fallback show={null}>
                    <SignIn />
                  </Fallback>
                </Route>
              ))}
              {Parts && (
                <Route path="/dev/parts">
                  <Fallback show={null}>
                    <Parts />
                  </Fallback>
                </Route>
              )}
              <Route>
                <Inside />
              </Route>
            </Switch>
          </Boundary>
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  );
}

// The shell is rendered only after the session response, because it depends on the user.
function Inside() {
  const { data, error, refetch } = useSessionQuery();
  usePreload(data === undefined);
  if (data) {
    return (
      <Shell>
        <Routes />
      </Shell>
    );
  }
  return (
    <>
      <ConnectionLine blank />
      <main className="page">{error ? <Failure what="the catalog" error={error} onRetry={() => void refetch()} /> : <Bones rows={6} what="the catalog" />}</main>
    </>
  );
}
