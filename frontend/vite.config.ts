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
      // the origin stays the browser's: Django compares it with the host before it takes a POST
      "^/(api|login|logout|enter)": { target: DJANGO, changeOrigin: false },
      "/ws": { target: DJANGO, ws: true, changeOrigin: false },
    },
  },
  test: { include: ["src/**/*.test.{ts,tsx}"], environment: "node" },
});
