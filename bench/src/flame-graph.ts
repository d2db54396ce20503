/**
 * Draws a tree of frames as a flame graph. Width is time, and callers are below the functions that
 * they call.
 */
import type { Frame } from "./cpu-profile.ts";

const WIDTH = 1600;
const ROW = 17;
const MARGIN = 10;
/** Minimum width of a frame that is drawn. */
const MIN_WIDTH = 0.5;
/** Minimum width of a frame with text. */
const MIN_TEXT_WIDTH = 30;
const CHARACTER = 6.6;

export const toFlameGraph = (tree: Frame, title: string): string => {
  const rows: string[] = [];
  const scale = (WIDTH - 2 * MARGIN) / Math.max(1, tree.micros);
  let depth = 0;
  const draw = (frame: Frame, x: number, level: number): void => {
    const width = frame.micros * scale;
    if (width < MIN_WIDTH) return;
    depth = Math.max(depth, level);
    rows.push(box(frame, { x, level, width, share: frame.micros / tree.micros }));
    let left = x;
    for (const child of [...frame.children.values()].sort((a, b) => b.micros - a.micros)) {
      draw(child, left, level + 1);
      left += child.micros * scale;
    }
  };
  draw(tree, MARGIN, 0);
  const height = (depth + 1) * ROW + 50;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="monospace" font-size="11">`,
    `<rect width="100%" height="100%" fill="#fff"/><text x="${MARGIN}" y="22" font-size="14">${escape(title)}</text>`,
    `<g transform="translate(0 ${height - MARGIN})">`,
    ...rows,
    "</g></svg>",
  ].join("\n");
};

const box = (
  frame: Frame,
  at: { readonly x: number; readonly level: number; readonly width: number; readonly share: number },
): string => {
  const { x, level, width, share } = at;
  const y = -(level + 1) * ROW;
  const label = frame.place === "" ? frame.name : `${frame.name} ${frame.place}`;
  const room = Math.floor((width - 4) / CHARACTER);
  const text =
    width < MIN_TEXT_WIDTH ? "" : `<text x="${round(x + 2)}" y="${y + ROW - 5}">${escape(label.slice(0, room))}</text>`;
  const tip = `${label}: ${(100 * share).toFixed(1)} %, own ${(frame.ownMicros / 1000).toFixed(0)} ms`;
  return `<g><title>${escape(tip)}</title><rect x="${round(x)}" y="${y}" width="${round(width)}" height="${ROW - 1}" fill="${colorOf(frame)}"/>${text}</g>`;
};

/** Returns the colour of a frame. Native code is grey, and each file has one shade. */
const colorOf = ({ place }: Frame): string => {
  if (place === "") return "#d0d4da";
  let hash = 0;
  for (const sign of place.split(":")[0] ?? "") hash = (hash * 31 + sign.charCodeAt(0)) % 360;
  return `hsl(${20 + (hash % 40)} 85% ${62 + (hash % 18)}%)`;
};

const round = (value: number): string => value.toFixed(1);

const escape = (text: string): string => text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
