import { useState } from "react";
import { changeCase, deleteCase } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { CaseChange, TestCase, Verdict } from "../../api/types";
import type { WrittenCase } from "../../editor/interface/interfaceStore";
import { useDocument, useInterface, useInterfaceActions } from "../../editor/interface/useEditor";
import { Button } from "../../ui/controls/Button";
import { Confirm } from "../../ui/messages/Confirm";
import { Notice, RefusalNotice } from "../../ui/messages/Notice";
import { CaseNameDialog } from "../trials/CaseNameDialog";
import { Lines } from "../trials/Lines";
import { mergeEdits } from "./cases";

interface Props {
  readonly topology: number;
  readonly test: TestCase;
  readonly verdict: Verdict | undefined;
  readonly reload: () => Promise<void>;
}

const RECORDS = '{"topic": "orders", "key": "a", "value": {"amount": 3}, "timestamp": 1000}';
const EXPECTED = '{"topic": "totals", "key": "a", "value": {"total": 3}}';
const HINT =
  "Records that leave the topology, one per line. Order matters within a topic and key. " +
  "Times are compared only where you write them.";

/** One test case: its difference, its editable lines, and its actions. */
export function CaseDetails({ topology, test, verdict, reload }: Props) {
  const { tryOwn, openDrawer, writeCase, settleCase } = useInterfaceActions();
  const edits = useInterface((editor) => editor.writtenCases.get(test.id) ?? null);
  const why = useDocument((editor) => editor.whyReadOnly);
  const [asking, setAsking] = useState<"rename" | "delete" | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { records, expected } = edits ?? test;
  const outcome = verdict?.given ?? null;

  const change = async (part: Partial<CaseChange>) => {
    const { revision } = await changeCase(topology, test.id, { revision: test.revision, ...part });
    await reload();
    if (edits !== null) settleCase(test.id, edits, revision);
  };
  const save = async (saving: Promise<void>) => {
    setBusy(true);
    setRefusal(null);
    try {
      await saving;
    } catch (error) {
      setRefusal(toRefusal(error));
    } finally {
      setBusy(false);
    }
  };
  const write = (text: Partial<Pick<WrittenCase, "records" | "expected">>) =>
    writeCase(test.id, mergeEdits(test, edits, text));
  const discard = () => {
    writeCase(test.id, null);
    setRefusal(null);
  };
  const tryRecords = () => {
    tryOwn(records);
    openDrawer("trial");
  };
  return (
    <section className="case-details" aria-label={`Test case ${test.name}`}>
      <div className="controls">
        {edits !== null && (
          <>
            <Button look="primary" isBusy={isBusy} why={why} onClick={() => void save(change(edits))}>
              Save
            </Button>
            <Button onClick={discard}>Discard</Button>
          </>
        )}
        {edits === null && outcome !== null && (
          <Button isBusy={isBusy} why={why} onClick={() => void save(change({ expected: outcome }))}>
            Accept current output
          </Button>
        )}
        <Button onClick={tryRecords}>Try these records</Button>
        <Button why={why} disabled={edits !== null} onClick={() => setAsking("rename")}>
          Rename
        </Button>
        <Button look="danger" why={why} onClick={() => setAsking("delete")}>
          Delete
        </Button>
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {verdict !== undefined && verdict.why !== "" && <Notice tone="warn" title={verdict.why} />}
      {verdict?.difference != null && <Difference difference={verdict.difference} />}
      <div className="case-texts">
        <label>
          Records
          <Lines label="Records" placeholder={RECORDS} lines={records} write={(text) => write({ records: text })} />
        </label>
        <label title={HINT}>
          Expected, in order within each topic and key
          <Lines label="Expected" placeholder={EXPECTED} lines={expected} write={(text) => write({ expected: text })} />
        </label>
      </div>
      {asking === "rename" && (
        <CaseNameDialog
          title="Rename test case"
          verb="Rename"
          name={test.name}
          act={(name) => change({ name })}
          close={() => setAsking(null)}
        />
      )}
      {asking === "delete" && (
        <Confirm
          title={`Delete the test case ${test.name}?`}
          verb="Delete"
          look="danger"
          act={async () => {
            await deleteCase(topology, test.id);
            await reload();
          }}
          close={() => setAsking(null)}
        >
          <p>This deletes its records and expected output. The topology does not change.</p>
        </Confirm>
      )}
    </section>
  );
}

/** The first difference: the expected line above the actual one. */
function Difference({ difference }: { readonly difference: NonNullable<Verdict["difference"]> }) {
  const { expected, given, at } = difference;
  return (
    <dl className="difference">
      <dt>Expected</dt>
      <dd>{expected === null ? <i className="quiet">nothing more</i> : <code>{expected}</code>}</dd>
      <dt>Got</dt>
      <dd>{given === null ? <i className="quiet">nothing</i> : <code>{given}</code>}</dd>
      {at !== "" && (
        <>
          <dt>Differs at</dt>
          <dd>
            <code>{at}</code>
          </dd>
        </>
      )}
    </dl>
  );
}
