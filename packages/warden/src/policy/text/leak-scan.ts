/**
 * The leak scan of the choke point. Removes secrets of the houses and likely keys from tool
 * results, model requests and outgoing text, and marks their places.
 */
import type { ErrorBody, ModelRequest, Remedy } from "@hearth/protocol";
import type { Redaction } from "../secrets/redaction.ts";
import { withoutLeaks } from "../secrets/leaks.ts";
import { withoutHidden } from "./hygiene-hidden.ts";
import { cleanRequest } from "./hygiene.ts";

export interface LeakScan {
  /** Redacts a tool's result and appends a note about the removed secrets. Idempotent. */
  redactResult(text: string): string;
  /**
   * Redacts text that leaves the house or that people see. Also removes invisible characters,
   * which could split a secret.
   */
  redactOutgoing(text: string): string;
  /**
   * Redacts secrets of the houses in JSON for people. The result is valid JSON, and the stored
   * call stays the same.
   */
  redactJson(json: string): string;
  redactError(error: ErrorBody): ErrorBody;
  /**
   * Redacts a model request and returns it as plain text. Tool results are scanned again, because
   * the cell is not trusted.
   */
  redactRequest(request: ModelRequest): ModelRequest;
  /** Begins a scan of a file. People receive the file unchanged or not at all. */
  scanFile(): FileScan;
}

export interface FileScan {
  /** Whether the pieces so far contain a secret of the houses, in any of its forms. */
  hasSecret(chunk: Uint8Array, isLast: boolean): boolean;
}

export const createLeakScan = (redaction: Pick<Redaction, "text" | "isEmpty" | "stream">): LeakScan => {
  const redactOutgoing: LeakScan["redactOutgoing"] = (text) => withoutLeaks(redaction.text(withoutHidden(text))).text;

  const redactResult: LeakScan["redactResult"] = (text) => {
    const { text: clean, kinds } = withoutLeaks(redaction.text(text));
    return kinds.length === 0 ? clean : `${clean}\n\n${noteOf(kinds)}`;
  };

  /** Redacts the provider name of a remedy, because the cell chooses it. */
  const withoutSecret = ({ code, provider }: Remedy): Remedy =>
    provider === undefined ? { code } : { code, provider: redactOutgoing(provider) };

  return {
    redactOutgoing,
    redactResult,
    // The mark of a secret needs no escaping in JSON.
    redactJson: redaction.text,

    redactError: ({ code, message, hint, remedy }) => ({
      code,
      message: redactOutgoing(message),
      ...(hint === undefined ? {} : { hint: redactOutgoing(hint) }),
      ...(remedy === undefined ? {} : { remedy: withoutSecret(remedy) }),
    }),

    redactRequest(request) {
      const plainRequest = cleanRequest(request);
      const scannedRequest = {
        ...plainRequest,
        messages: plainRequest.messages.map((message) =>
          message.role === "tool" ? { ...message, text: redactResult(message.text) } : message,
        ),
      };
      if (redaction.isEmpty()) return scannedRequest;
      const text = JSON.stringify(scannedRequest);
      const clean = redaction.text(text);
      // The mark needs no escaping, so the text is still valid JSON.
      return clean === text ? scannedRequest : (JSON.parse(clean) as ModelRequest);
    },

    scanFile() {
      if (redaction.isEmpty()) return { hasSecret: () => false };
      const stream = redaction.stream();
      return {
        hasSecret(chunk, isLast) {
          stream.push(chunk);
          if (isLast) stream.end();
          return stream.hasReplaced();
        },
      };
    },
  };
};

const noteOf = (kinds: readonly string[]): string =>
  `[Hearth left out what looks like a secret: ${kinds.join(", ")}. It is not shown to you; use it by name, as a person has granted it.]`;
