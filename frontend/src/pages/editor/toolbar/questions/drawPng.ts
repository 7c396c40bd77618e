/** The number of PNG pixels per pixel of the graph, unless that is too large for a browser. */
const SHARP = 2;
const MAX_SIDE = 16_000;

/** An SVG as a PNG. */
export async function drawPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = Math.min(SHARP, MAX_SIDE / image.width, MAX_SIDE / image.height);
  const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/png" });
}
