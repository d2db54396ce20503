/** What every process that holds a cell has: a place to write to, and last words. */

/** Of its own words at most, when it dies. */
const MAX_LAST_WORDS = 2000;

/** Writes in the order of the calls. When nobody reads any more the process is ending, and whoever waits for its end says why. */
export const deliver = async (stdin: Bun.FileSink, bytes: Uint8Array): Promise<void> => {
  try {
    const written = stdin.write(bytes);
    await stdin.flush();
    await written;
  } catch {
    // See above.
  }
};

/** The end of what it writes. Resolves when it has ended. */
export const collectLastWords = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) text = (text + decoder.decode(bytes, { stream: true })).slice(-MAX_LAST_WORDS);
  return text;
};
