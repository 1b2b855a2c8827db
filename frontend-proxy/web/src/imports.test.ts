import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const src = import.meta.dirname;

// The layers, each with the layers that it may import besides itself. A feature never imports another
// feature. A topic of shared imports only the topics listed in the next table.
const layers: Readonly<Record<string, readonly string[]>> = {
  app: ["features", "shared", "components", "lib", "theme", "dev"],
  features: ["shared", "components", "lib", "theme"],
  shared: ["components", "lib", "theme"],
  components: ["lib", "theme"],
  lib: [],
  theme: [],
  dev: ["components", "lib", "theme"],
  explorer: ["components", "theme"],
};

// The topics of shared, each with the topics that it may import.
const topics: Readonly<Record<string, readonly string[]>> = {
  asset: ["entities", "failing", "pickers", "properties", "runs"],
  entities: [],
  failing: [],
  forms: ["entities", "properties"],
  govern: ["entities"],
  history: ["schema"],
  lineage: [],
  navigation: ["session"],
  pickers: ["entities"],
  policies: ["entities"],
  products: ["entities", "govern"],
  properties: ["entities", "pickers"],
  quality: ["entities"],
  runs: ["entities"],
  schema: ["entities"],
  search: ["entities", "session"],
  session: [],
  stats: ["entities", "schema"],
  tests: [],
  tokens: ["session"],
};

const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll(path.sep, "/"))
  .filter((name) => /\.(ts|tsx|graphql)$/u.test(name) && name.includes("/"));
const known = new Set(files);

// The relative specifiers in a file: imports and exports, dynamic imports, types, mocks, workers and
// fragments.
const specifiers = [/\bfrom\s+["'](\.[^"']+)["']/gu, /\bimport\s*\(?\s*["'](\.[^"']+)["']/gu, /\bvi\.mock\(["'](\.[^"']+)["']/gu, /\bnew URL\("(\.[^"]+)", import\.meta\.url\)/gu];

const importsOf = (file: string): string[] => {
  const text = readFileSync(path.join(src, file), "utf8");
  const found = specifiers.flatMap((pattern) => Array.from(text.matchAll(pattern)));
  return found.map(([, specifier = ""]) => {
    const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
    return [target, `${target}.ts`, `${target}.tsx`].find((name) => known.has(name)) ?? target;
  });
};

const imports: ReadonlyMap<string, readonly string[]> = new Map(files.map((file) => [file, importsOf(file)]));

function isAllowed(from: string, to: string): boolean {
  const [layer = "", part = ""] = from.split("/");
  const [otherLayer = "", otherPart = ""] = to.split("/");
  if (layer !== otherLayer) {
    return layers[layer]?.includes(otherLayer) === true;
  }
  const divided = layer === "features" || layer === "shared";
  return !divided || part === otherPart || (layer === "shared" && topics[part]?.includes(otherPart) === true);
}

// The members of each import cycle, by Tarjan's algorithm.
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string) => {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) {
        visit(next);
        low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0));
      } else if (stack.includes(next)) {
        low.set(node, Math.min(low.get(node) ?? 0, index.get(next) ?? 0));
      }
    }
    if (low.get(node) === index.get(node)) {
      const members = stack.splice(stack.indexOf(node));
      if (members.length > 1) {
        cycles.push(members.toSorted());
      }
    }
  };
  [...graph.keys()].forEach((node) => index.has(node) || visit(node));
  return cycles;
}

it("finds the imports of the sources", () => {
  expect(imports.get("app/asset-page.tsx")).toEqual(["features/asset/asset-page.tsx", "app/asset-tabs.ts"]);
  expect(imports.get("app/asset-tabs.ts")).toContain("features/lineage/lineage.tsx");
  expect(imports.get("shared/search/search-field.graphql")).toEqual(["shared/entities/lines.graphql"]);
});

it("imports along the layers alone", () => {
  const wrong = [...imports].flatMap(([file, targets]) => targets.filter((target) => !isAllowed(file, target)).map((target) => `${file} imports ${target}`));
  expect(wrong).toEqual([]);
});

// The names of the folders directly below a path.
const namesIn = (layer: string) => [...new Set(files.filter((file) => file.startsWith(layer)).map((file) => file.slice(layer.length).split("/")[0] ?? ""))].toSorted();

it("lists the layers and topics that there are", () => {
  expect(namesIn("").filter((name) => !Object.hasOwn(layers, name))).toEqual([]);
  expect(namesIn("shared/")).toEqual(Object.keys(topics).toSorted());
});

it("has no import cycle", () => {
  expect(cyclesOf(imports)).toEqual([]);
  expect(cyclesOf(new Map([["a", ["b"]], ["b", ["c"]], ["c", ["b"]]]))).toEqual([["b", "c"]]);
});

const isRead = (target: string) => target === "lib/request.ts" || target.endsWith(".operations.ts") || target.endsWith(".graphql");

it("reads no data in components", () => {
  expect(files.filter((file) => file.startsWith("components/") && !file.includes(".test.") && (file.endsWith(".graphql") || (imports.get(file) ?? []).some(isRead)))).toEqual([]);
});

// The layer of a file, with its feature or topic.
const partOf = (file: string) => file.split("/").slice(0, /^(features|shared)\//u.test(file) ? 2 : 1).join("/");

// The layers, features and topics whose code imports a topic.
const users = (topic: string) => new Set([...imports].filter(([file, targets]) => !file.includes(".test.") && targets.some((target) => target.startsWith(`shared/${topic}/`))).map(([file]) => partOf(file)).filter((part) => part !== `shared/${topic}`));

it("keeps in shared what several features or topics need", () => {
  expect(Object.keys(topics).filter((topic) => users(topic).size < 2)).toEqual([]);
});
