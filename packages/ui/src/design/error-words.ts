/** Error texts for the browser, without shell commands, backticks or local addresses. Pure. */
import { type ErrorBody, type ErrorCode, type RemedyCode, remedyOf } from "@hearth/protocol";
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
  const own = providerWords[error.code];
  if (own !== undefined) {
    const name =
      error.remedy?.provider === undefined ? "The model provider" : toVisible(titleOf(error.remedy.provider));
    return { title: own.title(name), text: join(detailOf(error.message), own.text), fix };
  }
  const title = plainWords(error.message);
  const text = join(plainWords(error.hint), code === undefined ? undefined : remedyWords[code]);
  return { title: title ?? "The action failed.", text, fix };
};

/** Keeps the sentences that make sense in a browser. Returns undefined if no sentence does. */
export const plainWords = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  const plain = text
    .replace(LOOPBACK, "this machine")
    .split(/(?<=[.!?])\s+|\n+/u)
    .filter((sentence) => !COMMAND.test(sentence))
    .join(" ")
    .replace(/`([^`]*)`/gu, "“$1”")
    .replaceAll("`", "")
    .trim();
  return plain === "" ? undefined : toVisible(plain);
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

const join = (...parts: readonly (string | undefined)[]): string | undefined => {
  const sentences = parts.flatMap((part) => (part === undefined ? [] : [/[.!?…]$/u.test(part) ? part : `${part}.`]));
  return sentences.length === 0 ? undefined : sentences.join(" ");
};

interface ProviderWords {
  readonly title: (name: string) => string;
  readonly text?: string;
}

const OTHER_MODEL = "Try again in a moment, or choose another model.";

const providerWords: Partial<Record<ErrorCode, ProviderWords>> = {
  "provider.unknown": {
    title: () => "This model is not available.",
    text: "Choose a model of a provider that is set up.",
  },
  "provider.auth": { title: (name) => `${name} does not accept the key.`, text: "Check the key, or enter a new one." },
  "provider.rate-limited": { title: (name) => `${name} limits requests.`, text: OTHER_MODEL },
  "provider.overloaded": { title: (name) => `${name} is busy.`, text: OTHER_MODEL },
  "provider.unreachable": {
    title: (name) => `${name} cannot be reached.`,
    text: "Check that it runs, and the address in its settings.",
  },
  "provider.timeout": { title: (name) => `${name} did not answer in time.`, text: OTHER_MODEL },
  "provider.refused": { title: (name) => `${name} refused the request.` },
  "provider.context-overflow": { title: () => "This conversation is too long for the model." },
  "provider.malformed": { title: (name) => `${name} sent an answer that cannot be read.`, text: "Check its address." },
  "provider.truncated": { title: (name) => `The answer of ${name} broke off.`, text: "Try again." },
  "provider.failed": { title: (name) => `${name} reported an error.`, text: "Try again in a moment." },
  "provider.aborted": { title: () => "The request was stopped." },
};

const remedyWords: Partial<Record<RemedyCode, string>> = {
  "change-budget": "An admin can change the budget.",
  "log-in": "Log in again.",
  "see-system": "The system page shows what is wrong.",
};

const fixes: Record<RemedyCode, (agent: string | undefined) => ErrorWords["fix"]> = {
  "check-provider": () => ({ path: "/settings/models", label: "Check provider" }),
  "choose-model": (agent = "/settings/agents") => ({ path: agent, label: "Choose a model" }),
  "change-budget": (agent) => ({
    path: agent === undefined ? "/settings/agents" : `${agent}/budget`,
    label: "Change budget",
  }),
  "begin-session": (agent = "/settings/agents") => ({ path: agent, label: "Choose a model" }),
  "log-in": () => undefined,
  "see-system": () => ({ path: "/settings/system", label: "Open system page" }),
};

/** Returns the reason for a retry, which is shown before the countdown. */
export const describeRetry = ({ code, remedy }: Failure): string => {
  const name = remedy?.provider === undefined ? "The model" : toVisible(titleOf(remedy.provider));
  switch (code) {
    case "provider.unreachable":
      return `${name} cannot be reached.`;
    case "provider.timeout":
      return `${name} did not answer in time.`;
    case "provider.rate-limited":
    case "provider.overloaded":
      return `${name} is busy.`;
    default:
      return `${name} reported an error.`;
  }
};
