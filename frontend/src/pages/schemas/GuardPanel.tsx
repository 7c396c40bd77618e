import { useState } from "react";
import { guardTopic } from "../../api/calls";
import { Refusal } from "../../api/refusal";
import type { GuardReport, SubjectDetails } from "../../api/types";
import { Button } from "../../ui/controls/Button";
import { Panel } from "../../ui/display/Panel";
import { RefusalNotice } from "../../ui/messages/Notice";
import { Prose } from "../../ui/messages/Prose";
import { Link } from "../../ui/routing/Link";
import { hrefs } from "../../ui/routing/route";
import { formatAmount } from "../../ui/text/format";
import { describeEffect, formatSchema, splitSubject } from "./text";

interface Props {
  readonly cluster: string;
  readonly subject: string;
  readonly details: SubjectDetails;
}

const KINDS = ["AVRO", "PROTOBUF", "JSON"] as const;

/** What a new version of a subject would do to every drawing and job, before anybody registers it. */
export function GuardPanel({ cluster, subject, details }: Props) {
  const newest = details.versions[0];
  const name = splitSubject(subject, details.uses);
  const [text, setText] = useState(() => (newest === undefined ? "" : formatSchema(newest.text)));
  const [topic, setTopic] = useState(name.topic);
  const [isBusy, setIsBusy] = useState(false);
  const [answer, setAnswer] = useState<GuardReport | Refusal | null>(null);
  const ask = async () => {
    setIsBusy(true);
    const kind = KINDS.find((each) => each === newest?.type) ?? "AVRO";
    const body = { side: name.side, kind, text, subject };
    try {
      setAnswer(await guardTopic(cluster, topic, body));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setAnswer(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Panel title="Try a change">
      <form
        className="guard-form"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <p className="quiet">
          Edit the schema to see which nodes, state and results it touches. Nothing is registered.
        </p>
        <textarea
          className="mono"
          aria-label="Schema to try"
          rows={12}
          spellCheck={false}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <div className="controls">
          <label className="choice">
            Topic
            <input value={topic} onChange={({ target }) => setTopic(target.value)} />
          </label>
          <Button type="submit" look="primary" isBusy={isBusy} disabled={text.trim() === "" || topic === ""}>
            What does it break?
          </Button>
        </div>
      </form>
      {answer instanceof Refusal && <RefusalNotice refusal={answer} />}
      {answer !== null && !(answer instanceof Refusal) && <Report report={answer} />}
    </Panel>
  );
}

function Report({ report: { verdict, affected, unseen, unjudged } }: { readonly report: GuardReport }) {
  return (
    <div className="guard-report" role="status">
      {verdict !== null && (
        <p>
          The registry <b>{verdict.is_compatible ? "accepts" : "refuses"}</b> it at the level {verdict.level}.{" "}
          {verdict.reasons.map((reason) => (
            <span key={reason} className="mono">
              {reason}{" "}
            </span>
          ))}
        </p>
      )}
      {unjudged !== "" && <p>The registry gave no verdict. {unjudged}</p>}
      {affected.length === 0 && <p>No drawing and no job that you see reads this topic.</p>}
      <AffectedList affected={affected} unseen={unseen} />
    </div>
  );
}

/** Drawings and jobs with what a schema does to their nodes. */
export function AffectedList({ affected, unseen }: Pick<GuardReport, "affected" | "unseen">) {
  return (
    <>
      <ul>
        {affected.map((each) => {
          const { topology, name, job, effect, consequences, has_problems: hasProblems } = each;
          return (
            <li key={`${topology} ${job}`} className={effect}>
              <Link href={job === null ? hrefs.editor(topology) : hrefs.job(job)} className="link">
                {name}
              </Link>
              {job === null && " (draft)"}: <b>{describeEffect(each)}</b>
              <ul>
                {hasProblems && (
                  <li className="quiet">
                    It has problems of its own, so its state and the nodes behind them were not judged.
                  </li>
                )}
                {consequences.map(({ when, node, field, message }, index) => (
                  <li key={index}>
                    {when === "adopted" && <span className="quiet">If adopted: </span>}
                    <Link href={hrefs.editor(topology, { node })} className="link">
                      <code>{field === "" ? node : `${node}.${field}`}</code>
                    </Link>{" "}
                    <Prose text={message} />
                  </li>
                ))}
              </ul>
            </li>
          );
        })}
      </ul>
      {unseen > 0 && (
        <p>It also affects {formatAmount(unseen, "drawing or job", "drawings or jobs")} that you do not see.</p>
      )}
    </>
  );
}
