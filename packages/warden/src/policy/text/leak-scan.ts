/**
 * The leak scan of the choke point: what a tool gave, what a model is asked and what goes out, without secrets of the houses and without
 * what looks like a key of anybody. What was left out is said in its place.
 */
import type { ErrorBody, ModelRequest, Remedy } from "@hearth/protocol";
import type { Redaction } from "../secrets/redaction.ts";
import { withoutLeaks } from "../secrets/leaks.ts";
import { withoutHidden } from "./hygiene-hidden.ts";
import { cleanRequest } from "./hygiene.ts";

export interface LeakScan {
  /** A tool's result, which says at its end what is missing in it. The same again is itself. */
  result(text: string): string;
  /** A text that leaves the house, or is shown to people: nothing hidden in it either, which could keep a secret apart. */
  outgoing(text: string): string;
  /** JSON as people are shown it: with no secret of the houses in it, and JSON all the same. What runs stays as it is. */
  shown(json: string): string;
  error(error: ErrorBody): ErrorBody;
  /** A request to a model: plain text, no secret in any of it, and its tools' results once more, for the cell may say of them what it likes. */
  request(request: ModelRequest): ModelRequest;
}

export const createLeakScan = (redaction: Pick<Redaction, "text" | "isEmpty">): LeakScan => {
  const outgoing: LeakScan["outgoing"] = (text) => withoutLeaks(redaction.text(withoutHidden(text))).text;

  const result: LeakScan["result"] = (text) => {
    const { text: clean, kinds } = withoutLeaks(redaction.text(text));
    return kinds.length === 0 ? clean : `${clean}\n\n${tell(kinds)}`;
  };

  /** A cell names the provider of its failure itself. */
  const withoutSecret = ({ code, provider }: Remedy): Remedy =>
    provider === undefined ? { code } : { code, provider: outgoing(provider) };

  return {
    outgoing,
    result,
    // A mark has no sign that JSON would have to escape.
    shown: redaction.text,

    error: ({ code, message, hint, remedy }) => ({
      code,
      message: outgoing(message),
      ...(hint === undefined ? {} : { hint: outgoing(hint) }),
      ...(remedy === undefined ? {} : { remedy: withoutSecret(remedy) }),
    }),

    request(request) {
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
      // A mark has no sign that JSON would have to escape: what was JSON is JSON.
      return clean === text ? scanned : (JSON.parse(clean) as ModelRequest);
    },
  };
};

/** For tests of what has nothing to do with secrets. */
export const noLeakScan: LeakScan = {
  result: (text) => text,
  outgoing: (text) => text,
  shown: (json) => json,
  error: (error) => error,
  request: (request) => request,
};

const tell = (kinds: readonly string[]): string =>
  `[Hearth left out what looks like a secret: ${kinds.join(", ")}. It is not shown to you; use it by name, as a person has granted it.]`;
