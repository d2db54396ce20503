/** Reads skills, which are folders with a SKILL.md and other text files. */
import { type Item, skippedItem } from "../../../http/imports/plan.ts";
import { createFileItem } from "./file-item.ts";
import { listFiles, readText } from "./tree.ts";

/** Reads the skills anywhere below a folder. A skill in `FOLDER/a/b` becomes `skills/b`. */
export async function* readSkills(root: string, folder: string, clean: (text: string) => string): AsyncGenerator<Item> {
  const paths = await listFiles(root, folder);
  const skills = paths.filter((path) => path.endsWith("/SKILL.md")).map((path) => path.slice(0, -"/SKILL.md".length));
  for (const path of paths) {
    const skill = skills.find((each) => path.startsWith(`${each}/`));
    if (skill === undefined) continue;
    const read = await readText(root, path);
    if (read === undefined) continue;
    if ("why" in read) yield skippedItem(path, `It ${read.why}.`);
    else yield toFile(path, `skills/${skill.split("/").at(-1)}${path.slice(skill.length)}`, read.text, clean);
  }
}

/** Returns an item with the text of a file, without secrets. */
export const toFile = (from: string, to: string, text: string, clean: (text: string) => string): Item => {
  const shown = clean(text);
  return createFileItem({
    from,
    to,
    text: shown,
    ...(shown === text ? {} : { change: "without secrets", hidesSecrets: true }),
  });
};

/** Reads files, given by their path in the source and in the brain. Leaves out missing files. */
export async function* readFiles(
  root: string,
  pairs: readonly (readonly [from: string, to: string])[],
  clean: (text: string) => string,
): AsyncGenerator<Item> {
  for (const [from, to] of pairs) {
    const read = await readText(root, from);
    if (read === undefined) continue;
    yield "why" in read ? skippedItem(from, `It ${read.why}.`) : toFile(from, to, read.text, clean);
  }
}
