/** Answers without the secrets that a far side may say back. */
import { HearthError } from "@hearth/protocol";
import { fromLatin1, listOf, type ResponseHead, toLatin1 } from "./head.ts";
import type { Redactor } from "./secrets.ts";

/** What a request must not ask for where its answer is to be looked through: packed bytes, or a part here and a part there. */
export const UNREADABLE = ["accept-encoding", "range", "if-range"];

/** Throws `egress.failed` for an answer that cannot be looked through. */
export const requireReadable = ({ headers }: ResponseHead): void => {
  const codings = listOf(headers, "content-encoding").filter((coding) => coding !== "identity");
  if (codings.length > 0)
    throw new HearthError(
      "egress.failed",
      "The answer is packed, so nobody can see whether a secret comes back in it.",
    );
};

export const redactHead = (head: ResponseHead, redactorFor: () => Redactor): ResponseHead => {
  const redact = (text: string): string => {
    const redactor = redactorFor();
    const [first, last] = [redactor.push(fromLatin1(text)), redactor.end()];
    return toLatin1(first) + toLatin1(last);
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
  const last = redactor.end();
  if (last.length > 0) yield last;
}
