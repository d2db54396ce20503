/** Draws a QR code in a terminal. Each character shows two modules, one above the other. */
import encodeQR from "qr";

/** Modules of free space that cameras need around the code. */
const BORDER = 2;

/** Both colours are set, so that the code is dark on light in any terminal. */
const COLOURS = "\u001b[38;5;16;48;5;231m";
const RESET = "\u001b[0m";

export const toQrLines = (text: string): readonly string[] => {
  const rows = encodeQR(text, "raw", { border: BORDER });
  return rows.flatMap((upper, y) =>
    y % 2 === 1 ? [] : [`${COLOURS}${toBlockCharacters(upper, rows[y + 1] ?? [])}${RESET}`],
  );
};

const toBlockCharacters = (upper: readonly boolean[], lower: readonly boolean[]): string =>
  upper.map((isUpper, x) => BLOCK_CHARACTERS[`${isUpper} ${lower[x] === true}`]).join("");

const BLOCK_CHARACTERS = { "true true": "█", "true false": "▀", "false true": "▄", "false false": " " } as const;
