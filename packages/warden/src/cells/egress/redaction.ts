/** Removes secrets from the responses of upstreams. */
import { HearthError } from "@hearth/protocol";
import { fromLatin1, listOf, type ResponseHead, toLatin1 } from "./head.ts";
import type { Redactor } from "./secrets.ts";

/**
 * Headers that a request must not have if its response is redacted, because they allow compressed
 * or partial responses.
 */
export const UNREADABLE_HEADERS = ["accept-encoding", "range", "if-range"];

/** Throws `egress.failed` for a response that cannot be searched for secrets. */
export const requireReadable = ({ headers }: ResponseHead): void => {
  const codings = listOf(headers, "content-encoding").filter((coding) => coding !== "identity");
  if (codings.length > 0)
    throw new HearthError("egress.failed", "The response is compressed, so it cannot be checked for secrets.");
};

export const redactHead = (head: ResponseHead, redactorFor: () => Redactor): ResponseHead => {
  const redact = (text: string): string => {
    const redactor = redactorFor();
    const [start, end] = [redactor.push(fromLatin1(text)), redactor.end()];
    return toLatin1(start) + toLatin1(end);
  };
  return {
    ...head,
    reason: redact(head.reason),
    headers: head.headers.map(([name, value]) => [redact(name), redact(value)] as const),
  };
};

export async function* redactBody(redactor: Redactor, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    const clean = redactor.push(piece);
    if (clean.length > 0) yield clean;
  }
  const heldBytes = redactor.end();
  if (heldBytes.length > 0) yield heldBytes;
}
