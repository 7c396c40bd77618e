import { fetchGallery } from "../../api/calls";
import { listSampleData, runWithSampleData } from "../../api/feed";
import { useWhyNot } from "../../api/rights";
import type { GraphNode } from "../../api/types";
import type { Operators } from "../../api/useOperators";
import { useResource } from "../../api/useResource";
import { summarize } from "../../canvas/nodes/summarize";
import { Button } from "../../ui/controls/Button";
import { hrefs } from "../../ui/routing/route";
import { Link } from "../../ui/routing/Link";
import { RefusalNotice } from "../../ui/messages/Notice";
import { chooseExamples, findRunning } from "./gallery";
import { Picture } from "./Picture";
import { useBeginning } from "./useBeginning";
import { useProject } from "./useProject";
import "./Card.css";
import "./Examples.css";

const fetchEverything = async () => {
  const [gallery, running] = await Promise.all([fetchGallery(), listSampleData()]);
  return { gallery, running };
};

/** Applications that run at once, for users who have little of their own yet. */
export function Examples({ operators }: { readonly operators: Operators }) {
  const { data } = useResource(fetchEverything);
  const { isBusy, refusal, begin } = useBeginning();
  const project = useProject(undefined);
  const why = useWhyNot("operator", project);
  if (data === null || why !== null) return null;
  const wordOf = (node: GraphNode) => summarize(node, operators.get(node.operator));
  return (
    <section className="home-examples" aria-labelledby="examples">
      <h2 id="examples">Run an example</h2>
      <p className="quiet">Each comes with its own topics and sample records, and can be deleted with them.</p>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      <ul className="cards">
        {chooseExamples(data.gallery).map(({ id, name, about, graph }) => {
          const topology = findRunning(data.running, id, project);
          return (
            <li key={id} className="card">
              <div className="graph">
                <Picture graph={graph} operators={operators} wordOf={wordOf} />
              </div>
              <div className="about">
                <h3>{name}</h3>
                <p>{about}</p>
                {topology === null ? (
                  <Button
                    isBusy={isBusy}
                    aria-label={`Run ${name}`}
                    onClick={() => void begin(runWithSampleData(id, project).then(({ topology }) => topology))}
                  >
                    Run
                  </Button>
                ) : (
                  <Link className="button" href={hrefs.editor(topology)} aria-label={`Open ${name}, which runs`}>
                    Open
                  </Link>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      <p className="quiet">New topology lists all {data.gallery.length}.</p>
    </section>
  );
}
