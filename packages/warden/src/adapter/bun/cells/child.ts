/** Helpers for every process that holds a cell: writing to it, and collecting its last output. */

/** Maximum size of the output that is kept when the process dies. */
const MAX_LAST_WORDS = 2000;

/**
 * Writes in the order of the calls. When the reader no longer exists, the process is ending, and
 * the caller that waits for the end reports the reason.
 */
export const deliver = async (stdin: Bun.FileSink, bytes: Uint8Array): Promise<void> => {
  try {
    const writing = stdin.write(bytes);
    await stdin.flush();
    await writing;
  } catch {
    // The process is ending.
  }
};

/** Collects the end of the process's output. Resolves when the output has ended. */
export const collectLastWords = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) text = (text + decoder.decode(bytes, { stream: true })).slice(-MAX_LAST_WORDS);
  return text;
};
