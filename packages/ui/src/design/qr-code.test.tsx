import { expect, test } from "bun:test";
import decodeQR from "qr/decode.js";
import { renderToStaticMarkup } from "react-dom/server";
import { QrCode } from "./qr-code.tsx";

const PIXELS = 4;

/** Paints the squares of the path, and reads them like a camera. */
const read = (markup: string): string => {
  const modules = Number(/viewBox="0 0 (\d+) /.exec(markup)?.[1]);
  const size = modules * PIXELS;
  const data = new Uint8Array(size * size * 4).fill(255);
  for (const [, x, y] of markup.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let row = 0; row < PIXELS; row += 1) {
      const start = (Number(y) * PIXELS + row) * size + Number(x) * PIXELS;
      for (let pixel = start; pixel < start + PIXELS; pixel += 1) data.fill(0, pixel * 4, pixel * 4 + 3);
    }
  return decodeQR({ width: size, height: size, data });
};

test("a camera reads the text of the code", () => {
  const text = `https://house.example/ui/invite#${"aZ09-_".repeat(7)}`;
  const markup = renderToStaticMarkup(<QrCode text={text} label="QR code of a link" />);
  expect(read(markup)).toBe(text);
  expect(markup).toContain('role="img" aria-label="QR code of a link"');
});
