import { describe, expect, it } from "vitest";
import { addNote, makeNote } from "../editor/edits/notes";
import { documentOf, edge, node, RULES } from "../editor/samples";
import { drawPicture } from "./drawPicture";

const colour = (token: string) => `#${token}`;
const drawn = documentOf([node("orders", "stream"), node("a<b", "filter", 300)], [edge("orders a<b")]);
const picture = (graph = drawn.graph, numbers = new Map<string, string>()) =>
  drawPicture({ graph, operators: RULES.operators, colour, numbers });

describe("a picture of a graph", () => {
  it("has every node where it stands, and every edge, with text that cannot become markup", () => {
    const svg = picture();

    expect(svg).toContain('translate(300 0)"');
    expect(svg).toContain(">a&lt;b</text>");
    expect(svg?.match(/<path /g)).toHaveLength(2); // one edge, and one in the legend
  });

  it("names in its legend what is in it, and nothing else", () => {
    expect(picture()).toContain(">KStream</text>");
    expect(picture()).not.toContain("GlobalKTable");
  });

  it("shows numbers where they are wanted", () => {
    expect(picture()).not.toContain("12/s");
    expect(picture(drawn.graph, new Map([["orders", "12/s"]]))).toContain(">12/s</text>");
  });

  it("holds notes, and grows with them", () => {
    const note = { ...makeNote({ x: -500, y: 0 }), text: "Ask Ann" };

    const svg = picture(addNote(note)(drawn).graph);

    expect(svg).toContain(">Ask Ann</text>");
    expect(svg).toContain('viewBox="-524 ');
  });

  it("can be read whatever is in a note, also where its line is cut", () => {
    const { position, ...note } = makeNote({ x: 0, y: 0 });
    const narrow = { ...note, position: { ...position, width: 16 + 5.5 * 8 }, text: "vertical\u000btab\n123456😀789" };

    const svg = picture(addNote(narrow)(drawn).graph) ?? "";

    expect(svg).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(() => encodeURIComponent(svg)).not.toThrow(); // as the page does for a PNG
  });

  it("is none of an empty graph", () => {
    expect(picture({ nodes: [], edges: [] })).toBeNull();
  });
});
