import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// The explorer: one page and its files. All addresses are relative, so the page works
// below any base path; assetsDir is the folder beside it that the server knows.
export default defineConfig({
  base: "./",
  plugins: [react()],
  worker: { format: "es" },
  build: {
    outDir: "build/explorer",
    emptyOutDir: true,
    assetsDir: "graphiql",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 4000,
    rolldownOptions: {
      input: "graphiql.html",
      // Packages carry directives for the React compiler, which does not run here; a busy machine is no warning.
      onLog: (level, log, report) => !["MODULE_LEVEL_DIRECTIVE", "PLUGIN_TIMINGS"].includes(log.code ?? "") && report(level, log),
    },
  },
  test: { environment: "jsdom", include: ["src/**/*.test.{ts,tsx}"] },
});
