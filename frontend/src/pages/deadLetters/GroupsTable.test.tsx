import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { GroupsTable } from "./GroupsTable";

it("does not call the time of a record the time of its failure", () => {
  const answer = { groups: [] } as unknown as Parameters<typeof GroupsTable>[0]["answer"];

  const table = renderToStaticMarkup(<GroupsTable answer={answer} current={null} choose={() => undefined} />);

  expect(table).toContain('title="A dead letter has the time of its record');
});
