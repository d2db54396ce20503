/** Texts as lines: cut without loss, and known again wherever they turn up. */
import type { World } from "@hearth/protocol";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The bytes as a text that has just these bytes; `undefined` when they are none, or hold a NUL as no text does. */
export const decodeText = (bytes: Uint8Array): string | undefined => {
  if (bytes.includes(0)) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
};

/** Lines with their ends, which joined are the text. */
export const splitLines = (text: string): readonly string[] => {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  const ended = lines.map((line) => `${line}\n`);
  return last === "" ? ended : [...ended, last];
};

/** Without its end. */
export const bareLine = (line: string): string => line.replace(/\r?\n$/, "");

/** What a line is known by. Space around it does not make it another one. Nothing for a line in which nothing is said. */
export const lineKey = (hash: World["hash"], line: string): string | undefined => {
  const said = line.trim();
  return said === "" ? undefined : hash(said);
};
