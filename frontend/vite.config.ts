import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const DJANGO = process.env.STREAMWRIGHT_URL ?? "http://127.0.0.1:8000";

export default defineConfig({
  base: "/static/",
  plugins: [react()],
  build: {
    // The content security policy knows files only: nothing may become an inline data address or script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: true,
  },
  server: {
    proxy: {
      "^/(api|login|logout|accounts)": DJANGO,
      "/ws": { target: DJANGO, ws: true },
    },
  },
  test: { include: ["src/**/*.test.{ts,tsx}"], environment: "node" },
});
