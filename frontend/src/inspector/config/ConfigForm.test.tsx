import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { Config } from "../../editor/document/document";
import { documentOf, editingOf, node, operator, RULES } from "../../editor/samples";
import { EditingContext } from "../../editor/interface/useEditor";
import { ConfigForm } from "./ConfigForm";

const WINDOWS = operator("windowed_by", {
  form: {
    properties: {
      type: { title: "Type", type: "string", enum: ["tumbling", "session"], default: "tumbling" },
      gap_ms: { title: "Gap", type: "integer", format: "milliseconds", shown: { type: ["session"] } },
    },
  },
});
const AGGREGATE = operator("aggregate", {
  form: {
    properties: { functions: { title: "Functions", type: "array", items: { $ref: "#/$defs/Function" } } },
    $defs: {
      Function: {
        properties: {
          function: { title: "Function", type: "string", enum: ["count", "sum"] },
          expression: { title: "Expression", type: "string", format: "expression", more: { function: ["count"] } },
        },
      },
    },
  },
});
const PROCESS = operator("process", {
  form: {
    properties: {
      code: { title: "Code", type: "string", format: "python" },
      stores: { title: "Stores", type: "array", items: { $ref: "#/$defs/Store" } },
      topics: { title: "Topics", type: "array", items: { type: "string" } },
    },
    $defs: {
      Store: {
        properties: {
          name: { title: "Name", type: "string" },
          kind: { title: "Kind", type: "string", enum: ["key_value", "window"], default: "key_value" },
          retention_ms: { title: "Retention", type: "integer", format: "milliseconds", shown: { kind: ["window"] } },
          schema: { title: "Schema", type: "string", format: "schema-text" },
        },
      },
    },
  },
});

function drawn(described: typeof WINDOWS, config: Config): string {
  const set = { ...node("n", described.name), config };
  const rules = { ...RULES, operators: new Map([[described.name, described]]) };
  const editing = { ...editingOf(documentOf([set]), [described]), rules };
  return renderToStaticMarkup(
    <EditingContext value={editing}>
      <ConfigForm node={set} operator={described} cluster="local" />
    </EditingContext>,
  );
}

describe("the form of a node", () => {
  it("shows few words as segments, and only the fields that apply", () => {
    const html = drawn(WINDOWS, {});

    expect(html).toMatch(/role="radiogroup".*tumbling.*session/);
    expect(html).not.toContain("Gap");
  });

  it("shows in an empty text what holds, with the usual words to choose from", () => {
    const start = { type: "string", default: "earliest", examples: ["earliest", "latest"] };

    const html = drawn(operator("stream", { form: { properties: { start } } }), {});

    expect(html).toContain('placeholder="earliest"');
    expect(html).toContain('<option value="latest">');
  });

  it("keeps a field that holds a value, and says that it is not used", () => {
    expect(drawn(WINDOWS, { type: "session", gap_ms: 5 })).not.toContain("Not used");
    expect(drawn(WINDOWS, { gap_ms: 5 })).toMatch(/Gap.*Not used.*aria-label="Clear Gap"/);
  });

  it("folds away in a row what few set, unless it is set", () => {
    const drawnWith = (row: Config) => drawn(AGGREGATE, { functions: [row] });

    const folded = /<details class="more-fields"><summary>More<.*data-field="functions.0.expression"/;
    const open = /<details[^>]* open="">.*data-field="functions.0.expression"/;
    expect(drawnWith({ function: "count" })).toMatch(folded);
    expect(drawnWith({ function: "count", expression: "id" })).toMatch(open);
    expect(drawnWith({ function: "sum" })).not.toContain("<details");
  });

  it("draws rows of forms by what each of them holds, and lists of plain values", () => {
    const stores = [{ name: "seen" }, { name: "late", kind: "window", schema: '{"type": "long"}' }];

    const html = drawn(PROCESS, { stores, topics: ["a", "b"] });

    expect(html).toContain('aria-label="Kind 1"');
    expect(html).not.toContain("Retention 1");
    expect(html).toContain("Retention 2");
    expect(html).toMatch(/<textarea[^>]*>{&quot;type&quot;: &quot;long&quot;/);
    expect(html).toContain('aria-label="Topic 2"');
    expect(html).toContain("press Escape, then Tab");
  });
});
