import { useState } from "react";
import { toRefusal, type Refusal } from "../../api/refusal";
import { hrefs } from "../../ui/routing/route";
import { openPath } from "../../ui/routing/usePath";

/** Opens a topology in the editor once it is made. `begin` takes the id that the server is about to give. */
export function useBeginning() {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const begin = async (making: Promise<number>) => {
    setBusy(true);
    try {
      openPath(hrefs.editor(await making));
    } catch (error) {
      setRefusal(toRefusal(error));
      setBusy(false);
    }
  };
  return { isBusy, refusal, begin };
}
