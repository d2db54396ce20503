/**
 * The leak scan of the choke point: removes secrets of the houses and likely keys from tool
 * results, model requests and outgoing text, and marks what was removed.
 */
import type { ErrorBody, ModelRequest, Remedy } from "@hearth/protocol";
import type { Redaction } from "../secrets/redaction.ts";
import { withoutLeaks } from "../secrets/leaks.ts";
import { withoutHidden } from "./hygiene-hidden.ts";
import { cleanRequest } from "./hygiene.ts";

export interface LeakScan {
  /** A tool's result, with a note at its end about what was removed. Idempotent. */
  redactResult(text: string): string;
  /**
   * Text that leaves the house or is shown to people, also without invisible characters that could
   * split a secret.
   */
  redactOutgoing(text: string): string;
  /**
   * JSON for people: without secrets of the houses, and still valid JSON. The stored call is not
   * changed.
   */
  redactJson(json: string): string;
  redactError(error: ErrorBody): ErrorBody;
  /**
   * A model request as plain text without secrets. Tool results are scanned again, because the cell
   * is not trusted.
   */
  redactRequest(request: ModelRequest): ModelRequest;
  /** Begins a scan of a file, which people receive unchanged or not at all. */
  scanFile(): FileScan;
}

export interface FileScan {
  /** Whether the pieces so far contain a secret of the houses, in any of its forms. */
  hasSecret(piece: Uint8Array, isLast: boolean): boolean;
}

export const createLeakScan = (redaction: Pick<Redaction, "text" | "isEmpty" | "stream">): LeakScan => {
  const outgoing: LeakScan["redactOutgoing"] = (text) => withoutLeaks(redaction.text(withoutHidden(text))).text;

  const result: LeakScan["redactResult"] = (text) => {
    const { text: clean, kinds } = withoutLeaks(redaction.text(text));
    return kinds.length === 0 ? clean : `${clean}\n\n${noteOf(kinds)}`;
  };

  /** The cell chooses this provider name, so scan it. */
  const withoutSecret = ({ code, provider }: Remedy): Remedy =>
    provider === undefined ? { code } : { code, provider: outgoing(provider) };

  return {
    redactOutgoing: outgoing,
    redactResult: result,
    // The mark needs no escaping in JSON.
    redactJson: redaction.text,

    redactError: ({ code, message, hint, remedy }) => ({
      code,
      message: outgoing(message),
      ...(hint === undefined ? {} : { hint: outgoing(hint) }),
      ...(remedy === undefined ? {} : { remedy: withoutSecret(remedy) }),
    }),

    redactRequest(request) {
      const plain = cleanRequest(request);
      const scanned = {
        ...plain,
        messages: plain.messages.map((message) =>
          message.role === "tool" ? { ...message, text: result(message.text) } : message,
        ),
      };
      if (redaction.isEmpty()) return scanned;
      const text = JSON.stringify(scanned);
      const clean = redaction.text(text);
      // The mark needs no escaping, so the text is still valid JSON.
      return clean === text ? scanned : (JSON.parse(clean) as ModelRequest);
    },

    scanFile() {
      if (redaction.isEmpty()) return { hasSecret: () => false };
      const stream = redaction.stream();
      return {
        hasSecret(piece, isLast) {
          stream.push(piece);
          if (isLast) stream.end();
          return stream.hasReplaced();
        },
      };
    },
  };
};

/** For tests that do not involve secrets. */
export const noLeakScan: LeakScan = {
  redactResult: (text) => text,
  redactOutgoing: (text) => text,
  redactJson: (json) => json,
  redactError: (error) => error,
  redactRequest: (request) => request,
  scanFile: () => ({ hasSecret: () => false }),
};

const noteOf = (kinds: readonly string[]): string =>
  `[Hearth left out what looks like a secret: ${kinds.join(", ")}. It is not shown to you; use it by name, as a person has granted it.]`;
