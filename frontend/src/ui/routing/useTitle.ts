import { useEffect } from "react";

const PRODUCT = "Streamwright";

/** The name of the tab for a screen. Without one, the product's name. */
export function useTitle(name = ""): void {
  useEffect(() => {
    document.title = name === "" ? PRODUCT : `${name} · ${PRODUCT}`;
  }, [name]);
}
