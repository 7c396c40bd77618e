import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { MemberRows } from "./MemberRows";
import type { Type } from "./types";

it("puts each button to remove a field behind all that the field holds", () => {
  const address: Type = { kind: "struct", fields: [{ name: "city", type: { kind: "string" } }] };
  const type: Type = { kind: "struct", fields: [{ name: "address", type: address }] };

  const html = renderToStaticMarkup(<MemberRows type={type} change={() => {}} of="Value" />);

  expect([...html.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label)).toEqual([
    "Name of Value address",
    "Kind of Value address",
    "Name of Value address city",
    "Kind of Value address city",
    "Remove Value address city",
    "Remove Value address",
  ]);
});
