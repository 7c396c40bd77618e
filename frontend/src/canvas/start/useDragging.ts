import { useEffect, useState } from "react";

/** Whether the user drags something over the page. */
export function useDragging(): boolean {
  const [wasDragged, setDragged] = useState(false);
  useEffect(() => {
    const begin = () => window.setTimeout(() => setDragged(true)); // an immediate change would end the drag in Chromium
    const over = () => setDragged(false);
    window.addEventListener("dragstart", begin);
    window.addEventListener("dragend", over);
    window.addEventListener("drop", over);
    return () => {
      window.removeEventListener("dragstart", begin);
      window.removeEventListener("dragend", over);
      window.removeEventListener("drop", over);
    };
  }, []);
  return wasDragged;
}
