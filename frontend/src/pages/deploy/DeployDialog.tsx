import { useCallback, useState } from "react";
import {
  changeTopology,
  cutOver,
  deploy,
  fetchProof,
  listSparkClusters,
  previewDeploy,
  runCases,
} from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { Deploy, Job, OnState, Preview, SettingsChange } from "../../api/types";
import { useDraftGraph } from "../../api/useGraph";
import { useResource } from "../../api/useResource";
import { useStableValue } from "../../api/useStableValue";
import { useLive } from "../../live/LiveContext";
import { MAX_LENGTHS } from "../../api/values";
import { Button } from "../../ui/controls/Button";
import { Dialog } from "../../ui/messages/Dialog";
import { RefusalNotice, Notice } from "../../ui/messages/Notice";
import { useOwnClose } from "../../ui/messages/useOwnClose";
import { describeDeploy, keepValidChoice } from "./sentences";
import {
  DamageNotice,
  DurabilityFold,
  HintList,
  LossList,
  PreviewList,
  StateChoice,
  StateQuestion,
} from "./PreviewList";
import { AdoptDialog } from "./AdoptDialog";
import { DeploySettings, StreamsSettings } from "./DeploySettings";
import { makeApplicationId, proposeName, UNTITLED } from "./naming";
import { ProvedNotice } from "./ProvedNotice";
import { StateFold } from "./StateFold";
import { describeFailures } from "../../drawer/testCases/cases";
import { formatAmount } from "../../ui/text/format";
import { Prose } from "../../ui/messages/Prose";
import "./Deploy.css";
import "../../ui/controls/controls.css";

interface Props {
  readonly name: string;
  readonly deployment: Partial<Deploy>;
  readonly onDeploy: (job: Job) => void;
  readonly close: () => void;
  /** Proves the change instead. Null if nothing runs to compare with. */
  readonly proving?: Proving | null;
}

interface Proving {
  readonly job: number;
  readonly open: () => void;
}

const PROVE =
  "Run the draft beside the running version over the same records, and compare the results. Nothing is written.";
const ADOPT = "Continue an application with its state and its committed offsets, instead of starting without state.";
const CUT_OVER =
  "The job finishes its batch, and the proved draft takes over after it. The state of the running version is kept " +
  "for a day, so that you can go back.";
const OTHER_SETTINGS = "A proof says nothing about other settings. Deploy them, or leave them as they are.";
const MOVED = "The job moves to another cluster and reads the topics there. Results already written stay in place.";
/** No requests while the user types. */
const PAUSE_MS = 300;

