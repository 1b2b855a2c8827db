import { useEffect, type ComponentType } from "react";
import { matchRoute, Redirect, Route, Switch, useLocation, useRouter } from "wouter";

import { Boundary } from "../components/boundary";
import { Bones } from "../components/parts";
import { Fallback, lazy, type Lazy } from "../lib/lazy";
import { Settings } from "./settings";

interface Page {
  path: string;
  page: Lazy;
  /** The name of the page content, as in "the access tokens". */
  what: string;
}

const pageAt = (path: string, what: string, load: () => Promise<{ default: ComponentType }>): Page => ({ path, what, page: lazy(load) });

const loadGlossary = () => import("../features/glossary/glossary");

const pages: readonly Page[] = [
  pageAt("/", "the home page", () => import("../features/home/home")),
  pageAt("/glossary", "the glossary", loadGlossary),
  pageAt("/glossaryTerm/:urn/:tab?", "the term", loadGlossary),
  pageAt("/glossaryNode/:urn/:tab?", "the group of terms", loadGlossary),
  pageAt("/domains", "the domains", () => import("../features/domains/domains")),
  pageAt("/data-products", "the data products", () => import("../features/products/data-products")),
  pageAt("/applications", "the applications", () => import("../features/products/applications")),
  pageAt("/tags", "the tags", () => import("../features/tags/tags")),
  pageAt("/structured-properties", "the structured properties", () => import("../features/structured-properties/structured-properties")),
  pageAt("/forms", "the forms", () => import("../features/forms/forms")),
  pageAt("/form/:urn", "the form", () => import("../features/forms/one")),
  pageAt("/browse", "the tree", () => import("../features/browse/browse")),
  pageAt("/failing", "what fails", () => import("../features/failing/failing-page")),
  pageAt("/search", "the search", () => import("../features/search/search")),
  pageAt("/tests/:test?", "the tests", () => import("../features/tests/tests")),
  pageAt("/ingestion", "the ingestion sources", () => import("../features/ingestion/sources")),
  pageAt("/ingestion/secrets", "the secrets", () => import("../features/ingestion/secrets")),
  pageAt("/ingestion/sources/:source", "the ingestion source", () => import("../features/ingestion/source")),
  pageAt("/ingestion/runs/:run", "the run", () => import("../features/ingestion/run-page")),
  pageAt("/changes", "the changes", () => import("../features/changes/changes-page")),
  pageAt("/operations", "the operations", () => import("../features/operations/operations")),
];

// All other addresses: asset pages, whose first segment is the type, and unknown addresses.
const asset = pageAt("", "this page", () => import("./asset-page"));

const settingsPages: readonly Page[] = [
  pageAt("/settings/profile", "your profile", () => import("../features/profile/profile")),
  pageAt("/settings/tokens", "the access tokens", () => import("../features/tokens/tokens")),
  pageAt("/settings/users", "the users", () => import("../features/users/users")),
  pageAt("/settings/policies", "the policies", () => import("../features/policies/policies")),
  pageAt("/settings/policies/:urn", "the policy", () => import("../features/policies/policy-page")),
  pageAt("/settings/groups", "the groups", () => import("../features/groups/groups")),
  pageAt("/settings/roles", "the roles", () => import("../features/roles/roles")),
  pageAt("/settings/service-accounts", "the service accounts", () => import("../features/service-accounts/service-accounts")),
  pageAt("/settings/announcements", "the announcements", () => import("../features/announcements/announcements")),
  pageAt("/settings/audit", "the audit log", () => import("../features/audit/audit")),
];

// Redirects for addresses that other clients use.
const moved: Record<string, string> = {
  "/ingestion/sources": "/ingestion",
  "/settings": "/settings/tokens",
  "/settings/identities": "/settings/users",
  "/settings/identities/users": "/settings/users",
  "/settings/identities/groups": "/settings/groups",
  "/settings/permissions": "/settings/policies",
  "/settings/permissions/policies": "/settings/policies",
  "/settings/permissions/roles": "/settings/roles",
};

/** Loads the code of the page during the session request. */
export function usePreload(wanted: boolean) {
  const { parser } = useRouter();
  const [location] = useLocation();
  useEffect(() => {
    if (wanted) {
      const page = [...pages, ...settingsPages].find(({ path }) => matchRoute(parser, path, location)[0]) ?? asset;
      page.page.preload();
    }
  }, [wanted, parser, location]);
}

// Prefetching is not needed before the user points at a link, so the first page does not wait for its code.
function usePrefetch() {
  const { parser } = useRouter();
  useEffect(() => {
    let here = true;
    let stop: (() => void) | undefined;
    const isOther = (at: string) => [...pages, ...settingsPages].some(({ path }) => matchRoute(parser, path, at)[0]);
    import("./prefetch").then(
      ({ prefetch }) => {
        stop = here ? prefetch(asset.page, isOther) : undefined;
      },
      () => undefined, // links work without prefetching
    );
    return () => {
      here = false;
      stop?.();
    };
  }, [parser]);
}

/** Renders the page of the current address. */
export function Routes() {
  usePrefetch();
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
        <Loaded {...asset} />
      </Route>
    </Switch>
  );
}

function Loaded({ page: PageOf, what, path }: Page) {
  return (
    <Boundary what={what} key={path}>
      <Fallback
        show={
          <div className="page">
            <Bones rows={6} what={what} />
          </div>
        }
      >
        <PageOf />
      </Fallback>
    </Boundary>
  );
}
