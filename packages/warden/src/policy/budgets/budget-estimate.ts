/** Upper bounds and estimates of token counts. */
import { dataOf, type FilePart, isDocumentType, type ModelRequest } from "@hearth/protocol";

/**
 * Upper bound of the tokens of an image. Vendors scale images down and count fewer for an image of
 * any size.
 */
const MAX_IMAGE_TOKENS = 8_000;
/** Vendors count the text and a picture of each page. A page rarely has less than 5 kB. */
const DOCUMENT_TOKENS_PER_BYTE = 1;
/** Upper bound of the tokens of one document, which exceeds what any vendor reads. */
const MAX_DOCUMENT_TOKENS = 200_000;
/** Upper bound of the tokens of a document's text. A model gets at most 60,000 characters of it. */
const MAX_TEXT_TOKENS = 60_000;
/** Vendors count 10 to 32 tokens per second, and a second of speech has at least 1 kB. */
const AUDIO_BYTES_PER_TOKEN = 32;

const encoder = new TextEncoder();

/**
 * Returns an upper bound of a request's tokens. `text` is the request as JSON. A token is at least
 * one byte, and JSON syntax takes more bytes than a vendor's message framing takes tokens.
 */
export const tokensAtMost = ({ messages }: ModelRequest, text: string): number => {
  let tokens = encoder.encode(text).length;
  for (const message of messages) {
    if (message.role === "assistant") continue;
    // The data of a file counts as the tokens that vendors count for it.
    for (const part of message.parts ?? []) {
      if (part.kind !== "text") tokens += estimateFileTokens(part) - (dataOf(part)?.length ?? 0);
      // A model that sees gets the picture in place of its description.
      else if (part.file?.kind === "image") tokens += estimateFileTokens(part.file);
    }
  }
  return tokens;
};

/** Returns an upper bound of the tokens of a file's content. */
const estimateFileTokens = ({ kind, type, sizeBytes }: FilePart): number => {
  switch (kind) {
    case "image":
      return MAX_IMAGE_TOKENS;
    case "document":
      return Math.min(MAX_IMAGE_TOKENS + sizeBytes * DOCUMENT_TOKENS_PER_BYTE, MAX_DOCUMENT_TOKENS);
    case "audio":
      return Math.ceil(sizeBytes / AUDIO_BYTES_PER_TOKEN);
    case "file":
      return isDocumentType(type) ? MAX_TEXT_TOKENS : 0;
  }
};

/**
 * Average number of bytes per token. English has about four, code and most other languages three.
 */
const BYTES_PER_TOKEN = 3;

/**
 * Estimates the tokens of this many bytes, for providers that report no usage. The result never
 * exceeds the call's reservation.
 */
export const tokensEstimated = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);
