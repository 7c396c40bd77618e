import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { limitHome } from "./tools/budget.ts";
import { addGzipFiles } from "./tools/gzip.ts";
import { writeSprite } from "./tools/icons.ts";

const DJANGO = process.env.STREAMWRIGHT_URL ?? "http://127.0.0.1:8000";

export default defineConfig({
  base: "/static/",
  plugins: [react(), limitHome(), addGzipFiles()],
  resolve: { alias: [{ find: /^icons\.svg/, replacement: writeSprite() }] },
  build: {
    // One style sheet: rules of different screens keep one order, whichever is opened first.
    cssCodeSplit: false,
    // The content security policy knows files only: nothing may become an inline data address or script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: true,
    // The editor comes in one piece; Home, which opens first, has its own budget.
    chunkSizeWarningLimit: 1_000,
  },
  server: {
    proxy: {
      // the origin stays the browser's: Django compares it with the host before it takes a POST
      "^/(api|login|logout|enter)": { target: DJANGO, changeOrigin: false },
      "/ws": { target: DJANGO, ws: true, changeOrigin: false },
    },
  },
  // a busy machine may stand still for a minute
  test: { include: ["src/**/*.test.{ts,tsx}"], environment: "node", testTimeout: 300_000, hookTimeout: 300_000 },
});
