import { useCallback, useEffect, useState } from "react";
import { useWhyNot } from "../../../api/rights";
import { Link } from "../../../ui/routing/Link";
import { Mark } from "../../../ui/icons/Mark";
import { hrefs } from "../../../ui/routing/route";
import { useDocument, useInterface, useInterfaceActions } from "../../../editor/interface/useEditor";
import { useDeployment } from "../../../editor/interface/useDeployment";
import { Button } from "../../../ui/controls/Button";
import { ConflictNotice } from "./saving/ConflictNotice";
import { DeletedTopology } from "./DeletedTopology";
import { JobNotice } from "./job/JobNotice";
import { JobState } from "./job/JobState";
import { MoreMenu } from "./MoreMenu";
import { Name } from "./Name";
import { Questions } from "./questions/Questions";
import { SavedWord } from "./saving/SavedWord";
import { TransientNotice, type Word } from "./parts/TransientNotice";
import { UndoButtons } from "./UndoButtons";
import { useDeploying } from "./job/useDeploying";
import { useEquality } from "./saving/useEquality";
import { usePresence } from "./saving/usePresence";
import { useJobStatus } from "./job/useJobStatus";
import { useRunningVersion } from "../../../live/useRunningVersion";
import { ViewSwitch } from "./ViewSwitch";
import "./Toolbar.css";

export function HomeLink() {
  return (
    <Link href={hrefs.home} className="brand" title="All topologies" aria-label="Streamwright: all topologies">
      <Mark />
    </Link>
  );
}

/** The topology's name, its saving, undo and redo, its job's state, deploy and stop. */
export function Toolbar() {
  const { topology, job, reload } = useDeployment();
  const why = useWhyNot("operator", topology.project);
  const saving = useDocument((editor) => editor.saving);
  const view = useInterface((editor) => editor.view);
  const jobStatus = useJobStatus();
  const isEqual = useEquality();
  const asking = useInterface((editor) => editor.asking);
  const { ask } = useInterfaceActions();
  const [isRenaming, setRenaming] = useState(false);
  const [word, setWord] = useState<Word | null>(null);
  const isGone = usePresence(setWord);
  const deploying = useDeploying(() => {
    setWord(null);
    ask("deploy");
  }, setWord);
  useEffect(() => {
    if (asking === "check") deploying.press();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each time it is asked
  }, [asking]);
  const wasRead = useCallback(() => setWord(null), []);
  const showRefusal = useCallback((title: string, text: string) => setWord({ tone: "bad", title, text }), []);

  const isChanged = jobStatus !== null && job !== null && jobStatus.version !== job.version;
  useEffect(() => {
    if (isChanged) void reload(); // another user deployed another version
  }, [isChanged, reload]);

  const number = useRunningVersion(job, jobStatus);
  const isVersion = isEqual === true || view !== "draft";
  const isStopped = job !== null && jobStatus?.desired !== "running";
  return (
    <header className="toolbar">
      <div className="bar">
        <HomeLink />
        <Name isEditing={isRenaming} edit={setRenaming} say={setWord} />
        <span className="version number">{number !== null && isVersion ? `Version ${number}` : "Draft"}</span>
        <SavedWord />
        <UndoButtons />
        {number !== null && <ViewSwitch isEqual={isEqual} version={number} />}
        <span className="gap" />
        {number !== null && jobStatus !== null && <JobState jobStatus={jobStatus} version={number} />}
        <Button icon="deploy" look="primary" isBusy={deploying.isBusy} why={why} onClick={() => ask("check")}>
          Deploy
        </Button>
        <Button
          icon={isStopped ? "restart" : "stop"}
          disabled={job === null}
          why={why}
          onClick={() => ask(isStopped ? "start" : "stop")}
        >
          {isStopped ? "Start" : "Stop"}
        </Button>
        <MoreMenu ask={ask} rename={() => setRenaming(true)} onRefuse={showRefusal} />
      </div>
      {saving.word === "conflict" && <ConflictNotice conflict={saving.conflict} say={setWord} />}
      {word !== null && <TransientNotice word={word} close={wasRead} />}
      {job !== null && jobStatus !== null && (
        <JobNotice jobStatus={jobStatus} restart={() => ask("restart")} />
      )}
      {asking !== null && asking !== "check" && <Questions asking={asking} say={setWord} close={() => ask(null)} />}
      {isGone && <DeletedTopology />}
    </header>
  );
}
