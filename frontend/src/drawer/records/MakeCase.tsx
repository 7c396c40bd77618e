import { useState, type ReactNode } from "react";
import { toRefusal, type Refusal } from "../../api/refusal";
import { useWhyNot } from "../../api/rights";
import type { MadeCase } from "../../api/types";
import { useInterfaceActions } from "../../editor/interface/useEditor";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";

interface Props {
  readonly project: string;
  readonly disabled?: boolean;
  readonly make: () => Promise<MadeCase>;
  /** Leads to the test cases. */
  readonly link: ReactNode;
  readonly label?: string;
}

/** Makes real traffic a test case, with what the running version makes of the fewest records that show it. */
export function MakeCase({ project, disabled = false, make, link, label = "Make this a test case" }: Props) {
  const why = useWhyNot("editor", project);
  const [isBusy, setBusy] = useState(false);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const keep = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      const made = await make();
      setNotes([`${made.case.name} is kept.`, ...made.notes]);
    } catch (error) {
      setRefusal(toRefusal(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button isBusy={isBusy} why={why} disabled={disabled} onClick={() => void keep()}>
        {label}
      </Button>
      {notes.length > 0 && (
        <span role="status">
          {notes.join(" ")} {link}
        </span>
      )}
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </>
  );
}

/** Opens the tab with the test cases. */
export function ShowCases() {
  const { openDrawer } = useInterfaceActions();
  return (
    <button type="button" className="follow" onClick={() => openDrawer("cases")}>
      Show the test cases
    </button>
  );
}
