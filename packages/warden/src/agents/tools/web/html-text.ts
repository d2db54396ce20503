/** Converts a page to plain text with links. The converter is loaded with the first page. */
import { lazy, HearthError } from "@hearth/protocol";

/**
 * Maximum length of a page to convert, in UTF-16 code units. A longer page would block the house
 * for too long.
 */
export const MAX_HTML_LENGTH = 400_000;

const SKIPPED_ELEMENTS = [
  "img",
  "nav",
  "footer",
  "script",
  "style",
  "noscript",
  "svg",
  "form",
  "button",
  "iframe",
  "title",
];

/**
 * Converts a page. `base` is the page's address, for relative links. Throws `tool.failed` for a
 * page that is nested too deeply.
 */
export const htmlToText = async (html: string, base: string): Promise<string> => {
  const convert = await load();
  try {
    const text = convert(html.slice(0, MAX_HTML_LENGTH)).replace(LINK, (_, link: string) => describeLink(link, base));
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
      // These elements have no readable text.
      ...SKIPPED_ELEMENTS.map((selector) => ({ selector, format: "skip" })),
      ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: "table", format: "dataTable", options: { uppercaseHeaderCells: false } },
    ],
  });
});

const LINK = / ?<([^<>\s]{1,2000})>/g;

/**
 * Returns the text of a link. Only web links are kept, so links with scripts or data are dropped.
 */
const describeLink = (link: string, base: string): string => {
  const url = URL.parse(link, base);
  return url === null || !/^(https?|mailto):$/.test(url.protocol) ? "" : ` <${url.href}>`;
};
