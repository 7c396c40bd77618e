import { useCallback, useState } from "react";
import { fetchCutOver, goBack } from "../../api/calls";
import { useWhyNot } from "../../api/rights";
import type { Job, WayBack } from "../../api/types";
import { usePolling } from "../../api/usePolling";
import { useResource } from "../../api/useResource";
import { Button } from "../../ui/controls/Button";
import { Ago } from "../../ui/display/Ago";
import { Panel } from "../../ui/display/Panel";
import { Confirm } from "../../ui/messages/Confirm";
import { Notice } from "../../ui/messages/Notice";
import { Prose } from "../../ui/messages/Prose";
import { formatMoment } from "../../ui/text/format";
import { describeProved } from "../deploy/proved";
import "../../ui/controls/controls.css";
import "./CutOverPanel.css";

const LOOK_MS = 2_000;
const REBUILT = "Its state was rebuilt from the topics.";

interface Props {
  readonly job: Job;
  readonly onChange: () => void;
}

/** The newest cut over of the job with its proof, and the way back. Empty if there was none. */
export function CutOverPanel({ job, onChange }: Props) {
  const why = useWhyNot("operator", job.project);
  const [isAsking, setAsking] = useState(false);
  const load = useCallback(
    () => fetchCutOver(job.id),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- another run may be one of another version
    [job.id, job.run, job.version],
  );
  const { data, reload } = useResource(load);
  if (data === null) return null;
  const { back, proof, failure } = data;
  return (
    <Panel title="Cut over" aside={<Ago at={data.at} />}>
      <div className="cut-over">
      {failure !== null && (
        <Notice tone="warn" title="The new version ended before its first batch, so the one before runs again.">
          <p>
            <Prose text={failure.message} />
          </p>
        </Notice>
      )}
      <p>
        Version {job.version_number} {data.is_back ? "took over again" : "took over"}, by {data.by}.
      </p>
      {proof !== null && (
        <p className="quiet">
          <Prose text={proof.sentence} /> {describeProved(proof, proof.against)} {proof.is_rebuilt && REBUILT}
        </p>
      )}
      {back != null && (
        <div className="controls">
          <Button icon="undo" why={why} onClick={() => setAsking(true)}>
            Back to version {back.version} …
          </Button>
          <span className="quiet">Its state is kept until {formatMoment(Date.parse(back.until))}.</span>
        </div>
      )}
      {data.why_not !== "" && (
        <p className="quiet">
          <Prose text={data.why_not} />
        </p>
      )}
      </div>
      {isAsking && back != null && (
        <BackQuestion job={job} back={back} reload={reload} onChange={onChange} close={() => setAsking(false)} />
      )}
    </Panel>
  );
}

interface QuestionProps extends Props {
  readonly back: WayBack;
  /** What the state lacks grows with each batch. */
  readonly reload: () => Promise<void>;
  readonly close: () => void;
}

/** Asks which way back, and says what each one lacks. */
function BackQuestion({ job, back, reload, onChange, close }: QuestionProps) {
  usePolling(reload, LOOK_MS);
  const isPossible = Object.keys(back.gone).length === 0;
  const [isAtOnce, setAtOnce] = useState(!isPossible);
  const act = async () => {
    await goBack(job.id, isAtOnce);
    onChange();
  };
  return (
    <Confirm title={`Back to version ${back.version}?`} verb="Go back" act={act} close={close}>
      <p>
        The job finishes its batch, and version {back.version} takes over after it. No record is lost, and no result is
        written twice. Version {job.version_number} is then the one that you can go back to.
      </p>
      <fieldset className="option-cards">
        <legend className="for-screen-readers">How to go back</legend>
        <label>
          <input
            type="radio"
            name="way-back"
            checked={!isAtOnce}
            disabled={!isPossible}
            onChange={() => setAtOnce(false)}
          />
          <span>With all records</span>
          <small>
            <Prose text={back.exactly} />
          </small>
        </label>
        <label>
          <input type="radio" name="way-back" checked={isAtOnce} onChange={() => setAtOnce(true)} />
          <span>At once</span>
          <small>
            <Prose text={back.at_once} />
          </small>
        </label>
      </fieldset>
    </Confirm>
  );
}
