import { useCallback, useState } from "react";
import { cutOver, deploy, fetchProof, previewDeploy, runCases } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { Deploy, Job, OnState, Preview, SettingsChange } from "../../api/types";
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
import { ApplicationId, RunsOn, TextLine } from "./DeployFields";
import { DeploySettings, StreamsSettings } from "./DeploySettings";
import { ProvedNotice } from "./ProvedNotice";
import { StateFold } from "./StateFold";
import { useNaming } from "./useNaming";
import { describeFailures } from "../../drawer/testCases/cases";
import { formatAmount } from "../../ui/text/format";
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
  const { topology = null, cluster = null, version = null } = deployment;
  const naming = useNaming(name, topology, preview.data?.job === null);
  const [message, setMessage] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [isAdopting, setAdopting] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const isOver = useLive(({ state }) => state?.jobStatus.status === "stopped" || state?.jobStatus.status === "failed");
  const { proof, isKnown: isProofKnown, isProved } = useProofOf(proving?.job ?? null);
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
      const refused = toRefusal(error);
      setRefusal(refused);
      setBusy(false);
      if (refused.code === "conflict") void preview.reload(); // another user has saved: show what it does now
    }
  };
  // left out, the choice of an earlier deploy that has not begun yet holds
  const onState = choice ?? (answer === "keep" ? answer : null);
  const run = async () => {
    await naming.save();
    const revision = preview.data?.revision ?? null;
    return deploy({ ...deployment, settings, spark, message, revision, on_state: onState });
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
          disabled={preview.data === null || (isUndecided && proof?.takes_state !== true)}
          why={isOther ? OTHER_SETTINGS : null}
          onClick={() => void confirm(() => cutOver(proving.job, onState ?? "keep"))}
        >
          Cut over
        </Button>
      )}
    </>
  );
  if (isAdopting && topology !== null) {
    return (
      <AdoptDialog
        name={name}
        topology={topology}
        cluster={cluster}
        job={naming.id ?? preview.data?.application_id ?? name}
        onDeploy={onDeploy}
        close={close}
      />
    );
  }
  const anyRefusal = refusal ?? preview.refusal;
  return (
    <Dialog title={`Deploy ${naming.name}?`} close={close} action={action}>
      {preview.data === null && preview.refusal === null && <p className="quiet">Checking topics and state …</p>}
      {preview.data !== null && (
        <>
          <p>
            {describeDeploy(preview.data.job === null, isOver, version !== null)}{" "}
            {cluster !== null && (
              <>
                Cluster: <code>{cluster}</code>.
              </>
            )}
          </p>
          {preview.data.is_moved && <p>{MOVED}</p>}
          {proof !== null && <ProvedNotice proof={proof} />}
          {naming.newName !== null && (
            <TextLine
              label="Name"
              text={naming.newName}
              hint="What it does"
              maxLength={MAX_LENGTHS.topologyName}
              change={naming.rename}
            />
          )}
          <ApplicationId preview={preview.data} slug={naming.id} change={naming.changeId} />
          {topology !== null && (
            <TextLine
              label="Message (optional)"
              text={message}
              hint="What changes"
              maxLength={MAX_LENGTHS.deployMessage}
              change={setMessage}
            />
          )}
          <RunsOn spark={preview.data.spark} room={preview.data.room} choose={setSpark} />
          {topology !== null && <FailingCases topology={topology} />}
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
          {topology !== null && preview.data.job === null && (
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

/** The proof of the change to a job, if one was made. Without a job there is none. */
function useProofOf(job: number | null) {
  const { data, refusal } = useResource(
    useCallback(async () => ({ proof: job === null ? null : await fetchProof(job) }), [job]),
  );
  const proof = data?.proof ?? null;
  const isProved = proof?.report != null && proof.outdated === "";
  // the buttons depend on it: none may be pressed while another could take its place
  return { proof, isKnown: data !== null || refusal !== null, isProved };
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
