/** Reads skills, which are folders with a SKILL.md and other text files. */
import { type Item, left } from "./plan.ts";
import { listFiles, readText } from "./tree.ts";

/** Reads the skills anywhere below a folder. A skill in `FOLDER/a/b` becomes `skills/b`. */
export const readSkills = async (
  root: string,
  folder: string,
  clean: (text: string) => string,
): Promise<readonly Item[]> => {
  const paths = await listFiles(root, folder);
  const skills = paths.filter((path) => path.endsWith("/SKILL.md")).map((path) => path.slice(0, -"/SKILL.md".length));
  const items: Item[] = [];
  for (const path of paths) {
    const skill = skills.find((each) => path.startsWith(`${each}/`));
    if (skill === undefined) continue;
    const read = await readText(root, path);
    if (read === undefined) continue;
    if ("why" in read) items.push(left(path, `It ${read.why}.`));
    else items.push(toFile(path, `skills/${skill.split("/").at(-1)}${path.slice(skill.length)}`, read.text, clean));
  }
  return items;
};

/** Returns an item with the text of a file, without secrets. */
export const toFile = (from: string, to: string, text: string, clean: (text: string) => string): Item => {
  const shown = clean(text);
  return { kind: "file", from, to, text: shown, ...(shown === text ? {} : { change: "without secrets" }) };
};

/** Reads files, given by their path in the source and in the brain. Leaves out missing files. */
export const readFiles = async (
  root: string,
  pairs: readonly (readonly [from: string, to: string])[],
  clean: (text: string) => string,
): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for (const [from, to] of pairs) {
    const read = await readText(root, from);
    if (read === undefined) continue;
    items.push("why" in read ? left(from, `It ${read.why}.`) : toFile(from, to, read.text, clean));
  }
  return items;
};
