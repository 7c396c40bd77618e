import { useEffect, useRef, useState } from "react";
import { produce } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { NewRecord } from "../../api/types";
import type { Repeating } from "./RepeatPart";
import { NO_PROGRESS, sendAll, sendAtRate, takeTurn } from "./repeating";
import { makeRecords, makeRequest, type RecordForm } from "./sending";

/** Sends the records of a form, until all are sent, `stop` is called, or the dialog closes. */
export function useSend(cluster: string, topic: string, onSend?: () => void) {
  const [progress, setProgress] = useState(NO_PROGRESS);
  const [isBusy, setBusy] = useState(false);
  const [refusal, refuse] = useState<Refusal | null>(null);
  const hasStopped = useRef(false);
  const stop = () => {
    hasStopped.current = true;
  };
  useEffect(() => {
    hasStopped.current = false;
    return () => {
      hasStopped.current = true;
    };
  }, []);

  const send = async (form: RecordForm, { isOn, rate, amount }: Repeating) => {
    hasStopped.current = false;
    setBusy(true);
    refuse(null);
    setProgress(NO_PROGRESS);
    try {
      const records = makeRecords(form);
      const write = (some: readonly NewRecord[]) =>
        produce(cluster, topic, makeRequest(some, form.formats, form.schemas));
      const again = (turn: number, from: number) => write(takeTurn(records, turn, from));
      const isStopped = () => hasStopped.current;
      if (isOn) await sendAtRate(Number(rate), Number(amount), again, setProgress, isStopped);
      else await sendAll(records, write, setProgress, isStopped);
    } catch (error) {
      refuse(toRefusal(error));
    }
    onSend?.();
    setBusy(false);
  };
  return { send, stop, progress, isBusy, refusal, refuse };
}
