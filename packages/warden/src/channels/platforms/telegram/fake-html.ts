/**
 * Parses Telegram's HTML as strictly as its server: the tags of «Formatting options», closed in
 * order, or "can't parse entities". Documented at core.telegram.org/bots/api#html-style. The texts
 * of the errors are the server's.
 */

export type Parsed =
  | { readonly ok: true; readonly text: string; readonly tags: readonly string[] }
  | { readonly ok: false; readonly description: string };

const TAGS = new Set([
  "b",
  "strong",
  "i",
  "em",
  "u",
  "ins",
  "s",
  "strike",
  "del",
  "a",
  "code",
  "pre",
  "blockquote",
  "tg-spoiler",
]);
const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };

export const parseTelegramHtml = (html: string): Parsed => {
  const open: string[] = [];
  const tags: string[] = [];
  let text = "";
  let at = 0;
  const fail = (problem: string): Parsed => ({
    ok: false,
    description: `Bad Request: can't parse entities: ${problem}`,
  });
  while (at < html.length) {
    const next = html.indexOf("<", at);
    text += unescape(html.slice(at, next === -1 ? undefined : next));
    if (next === -1) break;
    const end = html.indexOf(">", next);
    if (end === -1) return fail(`Unclosed start tag at byte offset ${next}`);
    const [, slash, name = "", attributes = ""] = /^<(\/?)([^\s<>/]*)([^<>]*)>$/.exec(html.slice(next, end + 1)) ?? [];
    if (slash === "/") {
      const wanted = open.pop();
      if (wanted === undefined) return fail(`Unexpected end tag at byte offset ${next}`);
      if (wanted !== name || attributes !== "") {
        return fail(`Unmatched end tag at byte offset ${next}, expected "</${wanted}>", found "</${name}>"`);
      }
    } else {
      if (!TAGS.has(name)) return fail(`Unsupported start tag "${name}" at byte offset ${next}`);
      if (!/^(?:\s+(?:href|class)="[^"<>]*"|\s+expandable)*$/.test(attributes)) {
        return fail(`Unexpected attribute at byte offset ${next}`);
      }
      open.push(name);
      tags.push(name);
    }
    at = end + 1;
  }
  const left = open.pop();
  if (left !== undefined) return fail(`Can't find end tag corresponding to start tag "${left}"`);
  return { ok: true, text, tags };
};

const unescape = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|([a-z]+));/g, (whole, code?: string, name?: string) =>
    code === undefined ? (named[name ?? ""] ?? whole) : String.fromCodePoint(Math.min(Number(code), 0x10ffff)),
  );
