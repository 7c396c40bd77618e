import { useCallback, useState } from "react";
import { fetchCorrection, prepareCorrection, sendCorrection, takeOverCorrected } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import { useWhyNot } from "../../api/rights";
import type { Correction, CorrectionPreview, OneCorrection } from "../../api/types";
import { usePolling } from "../../api/usePolling";
import { useResource } from "../../api/useResource";
import { usePast } from "../../editor/interface/past";
import { useProof } from "../../editor/interface/proving";
import { useDeployment } from "../../editor/interface/useDeployment";
import { useDocument } from "../../editor/interface/useEditor";
import { useLive } from "../../live/LiveContext";
import { Button } from "../../ui/controls/Button";
import { Notice, RefusalNotice } from "../../ui/messages/Notice";
import { Prose } from "../../ui/messages/Prose";
import { TableHead } from "../../ui/display/TableHead";
import { canSend, describeCorrection, describeCounts, describeNoState, isUnderWay, KINDS } from "./correction";

const LOOK_MS = 1_000;
const QUIET_MS = 10_000;
const ABOUT =
  "If the draft is right and the job has sent wrong results: work out what corrects them since a batch, look at it, " +
  "and send only that. The newest value of each key goes to topics of tables. What differs in streams goes to a " +
  "topic of corrections.";
const STOP_FIRST = "Stop the job first: it could write a newer result while a correction is on the way.";

/** What corrects the results that the job has sent, if the draft is right: prepared, looked at, and sent. */
export function Corrections({ job }: { readonly job: number }) {
  const chosen = usePast(({ batch }) => batch?.number ?? null);
  const first = useProof(({ proof }) => proof?.report?.first[0]?.batch ?? null);
  const { data: correction, reload } = useResource(
    useCallback(() => fetchCorrection(job), [job]),
  );
  usePolling(reload, isUnderWay(correction) ? LOOK_MS : QUIET_MS);
  const hasNextStep = correction !== null && (correction.status !== "sent" || correction.no_state === "");
  const [wasAtWork, setAtWork] = useState(false);
  // what was just sent stays, and says whether a version can go on with the corrected state
  if ((chosen !== null || hasNextStep) && !wasAtWork) setAtWork(true);
  return (
    <details className="corrections" open={wasAtWork}>
      <summary>
        <b>Correct what was sent</b>{" "}
        <span className="quiet" role="status">
          {correction !== null && describeCorrection(correction)}
        </span>
      </summary>
      <p className="quiet">{ABOUT}</p>
      <Controls job={job} correction={correction} since={chosen ?? first} reload={reload} key={chosen} />
      {correction?.failure != null && (
        <Notice tone="bad" title={correction.failure.message}>
          <p>
            <Prose text={correction.failure.hint} />
          </p>
        </Notice>
      )}
      {correction?.preview != null && <Preview preview={correction.preview} topic={correction.topic} />}
    </details>
  );
}

interface ControlsProps {
  readonly job: number;
  readonly correction: Correction | null;
  /** The batch that the page shows, or the first one that differs. */
  readonly since: number | null;
  readonly reload: () => Promise<void>;
}

function Controls({ job, correction, since, reload }: ControlsProps) {
  const deployment = useDeployment();
  const whyNotPrepare = useWhyNot("editor", deployment.topology.project);
  const whyNotSend = useWhyNot("operator", deployment.topology.project);
  const saving = useDocument((editor) => editor.saving);
  const status = useLive(({ state }) => state?.jobStatus.status ?? null);
  const [typed, setTyped] = useState<string | null>(null);
  const batch = typed ?? since?.toString() ?? "";
  const [topic, setTopic] = useState(`${deployment.topology.slug}-corrections`);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const act = async (request: Promise<unknown>) => {
    setBusy(true);
    setRefusal(null);
    try {
      await request;
    } catch (error) {
      setRefusal(toRefusal(error));
    } finally {
      setBusy(false);
      await reload();
    }
  };
  const prepare = () =>
    act(prepareCorrection(job, { version: null, batch: Number(batch), topic: topic.trim(), tables: null }));
  const isStopped = (status ?? deployment.job?.status) === "stopped";
  return (
    <>
      <div className="controls">
        <label className="choice">
          since batch
          <input
            className="batch number"
            inputMode="numeric"
            value={batch}
            onChange={({ target }) => setTyped(target.value.replace(/\D/g, ""))}
          />
        </label>
        <label className="choice">
          corrections of streams to
          <input className="topic" value={topic} onChange={({ target }) => setTopic(target.value)} />
        </label>
        <Button
          isBusy={isBusy || isUnderWay(correction)}
          why={whyNotPrepare}
          disabled={batch === "" || saving.word !== "saved"}
          onClick={() => void prepare()}
        >
          Work out the corrections
        </Button>
        {correction !== null && canSend(correction) && (
          <Button
            look="primary"
            isBusy={isBusy}
            why={whyNotSend ?? (isStopped ? null : STOP_FIRST)}
            onClick={() => void act(sendCorrection(job))}
          >
            Send them
          </Button>
        )}
        {correction?.no_state === "" && (
          <Button
            look="primary"
            isBusy={isBusy}
            why={whyNotSend ?? (isStopped ? null : "Stop the job first.")}
            onClick={() => void act(takeOverCorrected(job))}
          >
            Go on with the corrected state
          </Button>
        )}
      </div>
      {correction?.status === "sent" && correction.no_state !== "" && (
        <p className="quiet">{describeNoState(correction)}</p>
      )}
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </>
  );
}

function Preview({ preview, topic }: { readonly preview: CorrectionPreview; readonly topic: string }) {
  const { counts, tables, first, limits } = preview;
  return (
    <>
      {limits.map((line) => (
        <p key={line} className="quiet">
          <Prose text={line} />
        </p>
      ))}
      <ul className="counts" aria-label="Corrections by topic">
        {Object.entries(counts).map(([of, kinds]) => (
          <li key={of}>
            <code>{of}</code> <span className="number">{describeCounts(kinds)}</span>
            {!tables.includes(of) && (
              <span className="quiet">
                {" "}
                told in <code>{topic}</code>
              </span>
            )}
          </li>
        ))}
      </ul>
      {first.length > 0 && (
        <table className="records" aria-label="First corrections">
          <TableHead words={["Input", "Topic", "Key", "Correction", "Sent", "Right"]} />
          <tbody>
            {first.map((each, at) => (
              <Row key={at} correction={each} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function Row({ correction }: { readonly correction: OneCorrection }) {
  const { at, of, key, kind, sent, right } = correction;
  return (
    <tr>
      <td>
        <code>{at}</code>
      </td>
      <td>
        <code>{of}</code>
      </td>
      <td>
        <code>{key}</code>
      </td>
      <td>{KINDS[kind]}</td>
      <Values values={sent} />
      <Values values={right} />
    </tr>
  );
}

function Values({ values }: { readonly values: readonly unknown[] }) {
  return (
    <td>
      {values.length === 0 ? (
        <span className="quiet">nothing</span>
      ) : (
        <code>{values.map((value) => JSON.stringify(value)).join(", ")}</code>
      )}
    </td>
  );
}
