/** Reads skills, which are folders with a SKILL.md and other text files. */
import { type Item, skippedItem } from "../../../http/imports/plan.ts";
import { createFileItem } from "./file-item.ts";
import { listFiles, readText } from "./tree.ts";

/** Reads the skills anywhere below a folder. A skill in `FOLDER/a/b` becomes `skills/b`. */
export async function* readSkills(root: string, folder: string, clean: (text: string) => string): AsyncGenerator<Item> {
  const paths = await listFiles(root, folder);
  const skills = paths.filter((path) => path.endsWith("/SKILL.md")).map((path) => path.slice(0, -"/SKILL.md".length));
  for (const path of paths) {
    const skill = skills.find((folder) => path.startsWith(`${folder}/`));
    if (skill === undefined) continue;
    const content = await readText(root, path);
    if (content === undefined) continue;
    if ("why" in content) yield skippedItem(path, `It ${content.why}.`);
    else yield toFile(path, `skills/${skill.split("/").at(-1)}${path.slice(skill.length)}`, content.text, clean);
  }
}

/** Returns an item with the text of a file, without secrets. */
export const toFile = (from: string, to: string, text: string, clean: (text: string) => string): Item => {
  const cleanText = clean(text);
  return createFileItem({
    from,
    to,
    text: cleanText,
    ...(cleanText === text ? {} : { change: "without secrets", hidesSecrets: true }),
  });
};

/** Reads files, given by their path in the source and in the brain. Leaves out missing files. */
export async function* readFiles(
  root: string,
  pairs: readonly (readonly [from: string, to: string])[],
  clean: (text: string) => string,
): AsyncGenerator<Item> {
  for (const [from, to] of pairs) {
    const content = await readText(root, from);
    if (content === undefined) continue;
    yield "why" in content ? skippedItem(from, `It ${content.why}.`) : toFile(from, to, content.text, clean);
  }
}
