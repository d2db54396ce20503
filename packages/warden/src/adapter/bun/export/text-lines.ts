/** Reads the lines of a text file, which ends with a line break. A line may be long. */
import { open } from "node:fs/promises";
import { chunksOf } from "../backup/read-file.ts";

const LINE_BREAK = 0x0a;

/** Yields the lines. Only U+000A ends a line, because JSON may contain other line separators. */
export const textLines = async function* (path: string): AsyncGenerator<string> {
  await using file = await open(path, "r");
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let parts: Uint8Array[] = [];
  for await (const chunk of chunksOf(file)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end !== -1; end = chunk.indexOf(LINE_BREAK, start)) {
      parts.push(chunk.subarray(start, end));
      yield decoder.decode(Buffer.concat(parts));
      parts = [];
      start = end + 1;
    }
    // The chunk's memory is used again.
    parts.push(chunk.slice(start));
  }
};
