import { lazy, Suspense, type ComponentType, type LazyExoticComponent } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";

import { Boundary } from "../components/boundary";
import { Bones } from "../components/parts";
import { NotFound } from "./not-found";
import { Settings } from "./settings";

interface Page {
  path: string;
  page: LazyExoticComponent<ComponentType>;
  /** What stands there, as in "the access tokens". */
  what: string;
}

const pages: readonly Page[] = [
  { path: "/", page: lazy(() => import("../features/home/home")), what: "the home page" },
  { path: "/tests/:test?", page: lazy(() => import("../features/tests/tests")), what: "the tests" },
  { path: "/operations", page: lazy(() => import("../features/operations/operations")), what: "the operations" },
];

const settingsPages: readonly Page[] = [
  { path: "/settings/profile", page: lazy(() => import("../features/profile/profile")), what: "your profile" },
  { path: "/settings/tokens", page: lazy(() => import("../features/tokens/tokens")), what: "the access tokens" },
  { path: "/settings/users", page: lazy(() => import("../features/users/users")), what: "the users" },
  { path: "/settings/policies", page: lazy(() => import("../features/policies/policies")), what: "the policies" },
  { path: "/settings/policies/:urn", page: lazy(() => import("../features/policies/policy-page")), what: "the policy" },
  { path: "/settings/groups", page: lazy(() => import("../features/groups/groups")), what: "the groups" },
  { path: "/settings/roles", page: lazy(() => import("../features/roles/roles")), what: "the roles" },
  { path: "/settings/service-accounts", page: lazy(() => import("../features/service-accounts/service-accounts")), what: "the service accounts" },
  { path: "/settings/audit", page: lazy(() => import("../features/audit/audit")), what: "the audit log" },
];

// Addresses that people of other clients have kept.
const moved: Record<string, string> = {
  "/settings": "/settings/tokens",
  "/settings/identities": "/settings/users",
  "/settings/identities/users": "/settings/users",
  "/settings/identities/groups": "/settings/groups",
  "/settings/permissions": "/settings/policies",
  "/settings/permissions/policies": "/settings/policies",
  "/settings/permissions/roles": "/settings/roles",
};

/** The page of the address. */
export function Routes() {
  const [location] = useLocation();
  return (
    <Switch>
      {pages.map((page) => (
        <Route key={page.path} path={page.path}>
          <Loaded {...page} />
        </Route>
      ))}
      {settingsPages.map((page) => (
        <Route key={page.path} path={page.path}>
          <Settings>
            <Loaded {...page} />
          </Settings>
        </Route>
      ))}
      {Object.entries(moved).map(([from, to]) => (
        <Route key={from} path={from}>
          <Redirect to={to} replace />
        </Route>
      ))}
      <Route>
        <NotFound path={location} />
      </Route>
    </Switch>
  );
}

function Loaded({ page: PageOf, what, path }: Page) {
  return (
    <Boundary what={what} key={path}>
      <Suspense
        fallback={
          <div className="page">
            <Bones rows={6} what={what} />
          </div>
        }
      >
        <PageOf />
      </Suspense>
    </Boundary>
  );
}
