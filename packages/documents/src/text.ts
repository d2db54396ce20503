/** Decodes bytes as text. */

/** Decodes the bytes. Returns undefined if they are neither UTF-8 nor UTF-16 with a byte order mark. */
export const decodeText = (bytes: Uint8Array): string | undefined => {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
};
