import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

/** Texts of files by their names. */
type Files = Readonly<Record<string, string>>;

/** Folders whose sheets style what any page may use. */
const SHARED = new Set(["app", "parts", "style"]);
/** Participles that do not end in "ed"; tests/test_names.py has the same. */
const IRREGULAR = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../tests/participles.json"), "utf8"),
) as readonly string[];
/** Classes that React Flow and CodeMirror give, and values of the API: differences, fates of state, statuses. */
const GIVEN = new Set(
  "selected focused added removed changed reloaded dropped damaged kept failed".split(" "),
);
const KEYFRAME = /^(from|to|[\d.]+%)$/;

function load(pattern: string): Files {
  const names = globSync(pattern, { cwd: import.meta.dirname }).filter((name) => !name.includes(".test."));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(import.meta.dirname, name), "utf8")]));
}

/** The folder of a file that stands for one part of the screen. */
function featureOf(file: string): string {
  return /^(pages\/[^/]+|[^/]+)\//.exec(file)?.[1] ?? file;
}

/** The classes that a component gives its elements. */
function classesOf(file: string, text: string): ReadonlySet<string> {
  const classes = new Set<string>();
  const visit = (node: ts.Node, isInside: boolean) => {
    const isClass = isInside || (ts.isJsxAttribute(node) && node.name.getText() === "className");
    if (isClass && (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node))) {
      for (const name of node.text.split(/\s+/)) classes.add(name);
    }
    ts.forEachChild(node, (child) => visit(child, isClass));
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX), false);
  return classes;
}

function selectorsOf(sheet: string): readonly string[] {
  const heads = [...sheet.replaceAll(/\/\*.*?\*\//gs, "").matchAll(/([^{};]+)\{/g)].map(([, head = ""]) => head.trim());
  return heads
    .filter((head) => !head.startsWith("@"))
    .flatMap((head) => head.split(/,(?![^(]*\))/).map((selector) => selector.trim()))
    .filter((selector) => !KEYFRAME.test(selector));
}

function namesIn(selector: string): readonly string[] {
  return [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name);
}

/** Classes whose names end with a participle, so that they do not say of what. Facts may: `is-lost`. */
function participlesIn(sheet: string): readonly string[] {
  return [...new Set(selectorsOf(sheet).flatMap(namesIn))].filter((name) => {
    const word = name.split("-").at(-1) ?? "";
    const isParticiple = IRREGULAR.includes(word) || /[a-z]{2}ed$/.test(word);
    return isParticiple && !GIVEN.has(word) && !name.startsWith("is-") && !name.startsWith("fate-");
  });
}

/** Selectors of a feature that name no class of its own, so that they style elements of others too. */
function reachingOut(components: Files, sheets: Files): readonly string[] {
  const users = new Map<string, Set<string>>();
  for (const [file, text] of Object.entries(components)) {
    for (const name of classesOf(file, text)) users.set(name, (users.get(name) ?? new Set()).add(featureOf(file)));
  }
  return Object.entries(sheets).flatMap(([file, sheet]) => {
    const feature = featureOf(file);
    const isOwn = (name: string) => [...(users.get(name) ?? [])].every((user) => user === feature);
    const reaches = (selector: string) => !namesIn(selector).some(isOwn);
    return SHARED.has(feature) ? [] : selectorsOf(sheet).filter(reaches).map((selector) => `${file}: ${selector}`);
  });
}

test("a selector that styles elements of another feature is found, and nothing beside it", () => {
  const components = {
    "start/List.tsx": '<ul className="topics"><li className={isNew ? "new" : `row ${look}`} /></ul>',
    "pages/topics/Topics.tsx": '<div className="topics topics-page"><p className="row" /></div>',
  };
  const sheets = {
    "start/List.css": "/* .topics { */ .topics .new, .start { top: 0; } @media print { .topics > .row { top: 0; } }",
    "pages/topics/Topics.css": ".topics-page .row { top: 0; } table { top: 0; } @keyframes on { to { top: 0; } }",
    "parts/Row.css": ".row { top: 0; }",
  };

  expect(reachingOut(components, sheets)).toEqual(["start/List.css: .topics > .row", "pages/topics/Topics.css: table"]);
});

test("no feature styles elements of another, though one style sheet serves all pages", () => {
  const sheets = load("**/*.css");

  expect(Object.keys(sheets).length).toBeGreaterThan(80);
  expect(reachingOut(load("**/*.tsx"), sheets)).toEqual([]);
});

test("a class that says of nothing that it is lost is found", () => {
  const sheet = ".lost, .port.is-lost { top: 0; } .lost-part .coloured, .react-flow.selected { top: 0; }";

  expect(participlesIn(sheet)).toEqual(["lost", "coloured"]);
});

test("classes say what an element is, and no participle names one", () => {
  const found = Object.entries(load("**/*.css")).flatMap(([file, sheet]) =>
    participlesIn(sheet).map((name) => `${file}: ${name}`),
  );

  expect(found).toEqual([]);
});
