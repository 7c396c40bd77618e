import { useState } from "react";
import { adoptApplication, compareApplication, lookAtApplication } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { Adoption, StreamsApplication, ApplicationComparison, Job } from "../../api/types";
import { Button } from "../../ui/controls/Button";
import { Dialog } from "../../ui/messages/Dialog";
import { Notice, RefusalNotice } from "../../ui/messages/Notice";
import { Prose } from "../../ui/messages/Prose";
import { useOwnClose } from "../../ui/messages/useOwnClose";
import { formatAmount, formatCount } from "../../ui/text/format";
import { TableHead } from "../../ui/display/TableHead";
import { describeCompared, describeGroup, nameOutcome } from "./adopting";
import "./Deploy.css";
import "../../ui/controls/controls.css";

interface Props {
  readonly name: string;
  readonly topology: number;
  readonly cluster: string | null;
  /** The name of the job, until the user changes it. */
  readonly job: string;
  readonly onDeploy: (job: Job) => void;
  readonly close: () => void;
}

const WHAT =
  "The job continues a Kafka Streams application: at its committed offsets, with the state of its changelog topics. " +
  "The application must be stopped. Its group and topics stay as they are.";
const OVER: readonly (readonly [string, number])[] = [
  ["its whole input", 0],
  ["what it reads in 30 s", 30],
  ["what it reads in 2 min", 120],
];
const LOOK_FIRST = "Look at the application first.";
const IN_THE_WAY = "It cannot be adopted yet";

/** Looks at a Kafka Streams application, compares its results, and lets the drawing continue it. */
export function AdoptDialog({ name, topology, cluster, job, onDeploy, close }: Props) {
  const [application, setApplication] = useState("");
  const [jobName, setJobName] = useState(job);
  const [stores, setStores] = useState<Record<string, string>>({});
  const [found, setFound] = useState<StreamsApplication | null>(null);
  const [compared, setCompared] = useState<ApplicationComparison | null>(null);
  const [seconds, setSeconds] = useState(0);
  const [busy, setBusy] = useState<"look" | "compare" | "adopt" | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const closeThis = useOwnClose(close);
  const adoption: Adoption = { topology, application: application.trim(), stores, name: jobName.trim(), cluster };

  const ask = async (what: "look" | "compare" | "adopt", send: () => Promise<void>) => {
    setBusy(what);
    setRefusal(null);
    try {
      await send();
    } catch (error) {
      setRefusal(toRefusal(error));
    }
    setBusy(null);
  };
  const look = (chosen = stores) =>
    ask("look", async () => setFound(await lookAtApplication({ ...adoption, stores: chosen })));
  const choose = (store: string, topic: string) => {
    const chosen = { ...stores, [store]: topic };
    setStores(chosen);
    setCompared(null);
    void look(chosen);
  };

  const isEmpty = adoption.application === "";
  const action = (
    <>
      <Button isBusy={busy === "look"} disabled={isEmpty || busy !== null} onClick={() => void look()}>
        Look at it
      </Button>
      <Button
        isBusy={busy === "compare"}
        disabled={busy !== null}
        why={found === null ? LOOK_FIRST : null}
        onClick={() => void ask("compare", async () => setCompared(await compareApplication(adoption, seconds)))}
      >
        Compare results
      </Button>
      <Button
        look="primary"
        icon="deploy"
        isBusy={busy === "adopt"}
        disabled={busy !== null}
        why={found === null ? LOOK_FIRST : (found.problems[0] ?? null)}
        onClick={() =>
          void ask("adopt", async () => {
            onDeploy(await adoptApplication(adoption));
            closeThis();
          })
        }
      >
        Adopt
      </Button>
    </>
  );
  return (
    <Dialog title={`Adopt an application as ${name}?`} close={close} action={action} isWide>
      <p>{WHAT}</p>
      <label className="controls application-id">
        <span>Application id of the Kafka Streams application</span>
        <input
          value={application}
          readOnly={busy !== null}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setApplication(event.target.value);
            setFound(null);
            setCompared(null);
            setStores({});
          }}
        />
      </label>
      <label className="controls application-id">
        <span>Name of the job</span>
        <input value={jobName} autoComplete="off" onChange={(event) => setJobName(event.target.value)} />
        <small className="quiet">It has to differ from the application id.</small>
      </label>
      <label className="controls application-id">
        <span>Compare results over</span>
        <select value={seconds} onChange={(event) => setSeconds(Number(event.target.value))}>
          {OVER.map(([word, value]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
        <small className="quiet">
          {seconds === 0
            ? "The drawing processes it from the beginning, and writes nothing."
            : "The drawing runs beside it as a shadow, from the state of its changelog topics, and writes nothing."}
        </small>
      </label>
      {found !== null && <ApplicationFacts found={found} isBusy={busy !== null} choose={choose} />}
      {compared !== null && <Compared compared={compared} />}
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </Dialog>
  );
}

interface FactsProps {
  readonly found: StreamsApplication;
  readonly isBusy: boolean;
  readonly choose: (store: string, topic: string) => void;
}

/** Its group, its offsets, the topic of each store, and what is in the way. */
function ApplicationFacts({ found, isBusy, choose }: FactsProps) {
  return (
    <>
      <p>{describeGroup(found)}</p>
      {found.inputs.length > 0 && (
        <table className="records" aria-label="Committed offsets">
          <TableHead words={["Topic", "Committed", "Left for the job"]} />
          <tbody>
            {found.inputs.map(({ topic, committed, lag }) => (
              <tr key={topic}>
                <td>{topic}</td>
                <td>{committed.map((offset) => (offset === null ? "–" : formatCount(offset))).join(", ")}</td>
                <td>{formatAmount(lag, "offset")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {found.stores.length > 0 && (
        <table className="records" aria-label="Stores">
          <thead>
            <tr>
              <th>Store</th>
              <th>Contents from</th>
            </tr>
          </thead>
          <tbody>
            {found.stores.map(({ store, topic, records }) => (
              <tr key={store}>
                <td>{store}</td>
                <td className="controls">
                  {topic !== null ? (
                    `${topic}, ${formatAmount(records, "offset")}`
                  ) : found.unmatched.length === 0 ? (
                    "–"
                  ) : (
                    <select
                      aria-label={`Topic of ${store}`}
                      value=""
                      disabled={isBusy}
                      onChange={(event) => choose(store, event.target.value)}
                    >
                      <option value="">Choose its changelog topic</option>
                      {found.unmatched.map((each) => (
                        <option key={each}>{each}</option>
                      ))}
                    </select>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {found.problems.length > 0 && (
        <Notice tone="warn" title={IN_THE_WAY}>
          <Lines texts={found.problems} />
        </Notice>
      )}
      <Lines texts={found.notes} />
    </>
  );
}

function Compared({ compared }: { readonly compared: ApplicationComparison }) {
  return (
    <Notice tone={compared.is_equal ? "info" : "warn"} title={nameOutcome(compared)}>
      <Lines texts={describeCompared(compared)} />
    </Notice>
  );
}

function Lines({ texts }: { readonly texts: readonly string[] }) {
  return (
    <ul>
      {texts.map((text) => (
        <li key={text}>
          <Prose text={text} />
        </li>
      ))}
    </ul>
  );
}
