/** Validates link targets and detects misleading link texts. */
import { hasHidden } from "./visible.tsx";

export interface Link {
  readonly href: string;
  /** The real host in punycode, or the mail address. */
  readonly host: string;
  /** `address`: the text is the address. `words`: it is other text. `misleading`: it names another host. */
  readonly text: "address" | "words" | "misleading";
}

/**
 * Validates a target as written, before a browser normalizes it: one of three schemes, a host
 * directly after it, no user name, no backslash, no invisible character. Otherwise returns
 * undefined.
 */
export const readLink = (target: string, text: string): Link | undefined => {
  if (!/^(?:https?:\/\/[^/?#@]|mailto:[^?@]+@)/i.test(target)) return undefined;
  if (hasHidden(target) || /[\t\n\r\\]/.test(target) || !URL.canParse(target)) return undefined;
  const url = new URL(target);
  if (url.username !== "" || url.password !== "") return undefined;
  const isMail = url.protocol === "mailto:";
  const host = isMail ? url.href.slice("mailto:".length) : url.host;
  return { href: url.href, host, text: compare(text.trim(), url, isMail ? host.split(/[@?,]/) : [url.hostname]) };
};

const compare = (text: string, url: URL, hosts: readonly string[]): Link["text"] => {
  const isPlain = /^[\x21-\x7E]+$/.test(text);
  const readings = ["", `${url.protocol}//`, "mailto:"].map((prefix) => prefix + text);
  if (isPlain && readings.some((reading) => URL.canParse(reading) && new URL(reading).href === url.href)) {
    return "address";
  }
  const knownHosts = new Set(hosts.map(stripWww));
  return findHosts(text).some((host) => !knownHosts.has(stripWww(host))) ? "misleading" : "words";
};

/** Returns the words of a text that look like a host. */
const findHosts = (text: string): readonly string[] =>
  text
    .split(/[^\p{L}\p{M}\p{N}.\u3002\uFF0E\uFF61-]+/u)
    .map((word) => word.replace(/[\u3002\uFF0E\uFF61]/g, ".").replace(/^[.-]+|[.-]+$/g, ""))
    .filter((word) => word.length < 254 && /\.(?:\p{L}[^.]+|\d+)$/u.test(word) && !/^\d+(?:\.\d+){0,2}$/.test(word))
    .map((word) => (URL.canParse(`https://${word}`) ? new URL(`https://${word}`).hostname : word));

const stripWww = (host: string): string => host.toLowerCase().replace(/^www\./, "");
