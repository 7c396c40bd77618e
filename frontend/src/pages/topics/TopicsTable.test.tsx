import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { TopicFacts } from "../../api/types";
import { TopicsTable } from "./TopicsTable";

function topicReadBy(jobs: number): TopicFacts {
  const uses = Array.from({ length: jobs }, (_, job) => ({
    topology: job,
    name: `Job ${job}`,
    node: "flights",
    job,
    does: "reads" as const,
    is_wanted: true,
  }));
  return {
    name: "flights",
    is_internal: false,
    partitions: 4,
    replication: 1,
    records: 10,
    end: 10,
    bytes: 900,
    cleanup: ["delete"],
    retention_ms: null,
    retention_bytes: null,
    uses,
    groups: [],
  };
}

const draw = (topic: TopicFacts) =>
  renderToStaticMarkup(<TopicsTable label="Topics" cluster="local" topics={[topic]} rate={() => 0} />);

it("names the first users of a topic and counts the others, so that no row fills the screen", () => {
  const html = draw(topicReadBy(110));

  expect(html.match(/Job \d+/g)).toEqual(["Job 0", "Job 1", "Job 2", "Job 3", "Job 4"]);
  expect(html).toContain("105 more");
});

it("names all of a few users", () => {
  const html = draw(topicReadBy(6));

  expect(html.match(/Job \d+/g)).toHaveLength(6);
  expect(html).not.toContain(" more");
});
