/** Labels in rows. */
import { Label } from "@hearth/protocol";

export const writeLabel = (label: Label | undefined): string | null =>
  label === undefined ? null : JSON.stringify(label);

/** An unreadable label counts as untrusted and private. */
export const readLabel = (text: string | null): Label | undefined => {
  if (text === null) return undefined;
  try {
    return Label.parse(JSON.parse(text));
  } catch {
    return { integrity: "untrusted", readers: "private", sources: ["an unreadable label"] };
  }
};
