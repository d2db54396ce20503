/** Reads and writes labels in rows. */
import { Label } from "@hearth/protocol";
import { type Json, writeJson } from "./json.ts";

export const writeLabel = (label: Label | undefined): Json<Label> | null =>
  label === undefined ? null : writeJson(label);

/** Reads a label. An unreadable label counts as untrusted and private. */
export const readLabel = (text: Json<Label> | null): Label | undefined => {
  if (text === null) return undefined;
  try {
    return Label.parse(JSON.parse(text));
  } catch {
    return { integrity: "untrusted", readers: "private", sources: ["an unreadable label"] };
  }
};
