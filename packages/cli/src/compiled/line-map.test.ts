import { expect, test } from "bun:test";
import { SourceMap, type SourceMapPayload } from "node:module";
import { fileURLToPath } from "node:url";
import { thinToLines } from "./line-map.ts";

/** The source position that a map has for a place. Bundlers number lines and columns from 0. */
const placeIn = (map: SourceMap, line: number, column: number) => {
  const found = map.findEntry(line, column);
  if (!("originalSource" in found)) throw new Error(`Nothing is known of ${line}:${column}.`);
  return { from: `${found.originalSource}:${found.originalLine}`, begins: found.generatedColumn };
};

test("a reduced map resolves every position to the same line as the full map, with one mapping per run", async () => {
  const built = await Bun.build({
    entrypoints: [fileURLToPath(new URL("build.ts", import.meta.url))],
    target: "bun",
    minify: { syntax: true, whitespace: true },
    sourcemap: "external",
  });
  const [program = "", map = ""] = await Promise.all(built.outputs.map((output) => output.text()));
  const thin = thinToLines(map);
  expect(thin.length).toBeLessThan(map.length / 4);
  const payloadOf = (text: string): SourceMapPayload => JSON.parse(text);
  const wholeMap = new SourceMap(payloadOf(map));
  const thinMap = new SourceMap(payloadOf(thin));

  const seen = new Set<string>();
  for (const [line, text] of program.split("\n").entries()) {
    // The bundler's own code has no source position.
    if (!/\S/.test(text) || text.startsWith("//")) continue;
    let before = { from: "", begins: -1 };
    for (let column = 0; column < text.length; column += 1) {
      const place = placeIn(thinMap, line, column);
      expect(place.from).toBe(placeIn(wholeMap, line, column).from);
      if (place.begins !== before.begins) expect(place.from).not.toBe(before.from);
      before = place;
      seen.add(place.from);
    }
  }
  expect(seen.size).toBeGreaterThan(50);
});

test("a reduced map has no names, texts or mappings without a source", () => {
  const whole = {
    version: 3,
    sources: ["a.ts"],
    sourcesContent: ["a text"],
    names: ["a"],
    mappings: "AAAAA,IAAI,I,GACD;;EADF",
  };
  expect(JSON.parse(thinToLines(JSON.stringify(whole)))).toEqual({
    version: 3,
    sources: ["a.ts"],
    sourcesContent: [null],
    names: [],
    mappings: "AAAA,WACG;;EADF",
  });
});
