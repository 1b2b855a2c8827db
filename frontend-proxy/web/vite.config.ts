import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

// Two builds, so that pages never load the editor. All addresses are relative: the server writes the base
// path into the pages, and the explorer needs none.
const inputs = {
  explorer: { page: "graphiql.html", folder: "graphiql", publicDir: false },
  app: { page: "index.html", folder: "assets", publicDir: "public" },
} as const;

// Like the proxy, the development server changes addresses in the document to start at the root.
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
    // The server replaces this placeholder with the nonce of each page.
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
        // Packages contain directives for the React compiler, which is not used here. Warnings about plugin
        // timings only mean that the machine is busy.
        onLog: (level, log, report) => !["MODULE_LEVEL_DIRECTIVE", "PLUGIN_TIMINGS"].includes(log.code ?? "") && report(level, log),
      },
    },
    // On a busy machine even a click may take seconds, so the timeout is generous.
    test: { environment: "jsdom", include: ["src/**/*.test.{ts,tsx}"], testTimeout: 30_000 },
  };
});
