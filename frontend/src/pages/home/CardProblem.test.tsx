import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { CardProblem } from "./CardProblem";

it("says on Home what to do about a job that failed", () => {
  const problem = { message: "Topic `planes` does not exist.", hint: "Create the topic, or name another one." };

  const html = renderToStaticMarkup(<CardProblem problem={problem} />);

  expect(html).toContain("<p>Topic <code>planes</code> does not exist.</p>");
  expect(html).toContain('<p class="quiet">Create the topic, or name another one.</p>');
  expect(renderToStaticMarkup(<CardProblem problem={{ ...problem, hint: "" }} />)).not.toContain("quiet");
});
