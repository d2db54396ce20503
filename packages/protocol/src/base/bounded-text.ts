/** Reads text of a limited size from a peer. */

/** Returns the text of a body, or undefined if it has more than `maxBytes`. The rest is then not read. */
export const readBoundedText = async (
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<string | undefined> => {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; ;) {
    const { value, done } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
};