/** Describes a deploy before it happens, and asks if it would lose state. */
export function DeployDialog({ name, deployment, onDeploy, close, proving = null }: Props) {
  const [initial] = useState(deployment);
  const [settings, setSettings] = useState<SettingsChange>({});
  const stableSettings = useStableValue(settings, PAUSE_MS);
  const [spark, setSpark] = useState<string | null>(null);
  const preview = useResource(
    useCallback(() => previewDeploy({ ...initial, settings: stableSettings, spark }), [initial, stableSettings, spark]),
  );
  const [answer, setAnswer] = useState<OnState | null>(null);
  const [slug, setSlug] = useState<string | null>(null);
  const isUnnamed = name === UNTITLED && deployment.topology != null && preview.data?.job === null;
  const draft = useDraftGraph(isUnnamed ? (deployment.topology ?? null) : null);
  const [typedName, setTypedName] = useState<string | null>(null);
  const newName = isUnnamed ? (typedName ?? (draft === null ? "" : proposeName(draft))).trim() : "";
  const id = slug ?? (newName === "" ? null : makeApplicationId(newName));
  const [message, setMessage] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [isAdopting, setAdopting] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const isOver = useLive(({ state }) => state?.jobStatus.status === "stopped" || state?.jobStatus.status === "failed");
  const proved = proving?.job ?? null;
  const proofAnswer = useResource(
    useCallback(async () => ({ proof: proved === null ? null : await fetchProof(proved) }), [proved]),
  );
  const proof = proofAnswer.data?.proof ?? null;
  // the buttons depend on it: none may be pressed while another could take its place
  const isProofKnown = proofAnswer.data !== null || proofAnswer.refusal !== null;
  const isProved = proof?.report != null && proof.outdated === "";
  const choices = preview.data?.choices ?? [];
  const choice = keepValidChoice(choices, answer);
  const mustAsk = preview.data !== null && preview.data.question !== "";
  const isUndecided = preview.data === null || !isProofKnown || (mustAsk && choice === null);

  const closeThis = useOwnClose(close);
  const confirm = async (send: () => Promise<Job>) => {
    setBusy(true);
    setRefusal(null);
    try {
      onDeploy(await send());
      closeThis();
    } catch (error) {
      setRefusal(toRefusal(error));
      setBusy(false);
    }
  };
  // left out, the choice of an earlier deploy that has not begun yet holds
  const onState = choice ?? (answer === "keep" ? answer : null);
  const run = async () => {
    if (id !== null && deployment.topology != null) {
      await changeTopology(deployment.topology, { slug: id, ...(newName !== "" && { name: newName }) });
    }
    return deploy({ ...deployment, settings, spark, message, on_state: onState });
  };
  const isOther = spark !== null || Object.keys(settings).length > 0;

  const action = (
    <>
      {proving !== null && !isProved && (
        <Button title={PROVE} disabled={isBusy || !isProofKnown} onClick={proving.open}>
          Prove it first
        </Button>
      )}
      <Button
        look={isProved ? "plain" : "primary"}
        icon="deploy"
        isBusy={isBusy && !isProved}
        disabled={isUndecided || isBusy}
        why={preview.refusal?.message ?? null}
        onClick={() => void confirm(run)}
      >
        Deploy
      </Button>
      {proving !== null && isProved && (
        <Button
          look="primary"
          title={CUT_OVER}
          isBusy={isBusy}
          disabled={preview.data === null || (isUndecided && !proof.takes_state)}
          why={isOther ? OTHER_SETTINGS : null}
          onClick={() => void confirm(() => cutOver(proving.job, onState ?? "keep"))}
        >
          Cut over
        </Button>
      )}
    </>
  );
  if (isAdopting && deployment.topology != null) {
    return (
      <AdoptDialog
        name={name}
        topology={deployment.topology}
        cluster={deployment.cluster ?? null}
        job={id ?? preview.data?.application_id ?? name}
        onDeploy={onDeploy}
        close={close}
      />
    );
  }
  const anyRefusal = refusal ?? preview.refusal;
  return (
    <Dialog title={`Deploy ${newName || name}?`} close={close} action={action}>
      {preview.data === null && preview.refusal === null && <p className="quiet">Checking topics and state …</p>}
      {preview.data !== null && (
        <>
          <p>
            {describeDeploy(preview.data.job === null, isOver, deployment.version != null)}{" "}
            {deployment.cluster != null && <OnCluster name={deployment.cluster} />}
          </p>
          {preview.data.is_moved && <p>{MOVED}</p>}
          {proof !== null && <ProvedNotice proof={proof} />}
          {isUnnamed && draft !== null && (
            <NewName text={typedName ?? proposeName(draft)} change={setTypedName} />
          )}
          <ApplicationId preview={preview.data} slug={id} change={setSlug} />
          {deployment.topology != null && <Message text={message} change={setMessage} />}
          <RunsOn spark={preview.data.spark} room={preview.data.room} choose={setSpark} />
          {deployment.topology != null && <FailingCases topology={deployment.topology} />}
          <PreviewList preview={preview.data}>
            {!mustAsk && choices.length > 0 && (
              <StateChoice
                choices={choices}
                current={onState ?? preview.data.pending}
                pending={preview.data.pending}
                state={preview.data.state}
                choose={setAnswer}
              />
            )}
          </PreviewList>
          <DamageNotice preview={preview.data} />
          <LossList losses={preview.data.losses} />
          <HintList hints={preview.data.hints} />
          {mustAsk && (
            <StateQuestion
              question={preview.data.question}
              choices={choices}
              current={choice}
              choose={setAnswer}
            />
          )}
          <Description preview={preview.data} />
          <DurabilityFold topics={preview.data.durability} />
          <StateFold of={initial} />
          <DeploySettings
            settings={{ ...preview.data.settings, ...settings }}
            change={(name, value) => setSettings((before) => ({ ...before, [name]: value }))}
          />
          <StreamsSettings />
          {deployment.topology != null && preview.data.job === null && (
            <p>
              <Button title={ADOPT} onClick={() => setAdopting(true)}>
                Adopt a Kafka Streams application
              </Button>
            </p>
          )}
        </>
      )}
      {anyRefusal !== null && <RefusalNotice refusal={anyRefusal} />}
    </Dialog>
  );
}

