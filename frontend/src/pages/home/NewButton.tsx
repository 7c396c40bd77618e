import { useState } from "react";
import { useWhyNot } from "../../api/rights";
import { Button } from "../../ui/controls/Button";
import { NewDialog } from "./NewDialog";

/** Asks how a new topology begins. */
export function NewButton() {
  const [isAsking, setAsking] = useState(false);
  const why = useWhyNot("editor");
  return (
    <>
      <Button look="primary" why={why} onClick={() => setAsking(true)}>
        New topology
      </Button>
      {isAsking && <NewDialog close={() => setAsking(false)} />}
    </>
  );
}
