import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { FieldLineage } from "../../api/types";
import { LineageLists } from "./LineageLists";

const NONE: FieldLineage = {
  columns: [],
  influences: [],
  readers: [],
  results: [],
  way: ["counts"],
  opaque: [],
  unknown: [],
};
const drawn = (lineage: Partial<FieldLineage>) =>
  renderToStaticMarkup(<LineageLists lineage={{ ...NONE, ...lineage }} />);

it("tells a constant from a node of which nothing is known", () => {
  expect(drawn({})).toContain("it is a constant or a count");
  expect(drawn({ way: [] })).not.toContain("it is a constant or a count");
  expect(drawn({ way: [] })).toContain("Not known");
});

it("says where Python or a problem ends what is known", () => {
  expect(drawn({ opaque: ["marked"] })).toContain("Python of <strong>marked</strong>");
  expect(drawn({ unknown: ["late"] })).toContain("Not known behind <strong>late</strong>");
  expect(drawn({})).not.toMatch(/Python|Not known/);
});
