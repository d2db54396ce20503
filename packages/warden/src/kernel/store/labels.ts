/** Labels as rows keep them. */
import { Label } from "@hearth/protocol";

export const writeLabel = (label: Label | undefined): string | null =>
  label === undefined ? null : JSON.stringify(label);

/** What cannot be read says nothing good of the text. */
export const readLabel = (text: string | null): Label | undefined => {
  if (text === null) return undefined;
  try {
    return Label.parse(JSON.parse(text));
  } catch {
    return { integrity: "untrusted", readers: "private", sources: ["a label that could not be read"] };
  }
};
