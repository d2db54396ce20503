/**
 * Parses Telegram's HTML as strictly as its server: the tags of «Formatting options», closed in
 * order, or "can't parse entities". Documented at core.telegram.org/bots/api#html-style. The texts
 * of the errors are the server's.
 */

export type ParsedHtml =
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
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };

export const parseTelegramHtml = (html: string): ParsedHtml => {
  const openNames: string[] = [];
  const tags: string[] = [];
  let text = "";
  let position = 0;
  const fail = (problem: string): ParsedHtml => ({
    ok: false,
    description: `Bad Request: can't parse entities: ${problem}`,
  });
  while (position < html.length) {
    const tagStart = html.indexOf("<", position);
    text += unescape(html.slice(position, tagStart === -1 ? undefined : tagStart));
    if (tagStart === -1) break;
    const end = html.indexOf(">", tagStart);
    if (end === -1) return fail(`Unclosed start tag at byte offset ${tagStart}`);
    const [, slash, name = "", attributes = ""] =
      /^<(\/?)([^\s<>/]*)([^<>]*)>$/.exec(html.slice(tagStart, end + 1)) ?? [];
    if (slash === "/") {
      const openName = openNames.pop();
      if (openName === undefined) return fail(`Unexpected end tag at byte offset ${tagStart}`);
      if (openName !== name || attributes !== "") {
        return fail(`Unmatched end tag at byte offset ${tagStart}, expected "</${openName}>", found "</${name}>"`);
      }
    } else {
      if (!TAGS.has(name)) return fail(`Unsupported start tag "${name}" at byte offset ${tagStart}`);
      if (!/^(?:\s+(?:href|class)="[^"<>]*"|\s+expandable)*$/.test(attributes)) {
        return fail(`Unexpected attribute at byte offset ${tagStart}`);
      }
      openNames.push(name);
      tags.push(name);
    }
    position = end + 1;
  }
  const unclosedName = openNames.pop();
  if (unclosedName !== undefined) return fail(`Can't find end tag corresponding to start tag "${unclosedName}"`);
  return { ok: true, text, tags };
};

const unescape = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|([a-z]+));/g, (entity, code?: string, name?: string) =>
    code === undefined ? (ENTITIES[name ?? ""] ?? entity) : String.fromCodePoint(Math.min(Number(code), 0x10ffff)),
  );
