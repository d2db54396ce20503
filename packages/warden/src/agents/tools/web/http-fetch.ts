/**
 * Fetches a page for an agent through the house's egress, with the agent's grants, checks and
 * ledger.
 */
import type { Egress, EgressAnswer } from "../../../cells/index.ts";
import type { LeakScan } from "../../../policy/index.ts";
import { isHearthError, type Label, MAX_SOURCE_LENGTH } from "@hearth/protocol";
import { MAX_OUTPUT_LENGTH } from "@hearth/protocol/tools";
import type { HostCall } from "../call.ts";
import { htmlToText } from "./html-text.ts";
import { failedOutcome, type HostOutcome, type RunHostTool } from "../tool.ts";

interface FetchParts {
  readonly egress: Pick<Egress, "fetch">;
  readonly leakScan: Pick<LeakScan, "scanFile">;
}

export const httpFetch: RunHostTool<"http_fetch", FetchParts> = async ({ url }, call, { egress, leakScan }) => {
  // Every server on the way can read a URL, and most write it into their logs.
  if (leakScan.scanFile().hasSecret(new TextEncoder().encode(url), true))
    return failedOutcome("The address contains a secret of this house, so no request was made. Leave the secret out.");
  try {
    const answer = await egress.fetch({ url, headers: HEADERS }, callerOf(call));
    return toOutcome(answer, await readBody(answer));
  } catch (error) {
    if (!isHearthError(error)) throw error;
    return failedOutcome(error.hint === undefined ? error.message : `${error.message} ${error.hint}`);
  }
};

export const callerOf = ({ activation, agent, signal }: HostCall) => ({
  activation: activation.id,
  agent: agent.id,
  signal,
});

/** Returns the label of a page, which is always untrusted. */
export const untrustedLabel = (source: string): Label => ({
  integrity: "untrusted",
  readers: "anyone",
  sources: [source.slice(0, MAX_SOURCE_LENGTH).toWellFormed()],
});

const HEADERS = [
  ["accept", "text/html, text/plain, text/markdown, application/json, */*;q=0.1"],
  ["accept-language", "en, *;q=0.5"],
] as const;

const toOutcome = ({ url, status, isCut }: EgressAnswer, text: string): HostOutcome => {
  const cutNote = isCut || text.length > MAX_TEXT_LENGTH ? `\n[cut: the page is longer]` : "";
  return {
    text: `${url} answered ${status}\n\n${text.slice(0, MAX_TEXT_LENGTH).toWellFormed()}${cutNote}`,
    failed: status >= 400,
    label: untrustedLabel(url),
  };
};

/** Maximum length of the text, which leaves room for the page's address. */
const MAX_TEXT_LENGTH = MAX_OUTPUT_LENGTH - 9000;

const readBody = async ({ url, headers, body }: EgressAnswer): Promise<string> => {
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const [kind = "", ...parameters] = type
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  if (kind !== "" && !TEXT_TYPES.test(kind)) return `[${body.length} bytes of ${kind}, which is not text]`;
  const text = decode(body, parameters.find((part) => part.startsWith("charset="))?.slice("charset=".length) ?? "");
  const looksLikePage = kind === "" && /^\s*<(!doctype html|html)/i.test(text);
  return kind === "text/html" || kind === "application/xhtml+xml" || looksLikePage ? htmlToText(text, url) : text;
};

const TEXT_TYPES = /^text\/|[/+](json|xml|yaml|toml|javascript|xhtml)$/;

const decode = (body: Uint8Array, charset: string): string => {
  try {
    return new TextDecoder(charset.replace(/"/g, "") || "utf-8").decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
};
