import { globSync } from "node:fs";
import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import reactHooks from "eslint-plugin-react-hooks";
import ts from "typescript-eslint";

/**
 * The folders of src, the lowest first: a folder imports what stands in front of it, never what stands behind.
 * So no two folders import each other. Tests may look anywhere.
 */
const LAYERS = [
  "numbers",
  "api",
  "live",
  "routing",
  "parts",
  "graph",
  "records",
  "editor",
  "sample",
  "palette",
  "inspector",
  "drawer",
  "start",
  "canvas",
  "tour",
  "pages/deploy",
  "pages/home",
  "pages/job",
  ...["account", "alerts", "audit", "clusters", "hosts", "letters", "tokens", "topics", "users", "versions"].map(
    (page) => `pages/${page}`,
  ),
  "toolbar",
  "pages/editor",
  "app",
];
const folders = globSync("src/{*,pages/*}/", { cwd: import.meta.dirname }).map((folder) => folder.slice("src/".length));
const missing = folders.filter((folder) => !["pages", "style", ...LAYERS].includes(folder));
if (missing.length > 0) throw new Error(`LAYERS in eslint.config.js says nothing of ${missing.join(", ")}.`);

/** What is wrong and what to do next: the server words it by code, so that it is written once (designer/checks). */
const SENTENCES = {
  files: ["src/**/*.{ts,tsx}"],
  ignores: ["**/*.test.{ts,tsx}", "**/samples.ts"],
  rules: {
    "no-restricted-syntax": [
      "error",
      {
        selector: "Property[key.name=/^(message|hint)$/] > :matches(Literal[value=/./], TemplateLiteral).value",
        message: "The server words issues and refusals. Send the sentence from there, or a template by its code.",
      },
    ],
  },
};

const layers = LAYERS.slice(0, -1).map((layer, rank) => {
  const behind = LAYERS.slice(rank + 1);
  const siblings = layer.startsWith("pages/") ? behind.map((name) => name.replace(/^pages\//, "")) : behind;
  const message = `${layer} stands below this folder; see LAYERS in eslint.config.js.`;
  const regex = `^(\\.\\./)+(${[...new Set([...behind, ...siblings])].join("|")})/`;
  return {
    files: [`src/${layer}/**/*.{ts,tsx}`],
    ignores: ["**/*.test.{ts,tsx}"],
    rules: { "no-restricted-imports": ["error", { patterns: [{ regex, message }] }] },
  };
});

export default defineConfig([
  globalIgnores(["dist", "src/api/schema.d.ts"]),
  {
    files: ["**/*.{ts,tsx}"],
    extends: [js.configs.recommended, ts.configs.strictTypeChecked, reactHooks.configs.flat["recommended-latest"]],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "max-len": ["error", { code: 120, ignoreUrls: true }],
    },
  },
  SENTENCES,
  ...layers,
]);
