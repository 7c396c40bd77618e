import { expect, it } from "vitest";
import { drawWindows, WIDTH } from "./drawWindows";

it("draws windows below each other, their grace behind them, and a dot for each time", () => {
  const picture = drawWindows({
    windows: [
      { start: 0, end: 100, times: [0, 50] },
      { start: 100, end: 200, times: [150] },
    ],
    grace_ms: 60,
  });

  expect(picture).toMatchObject({ from: 0, to: 260, remainder: 0 });
  expect(picture?.bars).toMatchObject([
    { x: 0, width: (100 / 260) * WIDTH, grace: (60 / 260) * WIDTH, y: 0, dots: [0, 50] },
    { x: 100, y: 14, dots: [150] },
  ]);
});

it("makes one of windows of several keys, and shows the last eight", () => {
  const windows = Array.from({ length: 20 }, (_, at) => {
    const start = Math.floor(at / 2) * 10;
    return { start, end: start + 10, times: [at * 5] };
  });

  const picture = drawWindows({ windows, grace_ms: 0 });

  expect([picture?.bars.length, picture?.remainder, picture?.bars[0]?.dots.length]).toEqual([8, 2, 2]);
});

it("ends a window without end at its last record, and draws one without length", () => {
  const endless = drawWindows({ windows: [{ start: 0, end: 9e15, times: [40] }], grace_ms: 0 });
  const single = drawWindows({ windows: [{ start: 7, end: 7, times: [7] }], grace_ms: 0 });

  expect([endless?.to, endless?.bars[0]?.width]).toEqual([40, WIDTH]);
  expect(single?.bars[0]?.width).toBe(3);
  expect(drawWindows({ windows: [], grace_ms: 0 })).toBeNull();
});
