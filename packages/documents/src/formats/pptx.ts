/** Converts the slides of a PPTX in their order, with the notes of the speaker. */
import { anchor } from "../markdown.ts";
import { readXml } from "../xml.ts";
import type { Zip } from "../zip.ts";
import { readParagraphs, readRelations } from "./office.ts";

const PRESENTATION = "ppt/presentation.xml";

export function* readPptx(zip: Zip): Generator<string> {
  const relations = readRelations(zip, PRESENTATION);
  const slides: string[] = [];
  readXml(zip.text(PRESENTATION) ?? "", {
    open(name, { "r:id": id = "" }) {
      const part = relations.get(id);
      if (name === "p:sldId" && part !== undefined) slides.push(part);
    },
  });
  for (const [index, part] of slides.entries()) {
    const notesPart = [...readRelations(zip, part).values()].find((target) => target.includes("/notesSlides/"));
    const notes = notesPart === undefined ? [] : readParagraphs(zip.text(notesPart) ?? "");
    // The notes contain the number of the slide as a paragraph, which is left out.
    const ownText = notes.filter((paragraph) => !/^\d+$/.test(paragraph));
    const lines = [anchor("slide", index + 1), ...readParagraphs(zip.text(part) ?? "")];
    yield [...lines, ...(ownText.length > 0 ? ["Notes:", ...ownText] : [])].join("\n");
  }
}
