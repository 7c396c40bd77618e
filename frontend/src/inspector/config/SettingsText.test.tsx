import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { node, operator } from "../../editor/samples";
import { SettingsText } from "./SettingsText";

const span = { type: "integer", format: "milliseconds" } as const;
const described = operator("process", {
  form: {
    properties: {
      size_ms: { title: "Size", ...span },
      stores: { title: "Stores", type: "array", items: { $ref: "#/$defs/Store" } },
    },
    $defs: { Store: { properties: { name: { type: "string" }, retention_ms: span } } },
  },
});

it("shows time spans to the millisecond, as the form does", () => {
  const config = { size_ms: 90_061_500, stores: [{ name: "seen", retention_ms: 90_000 }] };
  const html = renderToStaticMarkup(<SettingsText node={{ ...node("n", "process"), config }} operator={described} />);

  expect(html).toContain("90061500 ms"); // and not 1 d 1 h
  expect(html).toContain("<td>90 s</td>");
});
