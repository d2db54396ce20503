/**
 * Decodes files as text, and splits and cuts lines for display. Decoded text keeps byte order marks
 * and line endings.
 */
import { HearthError } from "@hearth/protocol";
import { quotePath } from "./path.ts";

const encoder = new TextEncoder();

export const encodeText = (text: string): Uint8Array => encoder.encode(text);

/** Decodes bytes. Returns undefined if they are not UTF-8 or contain a NUL. */
export const decodeText = (bytes: Uint8Array): string | undefined => {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

export const notTextError = (path: string, sizeBytes: number): HearthError =>
  new HearthError("tool.invalid", `${quotePath(path)} is not text in UTF-8 (${sizeBytes} bytes).`);

/**
 * Splits a text into lines for display, without line endings and byte order mark. A final line
 * ending does not start another line.
 */
export const toLines = (text: string): readonly string[] => {
  const lines = text.replace(/^\ufeff/, "").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
};

/** Cuts a line for display, around `end`, the end of a match. */
export const cutLine = (line: string, maxLength: number, end = 0): string => {
  if (line.length <= maxLength) return line;
  const start = Math.max(0, Math.min(end - Math.floor(maxLength / 2), line.length - maxLength));
  return `${start > 0 ? "…" : ""}${line.slice(start, start + maxLength).toWellFormed()}… [${line.length} characters]`;
};
