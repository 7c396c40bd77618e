import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import Markdown from "./Markdown";

const shown = (text: string) => renderToStaticMarkup(<Markdown text={text} />);

it("draws Markdown", () => {
  const html = shown("# Late\n\n- **15** minutes\n- `delay`");

  expect(html).toMatch(/<h1.*>Late<\/h1><ul><li><strong>15<\/strong> minutes<\/li>/);
});

it("lets no HTML, script or foreign picture through", () => {
  const tricks = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[press](javascript:alert(1))",
    "[press](data:text/html;base64,PHNjcmlwdD4=)",
    "![seen](https://elsewhere.example/pixel.png)",
    "<a href='javascript:alert(1)'>press</a>",
    "<iframe src='https://elsewhere.example'></iframe>",
    "[press]( java\nscript:alert(1))",
    "<https://example.org> <javascript:alert(1)>",
  ];

  for (const trick of tricks) {
    expect(shown(trick)).not.toMatch(/<(script|img|iframe)|href="(?!https:)/i);
  }
});
