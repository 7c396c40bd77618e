import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Button } from "./Button";

it("keeps the focus while it is busy, which a disabled button loses", () => {
  const drawn = (isBusy: boolean) =>
    renderToStaticMarkup(
      <Button isBusy={isBusy} disabled>
        Check
      </Button>,
    );

  expect(drawn(false)).toContain(' disabled=""');
  expect(drawn(true)).not.toContain(' disabled=""');
  expect(drawn(true)).toContain('aria-disabled="true"');
});
