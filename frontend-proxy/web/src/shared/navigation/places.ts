import { BrowseIcon, CheckIcon, CodeIcon, DomainIcon, DownloadIcon, FormIcon, HomeIcon, OperationsIcon, SettingsIcon, TagIcon, TermIcon, TestsIcon } from "../../components/icons";
import type { Privileges } from "../session/session";

/** An entry of the navigation rail. */
export interface Place {
  name: string;
  path: string;
  icon: typeof HomeIcon;
  /** Decides by privileges whether to show the entry. If absent, it is always shown. */
  shown?: (may: Privileges) => boolean | null | undefined;
  /** Further path prefixes of the entry. */
  at?: readonly string[];
  /** The second key of the keyboard shortcut after g. */
  key?: string;
  /** The entry opens a separate document outside the single-page application. */
  leaves?: boolean;
}

/** The entries of the navigation rail by group; the last group is at the bottom. */
export const groups: readonly { name?: string; places: readonly Place[] }[] = [
  { places: [{ name: "Home", path: "/", icon: HomeIcon, key: "h" }, { name: "Browse", path: "/browse", icon: BrowseIcon, key: "b" }] },
  {
    name: "Govern",
    places: [
      { name: "Glossary", path: "/glossary", icon: TermIcon, at: ["/glossaryTerm", "/glossaryNode"] },
      { name: "Domains", path: "/domains", icon: DomainIcon, at: ["/domain", "/data-products", "/dataProduct", "/applications", "/application"] },
      { name: "Tags", path: "/tags", icon: TagIcon },
      { name: "Properties", path: "/structured-properties", icon: FormIcon, at: ["/structuredProperty"], shown: (may) => may.viewStructuredPropertiesPage || may.manageStructuredProperties },
      { name: "Forms", path: "/forms", icon: CheckIcon, at: ["/form"] },
      { name: "Tests", path: "/tests", icon: TestsIcon, key: "t", shown: (may) => may.viewTests || may.manageTests },
    ],
  },
  {
    name: "Operate",
    places: [
      { name: "Ingestion", path: "/ingestion", icon: DownloadIcon, shown: (may) => may.manageIngestion || may.manageSecrets },
      { name: "Operations", path: "/operations", icon: OperationsIcon, key: "o" },
    ],
  },
];

export const foot: readonly Place[] = [
  { name: "GraphQL explorer", path: "/api/graphiql", icon: CodeIcon, leaves: true },
  { name: "Settings", path: "/settings/tokens", icon: SettingsIcon, key: "s" },
];

/** All entries of the navigation rail. */
export const places: readonly Place[] = [...groups.flatMap((group) => group.places), ...foot];

/** The settings menu. */
export const settings: readonly { name: string; places: readonly { name: string; path: string; shown?: (may: Privileges) => boolean | null | undefined }[] }[] = [
  {
    name: "You",
    places: [
      { name: "Profile", path: "/settings/profile" },
      { name: "Access tokens", path: "/settings/tokens" },
    ],
  },
  {
    name: "People",
    places: [
      { name: "Users", path: "/settings/users", shown: (may) => may.manageIdentities || may.manageUserCredentials },
      { name: "Groups", path: "/settings/groups", shown: (may) => may.manageIdentities },
      { name: "Roles", path: "/settings/roles", shown: (may) => may.manageIdentities || may.managePolicies },
      { name: "Service accounts", path: "/settings/service-accounts", shown: (may) => may.manageServiceAccounts },
    ],
  },
  {
    name: "Rules",
    places: [
      { name: "Policies", path: "/settings/policies", shown: (may) => may.managePolicies },
      { name: "Announcements", path: "/settings/announcements", shown: (may) => may.manageGlobalAnnouncements },
      { name: "Audit", path: "/settings/audit", shown: (may) => may.managePolicies || may.viewAnalytics },
    ],
  },
];

/** Reports whether a location is at or below a path. */
export const isHere = (path: string, location: string) => (path === "/" ? location === "/" : location === path || location.startsWith(`${path}/`));
