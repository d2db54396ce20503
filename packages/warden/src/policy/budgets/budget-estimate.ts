/** Upper bounds and estimates of token counts. */
import type { ModelRequest } from "@hearth/protocol";

/** More than the vendors count for an image of the largest size that a tool may return. */
const IMAGE_TOKENS = 8_000;

const encoder = new TextEncoder();

/**
 * Upper bound of a request's tokens. `text` is the request as JSON. A token is at least one byte,
 * and JSON syntax takes more bytes than a vendor's message framing takes tokens. English has about
 * four bytes per token.
 */
export const tokensAtMost = ({ messages }: ModelRequest, text: string): number => {
  let bytes = encoder.encode(text).length;
  let images = 0;
  for (const message of messages) {
    if (message.role !== "tool" || message.image === undefined) continue;
    bytes -= message.image.data.length;
    images += 1;
  }
  return bytes + images * IMAGE_TOKENS;
};

/** English has about four bytes per token, code and most other languages three. */
const BYTES_PER_TOKEN = 3;

/**
 * Estimated tokens of this many bytes, for providers that report no usage. Never more than the
 * reservation of the call.
 */
export const tokensEstimated = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);
