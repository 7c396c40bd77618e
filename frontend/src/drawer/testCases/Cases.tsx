import { useState } from "react";
import { keepCase } from "../../api/calls";
import { useDocument, useInterface, useInterfaceActions } from "../../editor/interface/useEditor";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";
import { CaseDetails } from "./CaseDetails";
import { CaseNameDialog } from "../trials/CaseNameDialog";
import { describePasses, findCurrentCase, WORDS } from "./cases";
import { useCases } from "./useCases";
import type { Verdict } from "../../api/types";
import "./Cases.css";
import "../../ui/display/Status.css";

const NONE =
  "No test cases yet. Try your own records under Trial, then keep them as a test case. " +
  "Streamwright reruns the test after each change and compares the output.";

/** The topology's test cases, whether they pass with the draft, and the current one. */
export function Cases() {
  const { topology, data, refusal, reload, isOld } = useCases();
  const { openDrawer } = useInterfaceActions();
  const edits = useInterface((editor) => editor.writtenCases);
  const why = useDocument((editor) => editor.whyReadOnly);
  const [pickedId, setPickedId] = useState<number | null>(null);
  const [isNaming, setNaming] = useState(false);
  if (refusal !== null && data === null) return <RefusalNotice refusal={refusal} />;
  if (data === null) return <p className="nothing">Trying …</p>;
  const { cases, verdicts } = data;
  const current = findCurrentCase(cases, verdicts, pickedId);
  const wrong = refusal ?? data.refusal;
  const addCase = async (name: string) => {
    const { id } = await keepCase(topology, { name, records: "", expected: "" });
    setPickedId(id);
    await reload();
  };
  return (
    <>
      <div className="controls">
        {verdicts.size > 0 && <span className="number">{describePasses([...verdicts.values()])}</span>}
        {cases.length > 0 && <Button onClick={() => void reload()}>Try again</Button>}
        <Button why={why} onClick={() => setNaming(true)}>
          New test case
        </Button>
        <span className="remark">{isOld && "trying …"}</span>
      </div>
      {isNaming && (
        <CaseNameDialog title="New test case" verb="Create" act={addCase} close={() => setNaming(false)} />
      )}
      {wrong !== null && <RefusalNotice refusal={wrong} />}
      {current === null ? (
        <div className="nothing no-cases">
          <p>{NONE}</p>
          <Button onClick={() => openDrawer("trial")}>Go to Trial</Button>
        </div>
      ) : (
        <div className="case-panes">
          <ul className="case-list" aria-label="Test cases">
            {cases.map(({ id, name }) => (
              <li key={id}>
                <button type="button" aria-current={id === current.id} title={name} onClick={() => setPickedId(id)}>
                  <span className="case-name">{name}</span>
                  {edits.has(id) && <span className="quiet">not saved</span>}
                  <VerdictWord verdict={verdicts.get(id)?.verdict} />
                </button>
              </li>
            ))}
          </ul>
          <CaseDetails
            key={current.id}
            topology={topology}
            test={current}
            verdict={verdicts.get(current.id)}
            reload={reload}
          />
        </div>
      )}
    </>
  );
}

/** Tries the test cases after each edit while another tab is open, so that the tab says how many fail. */
export function CasesInBackground() {
  useCases();
  return null;
}

/** The result of a test case, in its colour. */
function VerdictWord({ verdict }: { readonly verdict: Verdict["verdict"] | undefined }) {
  if (verdict === undefined) return <span className="status">Not tried</span>;
  const { word, tone } = WORDS[verdict];
  return <span className={`status ${tone}`}>{word}</span>;
}
