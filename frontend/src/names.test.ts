import { dirname, join } from "node:path";
import { ESLint } from "eslint";
import ts from "typescript";
import { expect, test } from "vitest";

const RULE = "names/starts-with-verb";
const FILE = join(import.meta.dirname, "main.tsx");

/** The first words of what the linter says of a file of the page with this text. */
async function lint(text: string): Promise<readonly string[]> {
  const source = ts.createSourceFile(FILE, text, ts.ScriptTarget.Latest);
  const host = { ...ts.createCompilerHost({}), getSourceFile: () => source };
  const program = ts.createProgram([FILE], { noLib: true, types: [] }, host);
  const eslint = new ESLint({
    cwd: dirname(import.meta.dirname),
    overrideConfig: { languageOptions: { parserOptions: { projectService: false, programs: [program] } } },
    ruleFilter: ({ ruleId }) => ruleId === RULE,
  });
  const [result] = await eslint.lintText(text, { filePath: FILE });
  return (result?.messages ?? []).map(({ message }) => message.split(" ", 2).join(" "));
}

test("the linter finds functions that are no verbs, and booleans that are no facts", async () => {
  const wrong = [
    "function rows() {}",
    "export const rateOf = (count: number) => count;",
    "export function matchRow(row: unknown): row is string { return typeof row === 'string'; }",
    "const full = function () { return true; };",
  ];

  expect(await lint(wrong.join("\n"))).toEqual(["rows starts", "rateOf starts", "matchRow gives", "full gives"]);
});

test("the linter allows verbs, facts, components and hooks", async () => {
  const right = [
    "export default function readRows() { const rows = () => []; return rows; }",
    "export const ofRow = (row: unknown) => row;",
    "const ROWS = [1].map(String);",
    "function keepsOrder() { return true; }",
    "const isFull = () => false;",
    "const usesRow = () => true;",
    "function useRow() { return true; }",
    "function Row() {}",
  ];

  expect(await lint(right.join("\n"))).toEqual([]);
});
