import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { StatusWord } from "./StatusWord";

it("of a job whose runs fail in a row is red, whichever step the newest has come to", () => {
  expect(renderToStaticMarkup(<StatusWord status="starting" />)).toContain("Starting");
  for (const status of ["starting", "restoring", "running"] as const) {
    expect(renderToStaticMarkup(<StatusWord status={status} isFailing />)).toBe(
      '<span class="status bad">Failing</span>',
    );
  }
});

it("says what a job does that restores its tables", () => {
  const html = renderToStaticMarkup(<StatusWord status="restoring" />);

  expect(html).toMatch(/title="Tables are loaded first.*>Restoring</);
  expect(renderToStaticMarkup(<StatusWord status="running" />)).not.toContain("title");
});
