/** Converts a page to plain text with links. Loaded with the first page. */
import { lazy, HearthError } from "@hearth/protocol";

/**
 * Longest page to convert, in UTF-16 code units. A longer one would block the house for too long.
 */
export const MAX_HTML = 400_000;

const SKIPPED = ["img", "nav", "footer", "script", "style", "noscript", "svg", "form", "button", "iframe", "title"];

/**
 * `base` is the page's address, for relative links. Throws `tool.failed` for a page nested too
 * deeply.
 */
export const htmlToText = async (html: string, base: string): Promise<string> => {
  const convert = await load();
  try {
    const text = convert(html.slice(0, MAX_HTML)).replace(LINK, (_, link: string) => describeLink(link, base));
    const title = /<title[^>]*>([^<]{1,300})<\/title>/i.exec(html)?.[1];
    return title === undefined ? text : `${convert(`<p>${title}</p>`)}\n\n${text}`;
  } catch (cause) {
    throw new HearthError("tool.failed", "The page is nested too deeply to be read.", { cause });
  }
};

const load = lazy(async () => {
  const { compile } = await import("html-to-text");
  return compile({
    wordwrap: false,
    selectors: [
      { selector: "a", options: { noAnchorUrl: true, linkBrackets: ["<", ">"] } },
      // Elements without readable text.
      ...SKIPPED.map((selector) => ({ selector, format: "skip" })),
      ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: "table", format: "dataTable", options: { uppercaseHeaderCells: false } },
    ],
  });
});

const LINK = / ?<([^<>\s]{1,2000})>/g;

/** Keeps web links only. Script and data links are dropped. */
const describeLink = (link: string, base: string): string => {
  const url = URL.parse(link, base);
  return url === null || !/^(https?|mailto):$/.test(url.protocol) ? "" : ` <${url.href}>`;
};
