import { useState } from "react";
import { endSilence, listSilences } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { Kind, Silence } from "../../api/types";
import { useResource } from "../../api/useResource";
import { usePolling } from "../../api/usePolling";
import { formatMoment } from "../../ui/text/format";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";
import { Panel } from "../../ui/display/Panel";
import { TableHead } from "../../ui/display/TableHead";
import { describeCoverage } from "./text";

const LOOK_MS = 10_000;
const GONE = 404;

interface Props {
  readonly kinds: readonly Kind[];
  readonly onChange: () => Promise<void>;
  /** Why the user may not end silences of a job, or of all jobs and hosts. */
  readonly explain: (job: number | null) => string | null;
}

/** The current silences. Empty if there are none. */
export function SilencesPanel({ kinds, onChange, explain }: Props) {
  const { data, reload } = useResource(listSilences);
  usePolling(reload, LOOK_MS);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  if (data === null || data.length === 0) return null;
  const end = async (silence: Silence) => {
    setRefusal(null);
    try {
      await endSilence(silence);
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal.status !== GONE) {
        setRefusal(refusal);
        return;
      }
    }
    await onChange();
  };
  return (
    <Panel title="Silences">
      <div className="table-scroll">
        <table>
          <TableHead words={["What", "Until", "Why", "By"]} action="Actions" />
          <tbody>
            {data.map((silence) => (
              <tr key={silence.id}>
                <th scope="row">{describeCoverage(silence, kinds)}</th>
                <td>{formatMoment(Date.parse(silence.until))}</td>
                <td className="what">{silence.why}</td>
                <td>{silence.by}</td>
                <td className="actions">
                  <Button why={explain(silence.job)} onClick={() => void end(silence)}>
                    End
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </Panel>
  );
}
