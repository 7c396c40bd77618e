import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import reactHooks from "eslint-plugin-react-hooks";
import ts from "typescript-eslint";

/** Folders inside a folder, and then the folder itself. */
const within = (folder, inner) => [...inner.split(" ").map((name) => `${folder}/${name}`), folder];

/**
 * The folders of src, the lowest first: a folder imports what stands before it, never what stands behind.
 * So no two folders import each other. Tests may look anywhere.
 */
const LAYERS = [
  "style",
  "numbers",
  "api",
  "live",
  "routing",
  ...within("parts", "icons browser controls messages display"),
  "graph",
  "records",
  ...within("editor", "document edges layout saving checking interface edits comparing"),
  "sample",
  "palette",
  ...within("inspector", "form type expression facts topic code config"),
  ...within("drawer", "feed issues log metrics records deadLetters tables trials testCases"),
  "start",
  ...within("canvas", "flow edges nodes view moving commands"),
  "tour",
  "pages/deploy",
  "pages/home",
  ...within("pages/job", "runs numbers"),
  ...within("pages", "account alerts audit clusters hosts letters tokens topics users versions"),
  ...within("toolbar", "parts saving job questions"),
  "pages/editor",
  "app",
];
const SRC = join(import.meta.dirname, "src");
const missing = globSync("**/", { cwd: SRC }).filter((folder) => folder !== "." && !LAYERS.includes(folder));
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

const read = (name) => readFileSync(join(import.meta.dirname, "../tests", name), "utf8");
/** Functions are verbs and values nouns, as tests/test_names.py says of Python's. Booleans say what they are about. */
const FACT = { regex: "^_|^(is|has|can|may|should|must|are|was)[A-Z]|^(disabled|checked)$", match: true };
/** Participles that do not end in "ed". */
const IRREGULAR = JSON.parse(read("participles.json")).join(" ");
/** Nouns that end alike, and two words of the API: a job's desired status, and what a test case expects. */
const NOUNS = "desired expected feed need seed speed";
/** After these the noun is missing: `writtenBy` says of nothing that it is written. */
const PREPOSITIONS = "As At Back Before By For From In Into Of On Over Since To Up With";
/** Any of the words, with a small or a capital letter first. */
const anyOf = (words) => words.replaceAll(/\b\w/g, (first) => `[${first}${first.toUpperCase()}]`).replaceAll(" ", "|");
/**
 * No name ends with a participle or has one before a preposition; `selectedNode` is a node.
 * Of booleans and those who ask or set them a participle says what is the case.
 */
const noParticiple = (more) => ({
  regex:
    "^(?!(set|is|has|are|can|may|must|was)[A-Z])(.*[a-z0-9](?=[A-Z]))?" +
    `(?!(${anyOf(NOUNS)})(?![a-z]))(${anyOf(IRREGULAR)}|[A-Za-z][a-z]+ed${more})` +
    `($|(${PREPOSITIONS.replaceAll(" ", "|")})(?![a-z]))`,
  match: false,
});
const VALUES = ["variable", "parameter", "typeProperty", "classProperty"];
const NAMES = {
  files: ["src/**/*.{ts,tsx}"],
  ignores: ["**/*.test.{ts,tsx}"],
  rules: {
    "@typescript-eslint/naming-convention": [
      "error",
      { selector: VALUES, types: ["boolean"], format: null, custom: FACT },
      { selector: VALUES, types: ["function"], format: null, custom: noParticiple("") },
      { selector: [...VALUES, "typeLike"], format: null, custom: noParticiple("|read") },
      { selector: ["function", "classMethod", "typeMethod"], format: null, custom: noParticiple("") },
      // the server, a library or HTML names these
      { selector: ["variable", "parameter"], modifiers: ["destructured"], format: null },
      { selector: ["variable", "parameter"], types: ["boolean"], modifiers: ["destructured"], format: null },
      { selector: "typeProperty", types: ["boolean"], modifiers: ["requiresQuotes"], format: null },
    ],
  },
};

/** A component, a hook, a verb, or a preposition that says what a value is made of, or made into: `withDigits`. */
const VERB = `^([A-Z]|(as|at|from|of|on|to|with|without|${read("verbs.txt").trim().replaceAll("\n", "|")})(?![a-z]))`;
/** A hook, or what is said of a thing: an auxiliary, or a verb in the third person such as `keeps`. */
const CLAIM = /^(use|is|are|has|had|can|could|may|must|should|will|was|were|[a-z]{2,}s)(?![a-z])/.source;

/** Functions start with a verb, and those that give a boolean read as facts. */
const STARTS_WITH_VERB = {
  meta: { schema: false }, // both are options, so that ESLint's cache hears of a new verb
  create(context) {
    const [verb, claim] = context.options.map((regex) => new RegExp(regex));
    const { getTypeAtLocation, program } = context.sourceCode.parserServices;
    const givesBoolean = (id) =>
      getTypeAtLocation(id)
        .getCallSignatures()
        .some((call) => program.getTypeChecker().typeToString(call.getReturnType()) === "boolean");
    const check = ({ id }) => {
      const message = givesBoolean(id)
        ? claim.test(id.name) || `${id.name} gives a boolean: name it as a fact, such as keepsOrder.`
        : verb.test(id.name) || `${id.name} starts with no verb of tests/verbs.txt.`;
      if (message !== true) context.report({ node: id, message });
    };
    const file = ":matches(Program, ExportNamedDeclaration, ExportDefaultDeclaration)";
    return {
      [`${file} > FunctionDeclaration`]: check,
      [`${file} > VariableDeclaration > VariableDeclarator[init.type=/FunctionExpression$/]`]: check,
    };
  },
};
const FUNCTIONS = {
  files: ["{src,tools}/**/*.{ts,tsx}"],
  ignores: ["**/*.test.{ts,tsx}", "**/samples.ts"],
  plugins: { names: { rules: { "starts-with-verb": STARTS_WITH_VERB } } },
  rules: { "names/starts-with-verb": ["error", VERB, CLAIM] },
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
  SENTENCES,
  NAMES,
  FUNCTIONS,
  {
    files: ["src/*/**/*.{ts,tsx}"],
    ignores: ["**/*.test.{ts,tsx}"],
    plugins: { folders: { rules: { downwards: DOWNWARDS } } },
    rules: { "folders/downwards": "error" },
  },
]);
