import { useCallback, useState } from "react";
import { fetchSampleData, playSampleData, removeSampleData, type SampleData } from "../../api/feed";
import { toRefusal, type Refusal } from "../../api/refusal";
import { useWhyNot } from "../../api/rights";
import { usePolling } from "../../api/usePolling";
import { useResource } from "../../api/useResource";
import { Button } from "../../ui/controls/Button";
import { Confirm } from "../../ui/messages/Confirm";
import { RefusalNotice } from "../../ui/messages/Notice";
import { hrefs } from "../../ui/routing/route";
import { openPath } from "../../ui/routing/usePath";
import { noteHeight } from "../flow/room";
import "./SamplePanel.css";

const POLL_MS = 10_000;

interface Props {
  readonly topology: number;
  readonly project: string;
}

/** Plays and pauses the records of an application that runs with sample data, and takes everything away again. */
export function SampleDataPanel({ topology, project }: Props) {
  const { data, reload } = useResource(useCallback(() => fetchSampleData(topology), [topology]));
  usePolling(reload, POLL_MS);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const why = useWhyNot("operator", project);
  if (data === null) return null;

  const play = async (isPlaying: boolean) => {
    setRefusal(null);
    await playSampleData(topology, isPlaying).then(reload, (error: unknown) => setRefusal(toRefusal(error)));
  };
  return (
    <section className="sample-panel" aria-label="Sample data" ref={noteHeight}>
      <div className="body">
        <p>
          <b>Sample data</b> <span className="quiet">{describePlaying(data)}</span>
        </p>
        <div className="buttons">
          <Button why={why} onClick={() => void play(!data.is_playing)}>
            {data.is_playing ? "Pause" : "Play"}
          </Button>
          <RemoveButton data={data} why={why} />
        </div>
        {refusal !== null && <RefusalNotice refusal={refusal} />}
      </div>
    </section>
  );
}

function RemoveButton({ data, why }: { readonly data: SampleData; readonly why: string | null }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button look="danger" why={why} onClick={() => setAsking(true)}>
        Remove
      </Button>
      {isAsking && <RemoveQuestion data={data} close={() => setAsking(false)} />}
    </>
  );
}

interface RemoveQuestionProps {
  readonly data: SampleData;
  readonly close: () => void;
}

/** Asks, then takes away all that "Run with sample data" made. */
export function RemoveQuestion({ data, close }: RemoveQuestionProps) {
  const remove = async () => {
    await removeSampleData(data.topology);
    openPath(hrefs.home);
  };
  return (
    <Confirm title="Remove this example?" verb="Remove" look="danger" act={remove} close={close}>
      <p>Its job stops. Then the job, this topology and its topics with all records are deleted:</p>
      <ul className="mono">
        {data.topics.map((topic) => (
          <li key={topic}>{topic}</li>
        ))}
      </ul>
    </Confirm>
  );
}

/** "playing until 14:05" */
export function describePlaying({ is_playing, plays_until }: Pick<SampleData, "is_playing" | "plays_until">): string {
  if (!is_playing) return "paused";
  return `playing until ${new Date(plays_until).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
}
