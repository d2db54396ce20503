/** What a person would read of a page, as plain text with links. Loaded when the first page is read. */
import { lazy, HearthError } from "@hearth/protocol";

/** Longest page that is read, in UTF-16 code units: a longer one would hold up the house for too long. */
export const MAX_HTML = 400_000;

const SKIPPED = ["img", "nav", "footer", "script", "style", "noscript", "svg", "form", "button", "iframe", "title"];

/** `base` is where the page came from: links in it are told in full. Throws `tool.failed` for what is nested beyond reading. */
export const htmlToText = async (html: string, base: string): Promise<string> => {
  const convert = await load();
  try {
    const text = convert(html.slice(0, MAX_HTML)).replace(LINK, (_, link: string) => tellLink(link, base));
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
      // What nobody reads there.
      ...SKIPPED.map((selector) => ({ selector, format: "skip" })),
      ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: "table", format: "dataTable", options: { uppercaseHeaderCells: false } },
    ],
  });
});

const LINK = / ?<([^<>\s]{1,2000})>/g;

/** Links that lead somewhere; what would run, or be shown as something else, is no link. */
const tellLink = (link: string, base: string): string => {
  const url = URL.parse(link, base);
  return url === null || !/^(https?|mailto):$/.test(url.protocol) ? "" : ` <${url.href}>`;
};
