import { useContext, useState } from "react";
import { drawPicture } from "../../../../canvas/drawPicture";
import { useDeployment } from "../../../../editor/interface/useDeployment";
import { useEditing } from "../../../../editor/interface/useEditor";
import { useShownGraph } from "../../../../editor/comparing/useShownGraph";
import { LiveContext } from "../../../../live/LiveContext";
import { formatRate } from "../../../../ui/text/format";
import { Button } from "../../../../ui/controls/Button";
import { Dialog } from "../../../../ui/messages/Dialog";
import { saveFile } from "../parts/download";

/** Saves or copies the drawing as a picture with a legend, in the colours of the page. */
export function PictureDialog({ close }: { readonly close: () => void }) {
  const { graph } = useShownGraph();
  const { rules } = useEditing();
  const { topology } = useDeployment();
  const live = useContext(LiveContext);
  const [hasNumbers, setWithNumbers] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const draw = () => {
    const entries = hasNumbers ? Object.entries(live.getState().state?.numbers?.nodes ?? {}) : [];
    const numbers = new Map(entries.map(([id, { rate: speed }]) => [id, `${formatRate(speed)}/s`]));
    return drawInColours((colour) => drawPicture({ graph, operators: rules.operators, colour, numbers }));
  };
  const save = async (format: "svg" | "png") => {
    const svg = draw();
    if (svg === null) return;
    if (format === "svg") saveFile(`${topology.slug}.svg`, svg, "image/svg+xml");
    else saveFile(`${topology.slug}.png`, await drawPng(svg), "image/png");
    close();
  };
  const copy = async () => {
    const svg = draw();
    if (svg === null) return;
    try {
      // a promise, because a browser allows the clipboard only while it handles the click
      await navigator.clipboard.write([new ClipboardItem({ "image/png": drawPng(svg) })]);
      close();
    } catch {
      setRefused(true);
    }
  };
  const action = (
    <>
      <Button disabled={graph.nodes.length === 0} onClick={() => void copy()}>
        Copy
      </Button>
      <Button disabled={graph.nodes.length === 0} onClick={() => void save("png")}>
        Save as PNG
      </Button>
      <Button look="primary" disabled={graph.nodes.length === 0} onClick={() => void save("svg")}>
        Save as SVG
      </Button>
    </>
  );
  return (
    <Dialog title="Picture" close={close} action={action}>
      <p>The whole topology with a legend, in the colours of this page.</p>
      <label>
        <input type="checkbox" checked={hasNumbers} onChange={({ target }) => setWithNumbers(target.checked)} /> With
        the current rates
      </label>
      {isRefused && <p role="alert">This browser does not allow the page to copy pictures. Save it as PNG instead.</p>}
    </Dialog>
  );
}

/** Draws with the page's tokens as colours that are also valid outside of it. */
function drawInColours(draw: (colour: (token: string) => string) => string | null): string | null {
  const probe = document.body.appendChild(document.createElement("i"));
  const svg = draw((token) => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return svg;
}

/** The number of PNG pixels per pixel of the graph, unless that is too large for a browser. */
const SHARP = 2;
const MAX_SIDE = 16_000;

/** An SVG as a PNG. */
async function drawPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = Math.min(SHARP, MAX_SIDE / image.width, MAX_SIDE / image.height);
  const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/png" });
}
