import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Preview } from "../../api/types";
import { PreviewList, StateChoice } from "./PreviewList";

type Shown = "job" | "changes" | "bypassed" | "state" | "creates" | "spread" | "schemas" | "registry";
const NOTHING: Pick<Preview, Shown> = {
  job: null,
  changes: null,
  bypassed: [],
  state: [],
  creates: [],
  spread: [],
  schemas: [],
  registry: "",
};
const drawn = (preview: Partial<Preview>) =>
  renderToStaticMarkup(<PreviewList preview={{ ...NOTHING, ...preview } as Preview} />);

it("says before a deploy which nodes are bypassed", () => {
  const html = drawn({ bypassed: ["large", "late"] });

  expect(html).toMatch(/Bypassed, so that records pass unchanged:<code>large<\/code><code>late<\/code>/);
  expect(drawn({})).not.toContain("Bypassed");
});

it("says what changes, what becomes of state, and which topics are made", () => {
  const kept = { node: "delays", store: "delays", effect: "kept", why: "Its contents fit." };
  const state = [kept] as unknown as Preview["state"]; // the server also sends a deprecated member

  const html = drawn({ job: 1, changes: "+ out (to)\n- late (filter)\n", state, creates: ["late-flights"] });

  expect(html).toContain('<span class="addition">+ out (to)\n</span><span class="removal">- late (filter)\n</span>');
  expect(html).toMatch(/<b>Kept<\/b><code>delays<\/code>/);
  expect(html).toMatch(/Creates 1 topic:<code>late-flights<\/code>/);
});

it("tells the stores of one node apart", () => {
  const stores = ["delays", "delays.by-time", "totals"];
  const changes = stores.map((store) => ({ node: "delays", store, effect: "new", why: "" }));

  const html = drawn({ state: changes as unknown as Preview["state"] });

  const shown = [...html.matchAll(/<code>(.*?)<\/code>/g)].map((match) => match[1]);
  expect(shown).toEqual(["delays", "delays (delays.by-time)", "delays (totals)"]);
});

it("shows which schema is registered and what the registry refuses", () => {
  const schema = {
    node: "out",
    topic: "orders",
    side: "value",
    record: "",
    does: "registers",
    subject: "orders-value",
    version: null,
    id: null,
    type: "AVRO",
    text: '{"type":"long"}',
    level: "BACKWARD",
    reasons: [],
    imports: [],
    field: "",
    problem: "",
    hint: "",
  } satisfies Preview["schemas"][number];
  const problem = "Subject orders-value does not accept the schema of `out` at level BACKWARD. Field `note` fails.";

  expect(drawn({ schemas: [schema] })).toMatch(/Registers.*values as a new version of.*orders-value.*BACKWARD/s);
  const imports = [
    { path: "shop/unit.proto", version: 1 },
    { path: "shop/money.proto", version: null },
  ];
  expect(drawn({ schemas: [{ ...schema, level: "", imports }] })).toMatch(
    /new version of.*First.*shop\/money\.proto.*which it imports\. The registry judges it then\./s,
  );
  const refused = { ...schema, problem, reasons: ["READER_FIELD_MISSING"] };
  expect(drawn({ schemas: [refused] })).toMatch(/Refused.*note.*READER/s);
  expect(drawn({ registry: "It does not answer." })).toContain("It does not answer.");
  expect(drawn({})).not.toContain("Schemas");
});

it("does not say that state is kept beside a store that is dropped", () => {
  const change = { node: "n", store: "n", effect: "kept", why: "" };
  const draw = (...effects: readonly string[]) =>
    renderToStaticMarkup(
      <StateChoice
        choices={[]}
        current="keep"
        pending="keep"
        state={effects.map((effect) => ({ ...change, effect })) as unknown as Preview["state"]}
        choose={() => undefined}
      />,
    );

  expect(draw("kept", "reloaded")).toContain(">kept<");
  expect(draw("new", "dropped")).toContain(">kept where it fits<");
});
