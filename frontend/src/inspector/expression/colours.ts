/** Colours the tokens of an expression: texts, numbers, keywords, functions. */
import type { DecorationSet, EditorView, ViewUpdate } from "@codemirror/view";
import { Decoration, MatchDecorator, ViewPlugin } from "@codemirror/view";
import { WORDS } from "./names";

const PARTS = new RegExp(
  [
    String.raw`(?<text>'(?:[^'\\]|\\.|'')*'?)`,
    "`[^`]*`?",
    `(?<word>\\b(?:${WORDS.join("|")}|AS)\\b)`,
    String.raw`(?<call>\b[A-Za-z_]\w*(?=\())`,
    String.raw`(?<number>\b\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\b)`,
  ].join("|"),
  "gi",
);

const decorator = new MatchDecorator({
  regexp: PARTS,
  decorate: (add, from, to, match) => {
    const groups: Readonly<Record<string, string | undefined>> = match.groups ?? {};
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    if (kind !== undefined) add(from, to, Decoration.mark({ class: `is-${kind}` }));
  },
});

export const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = decorator.createDeco(view);
    }
    update(update: ViewUpdate) {
      this.decorations = decorator.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
