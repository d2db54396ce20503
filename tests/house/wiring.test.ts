/**
 * Limits on how parts are wired: options have few members, which are declared in one place, and no
 * literal is spread into another.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { plant } from "./planted.ts";
import { join } from "node:path";
import { readRepository, readTree, root } from "./source.ts";
import { isProduct, MAX_OPTIONS, measureWiring, spreadsArea, type Wiring } from "./wiring.ts";

let wiring: Wiring;
let spreading: readonly string[];

beforeAll(async () => {
  const { files } = await readRepository();
  wiring = measureWiring(files);
  const warden = files.map(({ path }) => path).filter((path) => path.startsWith("packages/warden/") && isProduct(path));
  const texts = await Promise.all(warden.map((path) => Bun.file(join(root, path)).text()));
  spreading = warden.filter((_, index) => spreadsArea(texts[index] ?? ""));
});

test(`options of a part have at most ${MAX_OPTIONS} members`, () => {
  expect(wiring.options).toEqual({});
});

test("no options are assembled with Pick or Omit", () => {
  expect(wiring.assembled).toEqual([]);
});

test("no literal is spread into another: its members are written one per line", () => {
  expect(wiring.spreads).toEqual({});
});

test("no area is spread into the options of a part: the options name what the part gets", () => {
  expect(spreading).toEqual([]);
});

describe("the measure", () => {
  const fields = (count: number): string =>
    Array.from({ length: count }, (_, index) => `readonly field${index}: number;`).join(" ");
  const measure = async (text: string): Promise<Wiring> => {
    await using planted = await plant({ "packages/warden/src/people/rooms/x.ts": `${text}\n` });
    return measureWiring((await readTree(planted.folder)).files);
  };
  const at = "packages/warden/src/people/rooms/x.ts";

  test.each([
    ["an interface", `export interface RoomOptions { ${fields(13)} }`, "RoomOptions"],
    ["a type", `export type RoomOptions = { ${fields(13)} };`, "RoomOptions"],
    [
      "an interface with a base",
      `interface Base { ${fields(12)} }\nexport interface RoomOptions extends Base { readonly more: 1 }`,
      "RoomOptions",
    ],
    ["a parameter", `export const createRoom = (options: { ${fields(13)} }) => options;`, "createRoom()"],
  ])("counts the members of %s", async (_what, text, name) => {
    expect((await measure(text)).options).toEqual({ [`${at}#${name}`]: 13 });
  });

  test("ignores options with 12 members, and other types", async () => {
    const { options } = await measure(
      `export interface RoomOptions { ${fields(12)} }\nexport interface Room { ${fields(13)} }`,
    );
    expect(options).toEqual({});
  });

  test("finds options that are assembled", async () => {
    const text = 'interface Base { a: 1 }\nexport interface RoomOptions extends Pick<Base, "a"> { b: 1 }';
    expect((await measure(text)).assembled).toEqual([`${at}#RoomOptions`]);
  });

  test.each([
    ["createInbox({ ...kernel, show })", true],
    ["createAccess({ activations, ...people })", true],
    ["createAccess({ ...peopleOf(house), kernel })", false],
    ["[...cells.keys()]", false],
  ])("finds areas that are spread: %s", (text, isFound) => {
    expect(spreadsArea(text)).toBe(isFound);
  });

  test("counts literals that are spread", async () => {
    const text = "export const make = (a: object) => ({ ...{ a }, ...a, ...(a === null ? {} : { a }) });";
    expect((await measure(text)).spreads).toEqual({ [at]: 1 });
  });
});
