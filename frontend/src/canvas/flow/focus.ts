/** Moves the focus from a form to its node. */
export function focusSelection(ids: Iterable<string>): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  const [id] = ids;
  if (id !== undefined) focusNode(id);
}

/** Focuses a node after it is drawn, unless the focus has moved: the next key is for that node. */
export function focusNode(id: string): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>(`.react-flow__node[data-id="${id}"]`)?.focus({ preventScroll: true });
  });
}
