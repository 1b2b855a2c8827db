import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

// Two builds, so that the editor never loads with the pages. All addresses are relative:
// the server writes the base path into the pages, and the explorer needs none.
const inputs = {
  explorer: { page: "graphiql.html", folder: "graphiql", publicDir: false },
  app: { page: "index.html", folder: "assets", publicDir: "public" },
} as const;

// The development server does what the proxy does to the document: addresses in it begin at the root.
const atTheRoot: Plugin = {
  name: "addresses-at-the-root",
  apply: "serve",
  transformIndexHtml: { order: "pre", handler: (html) => html.replaceAll('="./', '="/') },
};

export default defineConfig(({ mode }) => {
  const of = mode === "explorer" ? inputs.explorer : inputs.app;
  return {
    base: "./",
    publicDir: of.publicDir,
    plugins: [react(), atTheRoot],
    worker: { format: "es" },
    // What is written here the server replaces by the nonce of each page.
    ...(mode === "explorer" ? {} : { html: { cspNonce: "STYLE-NONCE" } }),
    build: {
      outDir: `build/${mode === "explorer" ? "explorer" : "app"}`,
      emptyOutDir: true,
      assetsDir: of.folder,
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 4000,
      manifest: mode !== "explorer",
      rolldownOptions: {
        input: of.page,
        // Packages carry directives for the React compiler, which does not run here; a busy machine is no warning.
        onLog: (level, log, report) => !["MODULE_LEVEL_DIRECTIVE", "PLUGIN_TIMINGS"].includes(log.code ?? "") && report(level, log),
      },
    },
    // What a click takes here is no matter of milliseconds on a busy machine.
    test: { environment: "jsdom", include: ["src/**/*.test.{ts,tsx}"], testTimeout: 30_000 },
  };
});
