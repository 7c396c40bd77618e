import { useEffect, useRef } from "react";

/** Closes a dialog that is still open: after an action that took long, its place may show another question. */
export function useOwnClose(close: () => void): () => void {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return () => {
    if (isOpen.current) close();
  };
}
