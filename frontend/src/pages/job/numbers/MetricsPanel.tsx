import { useCallback, useMemo, useState } from "react";
import { fetchPastNumbers, makeMetricsAddress } from "../../../api/calls";
import type { PastNumbers } from "../../../api/types";
import { useResource } from "../../../api/useResource";
import { usePolling } from "../../../api/usePolling";
import { Engines } from "./Engines";
import { Chart } from "../../../drawer/metrics/Chart";
import { formatMoment } from "../../../ui/text/format";
import { Panel } from "../../../ui/display/Panel";
import { RefusalNotice } from "../../../ui/messages/Notice";
import { chooseLooks, isKnown, makeLines, OF_JOB, OF_NODE, SPANS, type PastChart, type Span } from "./past";
import "./MetricsPanel.css";

interface Props {
  readonly job: number;
  readonly nodes: readonly { readonly id: string }[];
}

const LOOK_MS = 30_000;

/** The numbers of a job or of one of its nodes, for an hour up to a week. */
export function MetricsPanel({ job, nodes }: Props) {
  const [span, setSpan] = useState<Span>("hour");
  const [node, setNode] = useState("");
  const [hasBefore, setHasBefore] = useState(false);
  const [isLog, setIsLog] = useState(false);
  const ask = useCallback(
    async () => ({ node, numbers: await fetchPastNumbers(job, span, node, hasBefore) }),
    [job, span, node, hasBefore],
  );
  const { data: found, refusal, reload } = useResource(ask);
  const data = found?.node === node ? found.numbers : null;
  usePolling(reload, LOOK_MS);
  const phrase = SPANS.find(({ value }) => value === span)?.phrase ?? "";
  return (
    <Panel title="Metrics" aside={<a href={makeMetricsAddress(job, span, node)}>Export as CSV</a>}>
      <div className="past-choices">
        <select aria-label="Node" value={node} onChange={({ target }) => setNode(target.value)}>
          <option value="">Whole job</option>
          {nodes.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </select>
        <div className="chips" role="group" aria-label="Time">
          {SPANS.map(({ value, word }) => (
            <button key={value} type="button" aria-pressed={value === span} onClick={() => setSpan(value)}>
              {word}
            </button>
          ))}
        </div>
        <label>
          <input type="checkbox" checked={hasBefore} onChange={({ target }) => setHasBefore(target.checked)} />
          Compare with yesterday
        </label>
        <label>
          <input type="checkbox" checked={isLog} onChange={({ target }) => setIsLog(target.checked)} />
          Logarithmic
        </label>
      </div>
      <Engines job={job} />
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {data !== null && !isKnown(data) && (
        <p className="nothing">No numbers for this period. Streamwright stores each minute once it is over.</p>
      )}
      {data !== null && isKnown(data) && (
        <Charts charts={node === "" ? OF_JOB : OF_NODE} numbers={data} span={phrase} isLog={isLog} />
      )}
    </Panel>
  );
}

interface ChartsProps {
  readonly charts: readonly PastChart[];
  readonly numbers: PastNumbers;
  readonly span: string;
  readonly isLog: boolean;
}

function Charts({ charts, numbers, span, isLog }: ChartsProps) {
  const marks = useMemo(() => numbers.marks.map(({ at }) => Date.parse(at) / 1_000), [numbers]);
  const hasBefore = numbers.before !== null;
  const plots = useMemo(
    () => charts.map((each) => ({ ...each, lines: makeLines(each, numbers), looks: chooseLooks(each, hasBefore) })),
    [charts, numbers, hasBefore],
  );
  return (
    <>
      <div className="past-charts">
        {plots.map((each) => (
          <Chart key={each.title} {...each} span={span} isLog={isLog} marks={marks} />
        ))}
      </div>
      {numbers.marks.length > 0 && (
        <ul className="past-marks" aria-label="Starts of runs">
          {numbers.marks.map(({ at, text }) => (
            <li key={at}>
              <time dateTime={at}>{formatMoment(Date.parse(at))}</time> {text}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
