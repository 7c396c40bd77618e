import { expect, it } from "vitest";
import { listFields } from "../../inspector/form/fields";
import { sortDifferingFirst } from "./settings";

it("puts settings that somebody chose before the others", () => {
  const fields = listFields({
    properties: {
      slots: { type: "integer", default: 2 },
      start: { type: "string", default: "earliest" },
      memory_mb: { type: "integer", default: 512 },
    },
  });

  const names = sortDifferingFirst(fields, { slots: 2, start: "earliest", memory_mb: 1_024 }).map(({ name }) => name);

  expect(names).toEqual(["memory_mb", "slots", "start"]);
});
