/** Converts the chapters of an EPUB, in reading order. */
import { anchor } from "../markdown.ts";
import { readXml } from "../xml.ts";
import type { Zip } from "../zip.ts";
import { htmlToMarkdown } from "./html.ts";
import { resolvePart } from "./office.ts";

export const EPUB_CONTAINER = "META-INF/container.xml";

export function* readEpub(zip: Zip): Generator<string> {
  let packagePart = "";
  readXml(zip.text(EPUB_CONTAINER) ?? "", {
    open(name, attributes) {
      if (name === "rootfile") packagePart ||= attributes["full-path"] ?? "";
    },
  });
  const folder = packagePart.includes("/") ? packagePart.slice(0, packagePart.lastIndexOf("/")) : "";
  const files = new Map<string, string>();
  const order: string[] = [];
  readXml(zip.text(packagePart) ?? "", {
    open(name, { id, href, idref }) {
      if (name === "item" && id !== undefined && href !== undefined)
        files.set(id, resolvePart(folder, decodeHref(href)));
      if (name === "itemref" && idref !== undefined) order.push(idref);
    },
  });
  let chapter = 0;
  for (const id of order) {
    const text = htmlToMarkdown(zip.text(files.get(id) ?? "") ?? "");
    if (text === "") continue;
    chapter += 1;
    yield `${anchor("chapter", chapter)}\n${text}`;
  }
}

const decodeHref = (href: string): string => {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
};
