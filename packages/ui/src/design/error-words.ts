/** Error texts for the browser, without shell commands, backticks or local addresses. Pure. */
import { type ErrorBody, type RemedyCode, remedyOf } from "@hearth/protocol";
import * as texts from "./text.ts";
import { titleOf } from "./vendors.ts";
import { toVisible } from "./visible.ts";

export interface ErrorWords {
  readonly title: string;
  readonly text: string | undefined;
  /** The page that can fix the problem. */
  readonly fix: { readonly path: string; readonly label: string } | undefined;
}

interface Failure extends Pick<ErrorBody, "code" | "message"> {
  readonly hint?: string | undefined;
  readonly remedy?: ErrorBody["remedy"] | undefined;
}

/** Describes an error for people. `agent` is the settings path of the failed agent. */
export const describeError = (error: Failure, agent?: string): ErrorWords => {
  const code = error.remedy?.code ?? remedyOf(error.code);
  const fix = code === undefined ? undefined : fixes[code](agent);
  const ownError = texts.ownErrors[error.code];
  if (ownError !== undefined) {
    const name =
      error.remedy?.provider === undefined ? texts.theModelProvider : toVisible(titleOf(error.remedy.provider));
    return { title: ownError.title(name), text: joinSentences(detailOf(error.message), ownError.text), fix };
  }
  const title = plainWords(error.message);
  const text = joinSentences(plainWords(error.hint), code === undefined ? undefined : texts.remedies[code]);
  return { title: title ?? texts.requestFailed, text, fix };
};

/** Keeps the sentences that make sense in a browser. Returns undefined if no sentence does. */
export const plainWords = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  const plainText = text
    .replace(LOOPBACK, texts.thisMachine)
    .split(/(?<=[.!?])\s+|\n+/u)
    .filter((sentence) => !COMMAND.test(sentence))
    .join(" ")
    .replace(/`([^`]*)`/gu, texts.quoted("$1"))
    .replaceAll("`", "")
    .trim();
  return plainText === "" ? undefined : toVisible(plainText);
};

/**
 * Matches shell commands: lower-case `hearth` or another program before a word, and flags. "Hearth"
 * is the product.
 */
const COMMAND =
  /\bhearth\s+[a-z-]|(?:^|\s)(?:curl|docker|npm|npx|bun|sudo|apt|apt-get|chmod|export|ollama)\s+[a-z/-]|(?:^|\s)--[a-z]/u;
const LOOPBACK =
  /(?:\b(?:https?|wss?):\/\/)?(?:\blocalhost\b|\b127(?:\.\d{1,3}){3}\b|\b0\.0\.0\.0\b|\[?::1\]?)(?::\d+)?(?:\/[^\s"'`,;)]*)?/gu;

/** Returns the provider's message, which follows the warden's text and the address. */
const detailOf = (message: string): string | undefined => {
  if (message.startsWith("None of ")) return plainWords(message);
  const [, detail] = /^\S+[^:]*(?<!https?): (.+)$/su.exec(message.replace(/^\S+:\d+\b/u, "server")) ?? [];
  return plainWords(detail?.replace(/^[a-z]/u, (letter) => letter.toUpperCase()));
};

const joinSentences = (...parts: readonly (string | undefined)[]): string | undefined => {
  const sentences = parts.flatMap((part) => (part === undefined ? [] : [/[.!?…]$/u.test(part) ? part : `${part}.`]));
  return sentences.length === 0 ? undefined : sentences.join(" ");
};

const fixes: Record<RemedyCode, (agent: string | undefined) => ErrorWords["fix"]> = {
  "check-provider": () => ({ path: "/settings/models", label: texts.checkProvider }),
  "choose-model": (agent = "/settings/agents") => ({ path: agent, label: texts.chooseModel }),
  "change-budget": (agent) => ({
    path: agent === undefined ? "/settings/agents" : `${agent}/budget`,
    label: texts.changeBudget,
  }),
  "begin-session": (agent = "/settings/agents") => ({ path: agent, label: texts.chooseModel }),
  "log-in": () => undefined,
  "see-system": () => ({ path: "/settings/system", label: texts.openSystemPage }),
};

/** Returns the reason for a retry, which is shown before the countdown. */
export const describeRetry = ({ code, remedy }: Failure): string => {
  const name = remedy?.provider === undefined ? texts.theModel : toVisible(titleOf(remedy.provider));
  switch (code) {
    case "provider.unreachable":
      return texts.cannotBeReached(name);
    case "provider.timeout":
      return texts.didNotAnswerInTime(name);
    case "provider.rate-limited":
    case "provider.overloaded":
      return texts.isBusy(name);
    default:
      return texts.reportedAnError(name);
  }
};
