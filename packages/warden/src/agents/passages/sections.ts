/** Splits the text of a document at its anchors, and into passages for the index. */

import { PLACE_LINES } from "@hearth/protocol";

/** A part of a document, such as a page. The text has no anchor. */
export interface Section {
  /** The place in the anchor, such as "page 12". It is "" for the text of a document without parts. */
  readonly place: string;
  readonly text: string;
}

/** Maximum length of a passage, in UTF-16 code units. Most pages are one passage. */
const MAX_PASSAGE_LENGTH = 3000;

export const sectionsOf = (text: string): readonly Section[] => {
  const sections: Section[] = [];
  let place = "";
  let from = 0;
  const add = (to: number): void => {
    const part = text.slice(from, to).trim();
    if (part !== "" || place !== "") sections.push({ place, text: part });
  };
  for (const { 0: line, 1: nextPlace = "", index } of text.matchAll(PLACE_LINES)) {
    add(index);
    place = nextPlace;
    from = index + line.length;
  }
  add(text.length);
  return sections;
};

/** Splits a text at the ends of lines, or else between words, into pieces for the index. */
export const piecesOf = (text: string): readonly string[] => {
  const pieces: string[] = [];
  let remaining = text.trim();
  while (remaining.length > MAX_PASSAGE_LENGTH) {
    const piece = remaining.slice(0, MAX_PASSAGE_LENGTH);
    const end =
      [piece.lastIndexOf("\n"), piece.lastIndexOf(" ")].find((at) => at > MAX_PASSAGE_LENGTH / 2) ?? MAX_PASSAGE_LENGTH;
    pieces.push(remaining.slice(0, end).toWellFormed());
    remaining = remaining.slice(end).trim();
  }
  return remaining === "" ? pieces : [...pieces, remaining.toWellFormed()];
};
