"""Whether Tab walks a page's fields as one reads them."""

from __future__ import annotations

from playwright.sync_api import Page

OUT_OF_ORDER = """() => {
  const FIELD = "input, select, textarea, [contenteditable='true']";
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.tabIndex >= 0;
  const nameOf = (element) => element.ariaLabel ?? element.labels?.[0]?.innerText ?? element.id;
  const found = [];
  for (const form of document.querySelectorAll("form, dialog, [role=dialog], aside, li")) {
    const fields = [...form.querySelectorAll(FIELD)].filter(isShown);
    fields.slice(1).forEach((field, index) => {
      const [before, here] = [fields[index], field].map((one) => one.getBoundingClientRect());
      const isAbove = here.bottom <= before.top && here.left < before.right;
      const isLeft = here.right <= before.left && here.bottom > before.top && here.top < before.bottom;
      if (isAbove || isLeft) found.push(`${nameOf(field)} stands before ${nameOf(fields[index])}`);
    });
    const last = fields.at(-1);
    if (form.tagName !== "LI" || last === undefined) continue;
    for (const button of [...form.querySelectorAll("button")].filter(isShown)) {
      const isEarly = button.compareDocumentPosition(last) & Node.DOCUMENT_POSITION_FOLLOWING;
      if (isEarly && /^(Remove|Move) /.test(nameOf(button))) found.push(`${nameOf(button)} comes before a field`);
    }
  }
  return [...new Set(found)];
}"""
"""Fields that stand before the one that Tab leaves, and buttons of a row that come before its last field."""


def out_of_order(page: Page) -> list[str]:
    """What is walked against the order of reading, in forms, dialogs, side panels and rows of lists."""
    found: list[str] = page.evaluate(OUT_OF_ORDER)
    return found
