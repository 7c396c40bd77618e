import { useEffect } from "react";

const PRODUCT = "Streamwright";

/** The name of the tab while a screen is shown; the product's own without a name. */
export function useTitle(name = ""): void {
  useEffect(() => {
    document.title = name === "" ? PRODUCT : `${name} · ${PRODUCT}`;
  }, [name]);
}
