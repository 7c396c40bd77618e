import type { ReactNode } from "react";
import type { StateChange, Preview, Loss, Issue, OnState, Way, Durability, SinkSchema } from "../../api/types";
import { formatAmount } from "../../ui/text/format";
import { Prose } from "../../ui/messages/Prose";
import { describeSchema, describeSpread, describeLoss, describeDurability, formatSchemaText } from "./sentences";
import { Notice } from "../../ui/messages/Notice";
import { TableHead } from "../../ui/display/TableHead";
import "../../ui/controls/controls.css";
import "./PreviewList.css";
import "./Deploy.css";
import "../../ui/display/changes.css";

const WORDS: Readonly<Record<StateChange["effect"], string>> = {
  kept: "Kept",
  new: "New",
  reloaded: "Reloaded",
  starts_empty: "Starts empty",
  dropped: "Dropped",
  damaged: "Damaged",
};

/** The changes of a deploy, the result for each store with the choice below, and the topics it creates or spreads. */
export function PreviewList({ preview, children }: { readonly preview: Preview; readonly children?: ReactNode }) {
  return (
    <>
      <Changes preview={preview} />
      <Part name="State" below={children}>
        {preview.state.length === 0 && (
          <li className="quiet">{preview.job === null ? "No node keeps state." : "No state changes."}</li>
        )}
        {preview.state.map((change) => (
          <li key={change.store} className={`state-change ${change.effect}`}>
            <b>{WORDS[change.effect]}</b>
            <code>{change.store === change.node ? change.node : `${change.node} (${change.store})`}</code>
            <span className="quiet">
              <Prose text={change.why} />
            </span>
          </li>
        ))}
      </Part>
      <Part name="Topics">
        <li className="names">
          {preview.creates.length === 0
            ? "All topics exist."
            : `Creates ${formatAmount(preview.creates.length, "topic")}:`}
          {preview.creates.map((topic) => (
            <code key={topic}>{topic}</code>
          ))}
        </li>
        {preview.spread.map(describeSpread).map((words) => (
          <li key={words} className="quiet">
            <Prose text={words} />
          </li>
        ))}
      </Part>
      <Schemas preview={preview} />
    </>
  );
}

const DOES: Readonly<Record<SinkSchema["does"], string>> = { registers: "Registers", finds: "Has", takes: "Takes" };

/** What sinks take from the schema registry, and what the registry says about it. */
function Schemas({ preview: { schemas, registry } }: { readonly preview: Preview }) {
  if (schemas.length === 0 && registry === "") return null;
  return (
    <Part name="Schemas">
      {registry !== "" && (
        <li className="state-change damaged">
          <b>Unknown</b>
          <span />
          <span>
            <Prose text={registry} />
          </span>
        </li>
      )}
      {schemas.map((schema) => (
        <li
          key={`${schema.node} ${schema.topic} ${schema.side} ${schema.record}`}
          className={`state-change ${schema.problem === "" ? "kept" : "damaged"}`}
        >
          <b>{schema.problem === "" ? DOES[schema.does] : "Refused"}</b>
          <code>{schema.node}</code>
          <details className="sink-schema">
            <summary>
              <Prose text={describeSchema(schema)} />
            </summary>
            <pre tabIndex={0} aria-label={`Schema of ${schema.node}`}>
              {formatSchemaText(schema.text)}
            </pre>
            {schema.reasons.length > 0 && (
              <ul>
                {schema.reasons.map((reason) => (
                  <li key={reason}>{reason}</li>
                ))}
              </ul>
            )}
          </details>
        </li>
      ))}
    </Part>
  );
}

/** The differences of the graph from the last run. */
function Changes({ preview: { changes, bypassed } }: { readonly preview: Preview }) {
  const lines = (changes ?? "").split("\n").filter((line) => line !== "");
  return (
    <Part name="Changes">
      {changes === null && <li className="quiet">Nothing ran before: everything is new.</li>}
      {changes === "" && <li className="quiet">The graph has not changed since the last run.</li>}
      {lines.length > 0 && (
        <li>
          <pre className="change-lines" tabIndex={0} aria-label="What differs from the last run">
            {lines.map((line, index) => (
              <span key={index} className={SIGNS[line.charAt(0)]}>{`${line}\n`}</span>
            ))}
          </pre>
        </li>
      )}
      {bypassed.length > 0 && (
        <li className="names">
          Bypassed, so that records pass unchanged:
          {bypassed.map((node) => (
            <code key={node}>{node}</code>
          ))}
        </li>
      )}
    </Part>
  );
}

const SIGNS: Readonly<Record<string, string>> = { "+": "addition", "-": "removal" };

interface PartProps {
  readonly name: string;
  readonly below?: ReactNode;
  readonly children: ReactNode;
}

