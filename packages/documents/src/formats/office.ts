/** Reads parts of Office files: the targets of relations, and the paragraphs of a drawing. */
import { readXml } from "../xml.ts";
import type { Zip } from "../zip.ts";

/** Returns the targets of a part's relations, by the id of the relation. */
export const readRelations = (zip: Zip, part: string): ReadonlyMap<string, string> => {
  const slash = part.lastIndexOf("/");
  const [folder, name] = [part.slice(0, slash), part.slice(slash + 1)];
  const found = new Map<string, string>();
  readXml(zip.text(`${folder}/_rels/${name}.rels`) ?? "", {
    open(element, { Id: id, Target: target, TargetMode: mode }) {
      if (element === "Relationship" && id !== undefined && target !== undefined && mode !== "External")
        found.set(id, resolvePart(folder, target));
    },
  });
  return found;
};

/** Resolves the name of a member relative to the folder of another one. */
export const resolvePart = (folder: string, target: string): string => {
  const parts = target.startsWith("/") ? [] : folder.split("/").filter(Boolean);
  for (const part of target.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
};

/** Returns the paragraphs of a drawing, such as a slide. */
export const readParagraphs = (xml: string): readonly string[] => {
  const paragraphs: string[] = [];
  let text = "";
  let isText = false;
  readXml(xml, {
    open(name) {
      if (name === "a:p") text = "";
      if (name === "a:br") text += "\n";
      isText = name === "a:t";
    },
    text(piece) {
      if (isText) text += piece;
    },
    close(name) {
      isText = false;
      if (name === "a:p" && text.trim() !== "") paragraphs.push(text.trim());
    },
  });
  return paragraphs;
};
