import { useState } from "react";
import { useWhyNot } from "../../api/rights";
import { Button } from "../../parts/controls/Button";
import { NewDialog } from "./NewDialog";

/** Asks with what a new topology begins. */
export function NewButton() {
  const [asking, setAsking] = useState(false);
  const why = useWhyNot("editor");
  return (
    <>
      <Button look="primary" why={why} onClick={() => setAsking(true)}>
        New topology
      </Button>
      {asking && <NewDialog close={() => setAsking(false)} />}
    </>
  );
}
