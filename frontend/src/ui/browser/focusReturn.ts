import { useEffect } from "react";

/** Remembers where the focus is when a component appears that takes it, and gives it back when that goes. */
export function useFocusReturn(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => returnFocus(before);
  }, []);
}

/** Moves the focus to a place if what had it is gone. Wherever else it is by now, it stays. */
export function returnFocus(place: Element | null): void {
  if (document.activeElement === document.body && place instanceof HTMLElement) place.focus({ preventScroll: true });
}
