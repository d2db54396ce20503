/** How many tokens a request can be at most. */
import type { ModelRequest } from "@hearth/protocol";

/** More than the vendors count for a picture of the size that a tool may give. */
const IMAGE_TOKENS = 8_000;

const encoder = new TextEncoder();

/**
 * `text` is the request as JSON. No token is less than a byte, and the braces, quotes and names of the JSON are more than what a vendor puts around
 * the messages: so the bytes are never fewer than the tokens, in whatever language. English has about four bytes a token.
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

/** English has about four bytes a token, code and most other languages three. */
const BYTES_PER_TOKEN = 3;

/** Tokens of so many bytes where the provider reports none. What is held back for a call is never less than this. */
export const tokensEstimated = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** What was said and asked for, as tokens at most, where a provider does not tell. */
export const answerAtMost = (text: string): number => encoder.encode(text).length;
