/** The paragraphs of a help text, each in one line: it is broken for the source code's width. */
export function splitParagraphs(text: string): readonly string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s*\n\s*/g, " ").trim())
    .filter((paragraph) => paragraph !== "");
}
