import { expect, test } from "bun:test";
import { join } from "node:path";
import { createFakeUi } from "../house/fake-ui.tsx";
import { renderUi } from "../rooms/fake-view.tsx";
import { groups, ShowcasePage } from "./showcase-page.tsx";

const DESIGN = join(import.meta.dir, "../design");

/** Every component that the folder of the design exports. */
const componentsOf = async (): Promise<readonly string[]> => {
  const files = await Array.fromAsync(new Bun.Glob("*.tsx").scan(DESIGN));
  const names: string[] = [];
  for (const file of files.filter((name) => !name.includes(".test."))) {
    const module: Readonly<Record<string, unknown>> = await import(join(DESIGN, file));
    for (const [name, value] of Object.entries(module))
      if (/^[A-Z][a-z]/.test(name) && typeof value === "function") names.push(name);
  }
  return names.toSorted();
};

const listed = groups.flatMap((group) =>
  Object.entries(group).flatMap(([name, { otherNames = [] }]) => [name, ...otherNames]),
);

test("the page of the design shows every component that the folder exports", async () => {
  const components = await componentsOf();
  expect(components.length).toBeGreaterThan(20);
  expect(listed.toSorted()).toEqual([...components]);
});

test("an example uses its component", async () => {
  const files = await Array.fromAsync(new Bun.Glob("*-examples.tsx").scan(import.meta.dir));
  const text = (await Promise.all(files.map((file) => Bun.file(join(import.meta.dir, file)).text()))).join("\n");
  // The announcer is around every page, and the header at its top.
  const unused = listed.filter(
    (name) => name !== "Announcer" && name !== "PageHeader" && !text.includes(`<${name}`) && name !== "Mark",
  );
  expect(unused).toEqual([]);
});

test("the page has a section for each example", () => {
  const markup = renderUi(<ShowcasePage />, createFakeUi());
  const sections = markup.match(/<section aria-labelledby="design-/g);
  expect(sections).toHaveLength(groups.flatMap((group) => Object.keys(group)).length);
  for (const state of ["Primary", "Enter a name.", "Something went wrong on this page.", "Example table"])
    expect(markup).toContain(state);
});
