import { useState, type ReactNode } from "react";
import { toRefusal, type Refusal } from "../../api/refusal";
import { Button } from "../controls/Button";
import { Dialog } from "./Dialog";
import { RefusalNotice } from "./Notice";
import { useOwnClose } from "./useOwnClose";

interface Props {
  readonly title: string;
  readonly children: ReactNode;
  /** The verb on the button for the action: "Stop", "Deploy". */
  readonly verb: string;
  readonly look?: "primary" | "danger";
  readonly act: () => Promise<unknown>;
  readonly close: () => void;
}

/** Asks before an action that affects others. It shows a refusal and stays open. */
export function Confirm({ title, children, verb, look = "primary", act, close }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const closeThis = useOwnClose(close);

  const confirm = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      await act();
      closeThis();
    } catch (error) {
      setRefusal(toRefusal(error));
      setBusy(false);
    }
  };

  const action = (
    <Button look={look} isBusy={isBusy} onClick={() => void confirm()}>
      {verb}
    </Button>
  );
  return (
    <Dialog title={title} close={close} action={action}>
      {children}
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </Dialog>
  );
}
