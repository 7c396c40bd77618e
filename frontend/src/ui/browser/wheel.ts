/** The wheel over a number that has the focus scrolls, as elsewhere. The browser would change the number instead. */
export function keepNumbersFromWheel(): void {
  window.addEventListener("wheel", letGo, { capture: true, passive: true });
}

/** The field is without the focus while the browser decides what the wheel does. Then keys go to the field again. */
function letGo({ target: field }: WheelEvent): void {
  if (!(field instanceof HTMLInputElement) || field.type !== "number" || field !== document.activeElement) return;
  field.blur();
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) field.focus({ preventScroll: true });
  });
}