function Part({ name, below, children }: PartProps) {
  return (
    <section aria-label={name}>
      <h3>{name}</h3>
      <ul className="preview">{children}</ul>
      {below}
    </section>
  );
}

/** The damaged files of the checkpoint, the time of the damage, and their former contents. */
export function DamageNotice({ preview }: { readonly preview: Preview }) {
  if (preview.damage.length === 0) return null;
  return (
    <Notice tone="bad" title="The checkpoint is damaged.">
      <p>
        <Prose text={preview.damaged} />
      </p>
    </Notice>
  );
}

const SHOWN = 12;

/** Partitions with lost unread records, and where each would continue. */
export function LossList({ losses }: { readonly losses: readonly Loss[] }) {
  if (losses.length === 0) return null;
  return (
    <ul className="preview losses">
      {losses.slice(0, SHOWN).map((loss) => (
        <li key={`${loss.topic} ${loss.partition}`} className="state-change starts_empty">
          <b>Lost</b>
          <span className="quiet">
            <Prose text={describeLoss(loss)} />
          </span>
        </li>
      ))}
      {losses.length > SHOWN && (
        <li className="quiet">and {formatAmount(losses.length - SHOWN, "more partition", "more partitions")}</li>
      )}
    </ul>
  );
}

interface Props {
  readonly choices: readonly Way[];
  readonly current: OnState | null;
  readonly choose: (value: OnState) => void;
}

const PENDING = "The last deploy has not begun yet. Its choice holds for this one, too, unless you choose otherwise.";
const KEEP: Way = { on_state: "keep", title: "Keep it", help: "The job continues where it stopped." };

/** Asks how the job continues if a deploy would lose state or records. */
export function StateQuestion({ question, ...props }: Props & { readonly question: string }) {
  return (
    <fieldset className="option-cards">
      <legend>{question}</legend>
      <Choices {...props} />
    </fieldset>
  );
}

interface StateChoiceProps extends Props {
  readonly pending: OnState;
  readonly state: readonly StateChange[];
}

/**
 * State is kept unless users want to start over, which few do: folded away. It is open if an earlier deploy that has
 * not begun yet chose otherwise, because that holds for this one, too.
 */
export function StateChoice({ choices, current, pending, choose, state }: StateChoiceProps) {
  const all = [KEEP, ...choices];
  const now = all.find(({ on_state }) => on_state === current) ?? KEEP;
  return (
    <details className="deploy-fold" open={pending !== KEEP.on_state}>
      <summary>
        <b>State</b> <span className="quiet">{now === KEEP ? describeKept(state) : now.title.toLowerCase()}</span>
      </summary>
      <fieldset className="option-cards">
        <legend className="for-screen-readers">State</legend>
        {pending !== KEEP.on_state && <p className="quiet">{PENDING}</p>}
        <Choices choices={all} current={now.on_state} choose={choose} />
      </fieldset>
    </details>
  );
}

/** Whether all state is kept: the list above says what is not. */
function describeKept(state: readonly StateChange[]): string {
  const isWhole = state.every(({ effect }) => effect === "kept" || effect === "reloaded");
  return isWhole ? "kept" : "kept where it fits";
}

function Choices({ choices, current, choose }: Props) {
  return choices.map(({ on_state, title, help }) => (
    <label key={on_state}>
      <input type="radio" name="on-state" checked={on_state === current} onChange={() => choose(on_state)} />
      <span>{title}</span>
      <small>{help}</small>
    </label>
  ));
}

/** The replication of each topic, and the effect of a lost broker. */
export function DurabilityFold({ topics }: { readonly topics: readonly Durability[] }) {
  if (topics.length === 0) return null;
  return (
    <details className="deploy-fold durability">
      <summary>
        <b>Replication</b> <span className="quiet">{describeDurability(topics)}</span>
      </summary>
      <table>
        <TableHead words={["Topic", "Replication", "If a broker is lost"]} />
        <tbody>
          {topics.map(({ topic, replication, is_durable, why }) => (
            <tr key={topic} className={is_durable ? undefined : "weak"}>
              <th scope="row" className="mono">
                {topic}
              </th>
              <td className="number">{replication}</td>
              <td>
                <Prose text={why} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** What the topology may do unmeant: it does not prevent the deploy. */
export function HintList({ hints }: { readonly hints: readonly Issue[] }) {
  if (hints.length === 0) return null;
  return (
    <Part name="Hints">
      {hints.map(({ node, level, message, hint }, index) => (
        <li key={index} className={`hint ${level}`}>
          {node !== null && <code>{node}</code>}
          <span>
            <Prose text={message} />{" "}
            <span className="quiet">
              <Prose text={hint} />
            </span>
          </span>
        </li>
      ))}
    </Part>
  );
}
