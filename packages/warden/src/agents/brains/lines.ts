/** Splits text into lines without loss, and identifies equal lines. */
import type { World } from "@hearth/protocol";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Decodes the bytes as UTF-8. Returns `undefined` if the text would not encode to the same bytes,
 * or contains a NUL.
 */
export const decodeText = (bytes: Uint8Array): string | undefined => {
  if (bytes.includes(0)) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
};

/** Splits a text into lines with their line endings. The lines joined are the text. */
export const splitLines = (text: string): readonly string[] => {
  const lines = text.split("\n");
  const unendedLine = lines.pop() ?? "";
  const endedLines = lines.map((line) => `${line}\n`);
  return unendedLine === "" ? endedLines : [...endedLines, unendedLine];
};

/** Removes the line ending of a line. */
export const bareLine = (line: string): string => line.replace(/\r?\n$/, "");

/**
 * Returns the key that identifies a line, ignoring surrounding space. Returns undefined for a blank
 * line.
 */
export const lineKey = (hash: World["hash"], line: string): string | undefined => {
  const trimmed = line.trim();
  return trimmed === "" ? undefined : hash(trimmed);
};
