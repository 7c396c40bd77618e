import { Fragment, useCallback, useEffect, useState } from "react";
import { keepCase, tryOut } from "../../api/calls";
import { readRefusal } from "../../api/refusal";
import type { Trial as Answer, TrialResult } from "../../api/types";
import { useResource } from "../../api/useResource";
import { useStableValue } from "../../api/useStableValue";
import { stopFollowing, useFollowing } from "../../editor/interface/following";
import type { Document } from "../../editor/document/document";
import { useCluster } from "../../editor/interface/useCluster";
import { useContentKey } from "../../editor/interface/useContentKey";
import { useDocument, useEditing, useInterface, useInterfaceActions } from "../../editor/interface/useEditor";
import { useShownGraph } from "../../editor/comparing/useShownGraph";
import { listOutputs } from "../../editor/graph/ports";
import { formatAmount } from "../../ui/text/format";
import { Button } from "../../ui/controls/Button";
import { Notice, RefusalNotice } from "../../ui/messages/Notice";
import { Prose } from "../../ui/messages/Prose";
import { CaseNameDialog } from "./CaseNameDialog";
import { Follow } from "./Follow";
import { FollowButton } from "./FollowButton";
import { InputActions } from "./InputActions";
import { Lines } from "./Lines";
import { TableRow } from "../tables/TableRow";
import {
  describeDrops,
  describeResult,
  findPlace,
  groupFailures,
  writeLines,
  type Place,
} from "./trying";
import { keep as keepText, readKept } from "../../ui/browser/kept";
import { TableHead } from "../../ui/display/TableHead";
import { useGrowing } from "../feed/useGrowing";
import "../records/RecordsTable.css";
import "./Trial.css";

const SETTLED_MS = 500;
/** The number of reasons for failed records to show, and of records for each. */
const SHOWN = { reasons: 3, records: 3 };
const NEWEST = "the newest records";
const OWN = "my own records";
const KEEP =
  "Keeps these records and the current output. Streamwright reruns the test after each change and compares the output.";
const EXAMPLE = '{"topic": "orders", "key": "a", "value": {"amount": 3}, "timestamp": 1000}';

/** The output of the graph at an edge or node, or the path of the followed record. */
export function Trial() {
  const target = useFollowing((following) => following.target);
  const through = useFollowing((following) => following.through);
  useEffect(() => stopFollowing, []);
  return target === null ? <Outputs /> : <Follow key={`${JSON.stringify(target)} ${through}`} target={target} />;
}

/** The records that leave an edge or node for the topics' newest records. Runs again after each edit. */
function Outputs() {
  const { rules } = useEditing();
  const { graph } = useShownGraph();
  const cluster = useCluster();
  const selection = useInterface((editor) => editor.selection);
  const contentKey = useContentKey(graph, SETTLED_MS);
  const portsOf = (id: string) =>
    listOutputs(graph.nodes.find((node) => node.id === id), rules.operators).map(({ name }) => name);
  const topology = useDocument((editor) => editor.topology);
  const lines = useInterface((editor) => editor.ownRecords);
  const { tryOwn, openDrawer } = useInterfaceActions();
  const own = (text: string | null) => {
    tryOwn(text);
    if (text !== null) keepText("trial", topology, text);
  };
  const place = findPlace(graph, selection, portsOf);
  if (place === null) return <p className="nothing">Select an edge or a node to see its output.</p>;
  return (
    <TrialOf
      key={`${place.node} ${place.port}`}
      place={place}
      ports={portsOf(place.node)}
      contentKey={contentKey}
      cluster={cluster}
      lines={lines}
      write={own}
      keptLines={() => readKept("trial", topology)}
      keep={async (name) => {
        const document = JSON.parse(contentKey) as Document;
        await keepCase(topology, { name, records: lines ?? "", expected: null, ...document });
        openDrawer("cases");
      }}
    />
  );
}

interface Props {
  readonly place: Place;
  readonly ports: readonly string[];
  /** The document as text. */
  readonly contentKey: string;
  readonly cluster: string;
  /** The user's own records, one a line. Null: tries the newest. */
  readonly lines: string | null;
  readonly write: (lines: string | null) => void;
  readonly keptLines: () => string | null;
  /** Keeps them as a test case with that name. */
  readonly keep: (name: string) => Promise<void>;
}

