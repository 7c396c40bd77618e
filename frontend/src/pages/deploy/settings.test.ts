import { expect, it } from "vitest";
import { listFields } from "../../inspector/form/fields";
import { listSettings, sortDifferingFirst } from "./settings";

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

it("writes time spans as their fields show them", () => {
  const schema = { properties: { batch_interval_ms: { type: "integer", format: "milliseconds", default: 100 } } };

  const [set] = listSettings({ batch_interval_ms: 10_000 }, schema);

  expect(set?.value).toBe("10 s");
});
