/** Writes the sprite of the icons that are used: Lucide has 1,700 of them, the product some 50. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ICONS } from "../src/ui/icons/icons.ts";

const LUCIDE = new URL("../node_modules/lucide-static/icons/", import.meta.url);
const OPERATORS = new URL("../../runner/engine/operators/", import.meta.url);
const FOLDER = new URL("../node_modules/.icons/", import.meta.url);

/** Where the sprite was written. Throws if Lucide has no icon of a name that the page or an operator's class uses. */
export function writeSprite(): string {
  const names = [...new Set([...Object.values(ICONS), ...listOperatorIcons()])].sort();
  const file = new URL("sprite.svg", FOLDER);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, makeSprite(names));
  return fileURLToPath(file);
}

/** The icons that the classes of the operators name, or the classes that several of them share. */
export function listOperatorIcons(): string[] {
  const files = readdirSync(OPERATORS, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".py"));
  const classes = files.map((file) => readFileSync(new URL(file, OPERATORS), "utf8")).join("\n");
  return [...classes.matchAll(/^ {4}icon(?:: ClassVar\[str\])? = "([^"]+)"$/gm)].map(([, name = ""]) => name);
}

function makeSprite(names: readonly string[]): string {
  const symbols = names.map((name) => `<symbol id="${name}" viewBox="0 0 24 24">${readShapes(name)}</symbol>`);
  return `<!-- Lucide, ISC license --><svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>\n`;
}

function readShapes(name: string): string {
  const shapes = /<svg[^>]*>(.*)<\/svg>/s.exec(readFileSync(new URL(`${name}.svg`, LUCIDE), "utf8"))?.[1];
  if (shapes === undefined) throw new Error(`${name}.svg of lucide-static holds no drawing.`);
  return shapes.replace(/\n\s*/g, "");
}
