import { globSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import reactHooks from "eslint-plugin-react-hooks";
import ts from "typescript-eslint";

/** Folders inside a folder. */
const inside = (folder, inner) => inner.split(" ").map((name) => `${folder}/${name}`);
/** Folders inside a folder, and then the folder itself. */
const within = (folder, inner) => [...inside(folder, inner), folder];

/**
 * The folders of src, the lowest first: a folder imports what stands before it, never what stands behind.
 * So no two folders import each other. Tests may look anywhere.
 */
const LAYERS = [
  "api",
  "live",
  ...inside("ui", "text style routing icons browser controls messages display"),
  ...within("editor", "graph document edges layout saving checking interface edits comparing"),
  ...within("inspector", "form type expression facts topic code config"),
  ...within("drawer", "feed log metrics records deadLetters tables trials testCases proof past"),
  ...within("canvas", "flow running sample palette start edges nodes view moving commands"),
  ...inside("pages", "deploy home"),
  ...within("pages/job", "runs numbers"),
  ...inside("pages", "account alerts audit clusters hosts deadLetters schemas shared tokens topics users versions editor/tour"),
  ...within("pages/editor/toolbar", "parts saving job questions"),
  ...inside("pages", "editor app"),
];
const SRC = join(import.meta.dirname, "src");
const folders = new Set(globSync("**/*.{ts,tsx,css}", { cwd: SRC }).map((file) => dirname(file)));
const missing = [...folders].filter((folder) => folder !== "." && !LAYERS.includes(folder));
if (missing.length > 0) throw new Error(`LAYERS in eslint.config.js says nothing of ${missing.join(", ")}.`);

const DOWNWARDS = {
  create(context) {
    const rank = (file) => LAYERS.indexOf(relative(SRC, dirname(file)));
    const here = rank(context.filename);
    const check = ({ source }) => {
      const there = source?.value.startsWith(".") ? rank(join(dirname(context.filename), source.value)) : -1;
      if (there <= here) return;
      const message = `${LAYERS[there]} stands above ${LAYERS[here]}; see LAYERS in eslint.config.js.`;
      context.report({ node: source, message });
    };
    return { ImportDeclaration: check, ImportExpression: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
  },
};

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
  {
    files: ["src/*/**/*.{ts,tsx}"],
    ignores: ["**/*.test.{ts,tsx}"],
    plugins: { folders: { rules: { downwards: DOWNWARDS } } },
    rules: { "folders/downwards": "error" },
  },
]);
