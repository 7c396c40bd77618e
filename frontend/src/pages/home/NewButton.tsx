import { useState } from "react";
import { Button } from "../../parts/Button";
import { NewDialog } from "./NewDialog";

/** Asks with what a new topology begins. */
export function NewButton() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setAsking(true)}>
        New topology
      </Button>
      {asking && <NewDialog close={() => setAsking(false)} />}
    </>
  );
}
