import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

/** Texts of files by their names. */
type Files = Readonly<Record<string, string>>;

/** Folders whose sheets style what any page may use. */
const SHARED = new Set(["pages/app", "ui"]);
/** Classes that libraries give their elements. */
const OF_LIBRARIES = /^(cm-|tok-|u-|react-flow|bottom|connectable|connecting(from|to)|dragging|valid$)/;
/** Classes that tell libraries what to do. */
const FOR_LIBRARIES = new Set(["nodrag", "nopan", "nowheel", "react-flow__edge-interaction"]);
const KEYFRAME = /^(from|to|[\d.]+%)$/;

function load(pattern: string): Files {
  const names = globSync(pattern, { cwd: import.meta.dirname }).filter((name) => !name.includes(".test."));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(import.meta.dirname, name), "utf8")]));
}

/** The folder of a file that stands for one part of the screen. */
function featureOf(file: string): string {
  return /^(pages\/[^/]+|[^/]+)\//.exec(file)?.[1] ?? file;
}

/** `state === "old"` or `facts["old"]`, whose texts are no classes. */
function isQuestion(node: ts.Node): boolean {
  const isEqual = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken;
  return isEqual || ts.isElementAccessExpression(node);
}

/** The words of a file's texts, or of those alone that give classes. A template's "family-" is a word as well. */
function wordsOf(file: string, text: string, isOfClasses: boolean): ReadonlySet<string> {
  const words = new Set<string>();
  const visit = (node: ts.Node, isInside: boolean) => {
    const isWanted = isInside || (ts.isJsxAttribute(node) && node.name.getText() === "className");
    if (isWanted && (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node))) {
      for (const word of node.text.split(/[\s.]+/)) words.add(word);
    }
    const gives = isWanted && !(isOfClasses && isQuestion(node));
    ts.forEachChild(node, (child) => visit(child, gives));
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX), !isOfClasses);
  return words;
}

/** The classes that a component gives its elements. */
function classesOf(file: string, text: string): ReadonlySet<string> {
  return wordsOf(file, text, true);
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

/** Classes of sheets that no text of a component or module names. */
function styledInVain(components: Files, sheets: Files): readonly string[] {
  const words = Object.entries(components).flatMap(([file, text]) => [...wordsOf(file, text, false)]);
  const [whole, begun] = [new Set(words), words.filter((word) => /^\w.*-$/.test(word))];
  const isUsed = (name: string) => whole.has(name) || begun.some((prefix) => name.startsWith(prefix));
  return Object.entries(sheets).flatMap(([file, sheet]) =>
    [...new Set(selectorsOf(sheet).flatMap(namesIn))]
      .filter((name) => !isUsed(name) && !OF_LIBRARIES.test(name))
      .map((name) => `${file}: ${name}`),
  );
}

/** Classes of elements that no sheet names. */
function unstyled(components: Files, sheets: Files): readonly string[] {
  const styled = new Set(Object.values(sheets).flatMap((sheet) => selectorsOf(sheet).flatMap(namesIn)));
  return Object.entries(components).flatMap(([file, text]) =>
    [...classesOf(file, text)]
      .filter((name) => /^[a-z].*[^-]$/.test(name) && !styled.has(name) && !FOR_LIBRARIES.has(name))
      .map((name) => `${file}: ${name}`),
  );
}

test("a class that only a sheet or only an element has is found", () => {
  const components = { "Row.tsx": '<li className={kind === "old" ? `row of-${kind}` : "record"} aria-label="rows" />' };
  const sheets = { "Row.css": ".row, .of-table, .rows > li, .cm-line { top: 0; } .records .row { top: 0; }" };

  expect(styledInVain(components, sheets)).toEqual(["Row.css: records"]);
  expect(unstyled(components, sheets)).toEqual(["Row.tsx: record"]);
});

test("each class has a style, and each style an element", () => {
  const sheets = load("**/*.css");

  expect(styledInVain({ ...load("**/*.tsx"), ...load("**/*.ts") }, sheets)).toEqual([]);
  expect(unstyled(load("**/*.tsx"), sheets)).toEqual([]);
});

test("a selector that styles elements of another feature is found, and nothing beside it", () => {
  const components = {
    "start/List.tsx": '<ul className="topics"><li className={isNew ? "new" : `row ${look}`} /></ul>',
    "pages/topics/Topics.tsx": '<div className="topics topics-page"><p className="row" /></div>',
  };
  const sheets = {
    "start/List.css": "/* .topics { */ .topics .new, .start { top: 0; } @media print { .topics > .row { top: 0; } }",
    "pages/topics/Topics.css": ".topics-page .row { top: 0; } table { top: 0; } @keyframes on { to { top: 0; } }",
    "ui/Row.css": ".row { top: 0; }",
  };

  expect(reachingOut(components, sheets)).toEqual(["start/List.css: .topics > .row", "pages/topics/Topics.css: table"]);
});

test("no feature styles elements of another, though one style sheet serves all pages", () => {
  const sheets = load("**/*.css");

  expect(Object.keys(sheets).length).toBeGreaterThan(80);
  expect(reachingOut(load("**/*.tsx"), sheets)).toEqual([]);
});