interface NewNameProps {
  readonly text: string;
  readonly change: (text: string) => void;
}

/** The name of a topology that has none of its own yet: its job is called after it from now on. */
function NewName({ text, change }: NewNameProps) {
  return (
    <label className="controls application-id">
      <span>Name</span>
      <input
        value={text}
        maxLength={MAX_LENGTHS.topologyName}
        placeholder="What it does"
        onChange={(event) => change(event.target.value)}
      />
    </label>
  );
}

interface MessageProps {
  readonly text: string;
  readonly change: (text: string) => void;
}

/** A note on the version for readers of the list of versions. */
function Message({ text, change }: MessageProps) {
  return (
    <label className="controls application-id">
      <span>Message (optional)</span>
      <input
        value={text}
        maxLength={MAX_LENGTHS.deployMessage}
        placeholder="What changes"
        onChange={(event) => change(event.target.value)}
      />
    </label>
  );
}

function OnCluster({ name }: { readonly name: string }) {
  return (
    <>
      Cluster: <code>{name}</code>.
    </>
  );
}

/** Warns of test cases that fail with the saved draft. Users can deploy it anyway. */
function FailingCases({ topology }: { readonly topology: number }) {
  const { data } = useResource(useCallback(() => runCases(topology, null), [topology]));
  const words = data === null ? null : describeFailures(data);
  return words === null ? null : <Notice tone="warn" title={`${words}.`} />;
}

/** The topology to run, in the words of Kafka Streams' `Topology#describe`. */
function Description({ preview: { tasks, description } }: { readonly preview: Preview }) {
  const all = tasks.reduce((sum, count) => sum + count, 0);
  return (
    <details className="deploy-fold">
      <summary>
        <b>Topology</b>{" "}
        <span className="quiet">
          {tasks.length === 1 ? "1 sub-topology" : `${tasks.length} sub-topologies`}, {formatAmount(all, "task")}
        </span>
      </summary>
      <pre role="region" tabIndex={0} aria-label="Description of the topology">
        {description}
      </pre>
    </details>
  );
}

interface ApplicationIdProps {
  readonly preview: Preview;
  /** Typed instead of the proposed id, without the prefix. Null while unchanged. */
  readonly slug: string | null;
  readonly change: (slug: string) => void;
}

const NAMES = "Names the consumer group, the transactions, the dead-letter topic and the checkpoint.";

/** The id of the job on Kafka: users can choose it at the first deploy, and see it later. */
function ApplicationId({ preview: { job, application_id, prefix }, slug, change }: ApplicationIdProps) {
  if (job !== null) {
    return (
      <p className="quiet" title={NAMES}>
        Application id: <code>{application_id}</code>
      </p>
    );
  }
  return (
    <label className="controls application-id">
      <span>Application id</span>
      <span className="row">
        {prefix !== "" && <code>{prefix}</code>}
        <input
          value={slug ?? application_id.slice(prefix.length)}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change(event.target.value)}
        />
      </span>
      <small className="quiet">{NAMES} It cannot be changed after the first deploy.</small>
    </label>
  );
}

interface RunsOnProps {
  /** The Spark cluster. Empty: the host of an agent. */
  readonly spark: string;
  /** The job's share of its cores, in words. */
  readonly room: string;
  readonly choose: (spark: string) => void;
}

const THIS_HOST = "A host of Streamwright";

/** The place of the job. Shown only if there is a choice. */
function RunsOn({ spark, room, choose }: RunsOnProps) {
  const options = useResource(listSparkClusters).data?.clusters ?? [];
  const choice = options.find((cluster) => cluster.name === spark);
  const root = choice?.checkpoint_root ?? "";
  if (options.length === 0) return null;
  return (
    <label className="controls application-id">
      <span>Runs on</span>
      <span className="row">
        <select value={spark} onChange={(event) => choose(event.target.value)}>
          <option value="">{THIS_HOST}</option>
          {options.map(({ name }) => (
            <option key={name} value={name}>
              Spark cluster {name}
            </option>
          ))}
        </select>
      </span>
      <small className="quiet">
        {choice === undefined
          ? "All processes of the job run on the host of its agent."
          : `Executors run at ${choice.master}.${root && ` The checkpoint is in ${root}.`}`}{" "}
        State moves with the job. <Prose text={room} />
      </small>
    </label>
  );
}
