import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Fields } from "./Comparison";

it("compares settings in the words and units of the form", () => {
  const html = renderToStaticMarkup(
    <Fields fields={[{ name: "gap_ms", before: 30_000, after: 60_000 }, { name: "topic", before: "a", after: "b" }]} />,
  );

  const text = html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").trim();
  expect(text).toBe("Gap 30 s 1 min Topic a b");
});
