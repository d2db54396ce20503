/** Upper bounds and estimates of token counts. */
import { dataOf, type FilePart, isDocumentType, type ModelRequest } from "@hearth/protocol";

/** Vendors scale images down, and count fewer tokens than this for an image of any size. */
const IMAGE_TOKENS = 8_000;
/** Vendors count the text of each page and a picture of it. A page rarely has less than 5 kB. */
const DOCUMENT_TOKENS_PER_BYTE = 1;
/** No vendor reads more of one document than this. */
const MAX_DOCUMENT_TOKENS = 200_000;
/** A model gets at most 60,000 characters of a document's text. */
const MAX_TEXT_TOKENS = 60_000;
/** Vendors count 10 to 32 tokens a second, and a second of speech has at least 1 kB. */
const AUDIO_BYTES_PER_TOKEN = 32;

const encoder = new TextEncoder();

/**
 * Upper bound of a request's tokens. `text` is the request as JSON. A token is at least one byte,
 * and JSON syntax takes more bytes than a vendor's message framing takes tokens. English has about
 * four bytes per token.
 */
export const tokensAtMost = ({ messages }: ModelRequest, text: string): number => {
  let tokens = encoder.encode(text).length;
  for (const message of messages) {
    if (message.role === "assistant") continue;
    // The data of a file is replaced by the tokens that vendors count for it.
    for (const part of message.parts ?? [])
      if (part.kind !== "text") tokens += fileTokens(part) - (dataOf(part)?.length ?? 0);
  }
  return tokens;
};

/** Upper bound of the tokens of a file's content. */
const fileTokens = ({ kind, type, sizeBytes }: FilePart): number => {
  switch (kind) {
    case "image":
      return IMAGE_TOKENS;
    case "document":
      return Math.min(IMAGE_TOKENS + sizeBytes * DOCUMENT_TOKENS_PER_BYTE, MAX_DOCUMENT_TOKENS);
    case "audio":
      return Math.ceil(sizeBytes / AUDIO_BYTES_PER_TOKEN);
    case "file":
      return isDocumentType(type) ? MAX_TEXT_TOKENS : 0;
  }
};

/** English has about four bytes per token, code and most other languages three. */
const BYTES_PER_TOKEN = 3;

/**
 * Estimated tokens of this many bytes, for providers that report no usage. Never more than the
 * reservation of the call.
 */
export const tokensEstimated = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);