function TrialOf({ place, ports, contentKey, cluster, lines, write, keptLines, keep }: Props) {
  const [port, setPort] = useState(place.port);
  const whyReadOnly = useDocument((editor) => editor.whyReadOnly);
  const [isNaming, setNaming] = useState(false);
  const { node } = place;
  const records = useStableValue(lines, SETTLED_MS);
  const {
    data: result,
    refusal,
    reload,
  } = useResource(
    useCallback(
      async () => {
        const answer = await tryOut(JSON.parse(contentKey) as Document, node, cluster, records);
        return { contentKey, records, answer };
      },
      [contentKey, node, cluster, records],
    ),
  );
  const data = result?.answer ?? null;
  const isOld = result !== null && (result.contentKey !== contentKey || result.records !== records);
  const words = data === null || isOld ? "trying …" : describeResult(data, port, records !== null);
  const summary = refusal === null && words;
  return (
    <>
      <div className="controls">
        <span>
          Output of <code>{node}</code>
        </span>
        {ports.length > 1 && (
          <label className="choice">
            port
            <select value={port} onChange={(event) => setPort(event.target.value)}>
              {ports.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
        <label className="choice">
          for
          <select
            value={lines === null ? NEWEST : OWN}
            onChange={(event) =>
              write(event.target.value === NEWEST ? null : (keptLines() ?? writeLines(data?.sources ?? [])))
            }
          >
            <option>{NEWEST}</option>
            <option>{OWN}</option>
          </select>
        </label>
        {lines === null ? (
          <Button onClick={() => void reload()}>Try again</Button>
        ) : (
          <>
            <Button onClick={() => write("")}>Clear</Button>
            <Button
              why={whyReadOnly}
              disabled={lines.trim() === ""}
              title={whyReadOnly ?? KEEP}
              onClick={() => setNaming(true)}
            >
              Keep as test case
            </Button>
          </>
        )}
        <span className="remark number">{summary}</span>
      </div>
      {isNaming && (
        <CaseNameDialog title="Keep as test case" verb="Keep" act={keep} close={() => setNaming(false)}>
          <p>{KEEP}</p>
        </CaseNameDialog>
      )}
      <div className="trial-panes">
        {lines !== null && <Lines label="Your records" placeholder={EXAMPLE} lines={lines} write={write} />}
        <div className="trial-outcome">
          {refusal !== null && <RefusalNotice refusal={refusal} />}
          {refusal === null && data === null && <p className="nothing">Trying …</p>}
          {refusal === null && data !== null && (
            <Outcome answer={data} records={data.outputs[port]?.records ?? []} lines={lines} />
          )}
        </div>
      </div>
    </>
  );
}

interface OutcomeProps {
  readonly answer: Answer;
  readonly records: readonly TrialResult[];
  /** The user's own records of the trial. */
  readonly lines: string | null;
}

function Outcome({ answer, records, lines }: OutcomeProps) {
  const [openRow, setOpenRow] = useState<number | null>(null);
  const { rows: limitRows, onScroll } = useGrowing();
  const drops = describeDrops(answer.dropped);
  const hasWindows = records.some(({ window }) => window !== null);
  return (
    <div className="record-list" onScroll={onScroll}>
      {answer.stopped !== null && <RefusalNotice refusal={readRefusal(422, answer.stopped)} />}
      <FailureGroup failures={answer.failed} lines={lines} />
      {drops !== "" && <Notice tone="info" title={`Dropped at ${drops}.`} />}
      {records.length === 0 && <p className="nothing">None of the tried records reaches this point.</p>}
      {records.length > 0 && (
        <table className={`records of-trial ${hasWindows ? "of-windows" : ""}`} aria-label="Tried records">
          <TableHead words={["Key", ...(hasWindows ? ["Window"] : []), "Value", "Time", "Came from"]} />
          <tbody>
            {records
              .toReversed()
              .slice(0, limitRows)
              .map((record, index) => (
                <TableRow
                  key={index}
                  row={record}
                  from={<FollowButton origin={record.origin} lines={lines} />}
                  actions={() => <InputActions origin={record.origin} />}
                  isOpen={openRow === index}
                  toggle={() => setOpenRow(openRow === index ? null : index)}
                />
              ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function FailureGroup({ failures, lines }: Pick<OutcomeProps, "lines"> & { readonly failures: Answer["failed"] }) {
  if (failures.length === 0) return null;
  const reasons = groupFailures(failures);
  return (
    <Notice tone="warn" title={`${formatAmount(failures.length, "record")} failed.`}>
      <ul>
        {reasons.slice(0, SHOWN.reasons).map((records, index) => (
          <li key={index}>
            <code className="node">{records[0]?.node}</code> <Prose text={records[0]?.message ?? ""} />
            {records.slice(0, SHOWN.records).map(({ origin }) => (
              <Fragment key={Object.values(origin).join("/")}>
                {" "}
                <FollowButton origin={origin} lines={lines} />
              </Fragment>
            ))}
            {records.length > SHOWN.records && ` and ${formatAmount(records.length - SHOWN.records, "more", "more")}`}
          </li>
        ))}
        {reasons.length > SHOWN.reasons && (
          <li>and for {formatAmount(reasons.length - SHOWN.reasons, "other reason")}</li>
        )}
      </ul>
    </Notice>
  );
}

