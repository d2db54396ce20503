import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { jobOperations } from "@hearth/protocol/operations";
import { buildUi } from "./build.ts";
import { createFixturePage } from "./fixture-page.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { hashSources, type UiSources, uiSources } from "./sources.ts";

const read = (place: string, { folder }: Manifest, path: string) => readFile(join(place, folder, path));
const textOf = async (place: string, manifest: Manifest, extension: string): Promise<string> => {
  const paths = manifest.files.map(({ path }) => path).filter((path) => path.endsWith(extension));
  return (await Promise.all(paths.map((path) => read(place, manifest, path)))).join("\n");
};

/** Checks that apply to every build. */
const check = async (place: string, manifest: Manifest): Promise<void> => {
  const paths = manifest.files.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);

  const html = (await read(place, manifest, "index.html")).toString();
  for (const [script] of html.matchAll(/<script[\s\S]*?<\/script>/g)) {
    expect(script).toMatch(/^<script [^>]*src="[^"]+"[^>]*><\/script>$/);
  }
  expect(html).toContain("<script ");
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:|sourceMappingURL/i);

  // Page, styles and scripts load only files of this build.
  const css = await textOf(place, manifest, ".css");
  const js = await textOf(place, manifest, ".js");
  const loaded = [
    ...[...html.matchAll(/\s(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? ""),
    ...[...css.matchAll(/url\(["']?([^"')]+)|@import\s+["']([^"']+)/g)].map((match) => match[1] ?? match[2] ?? ""),
    ...[...js.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([\w./:@-]+)["']/g)].map((match) => match[1] ?? ""),
    ...[...js.matchAll(/["'](\/ui\/[\w.-]+\.\w+)["']/g)].map((match) => match[1] ?? ""),
  ].filter((address) => !address.startsWith("data:"));
  expect(loaded.length).toBeGreaterThan(2);
  for (const address of loaded) {
    expect(address).toStartWith("/ui/");
    expect(paths).toContain(address.slice("/ui/".length));
  }
  expect(js).not.toMatch(/sourceMappingURL|jsxDEV\(/);

  for (const { path, type, etag, immutable, size, gzipSize } of manifest.files) {
    const body = await read(place, manifest, path);
    expect([path, body.length]).toEqual([path, size]);
    expect([path, createHash("sha256").update(body).digest("hex")]).toEqual([path, etag]);
    expect([path, /-[0-9a-z]{8}\.\w+$/.test(path)]).toEqual([path, immutable]);
    expect([path, type]).toEqual([path, expect.stringMatching(TYPES[path.slice(path.lastIndexOf("."))] ?? /never/)]);
    if (gzipSize === undefined) continue;
    const gzipped = await read(place, manifest, `${path}.gz`);
    expect([path, gzipped.length]).toEqual([path, gzipSize]);
    expect(gzipSize).toBeLessThan(size);
    expect(gunzipSync(gzipped).equals(body)).toBe(true);
  }
};

const iconOf = ({ sources }: { readonly sources: UiSources }): string => sources.fixedNameFiles[0] ?? "";

const TYPES: Readonly<Record<string, RegExp>> = {
  ".html": /^text\/html;charset=utf-8$/,
  ".js": /^text\/javascript;charset=utf-8$/,
  ".css": /^text\/css;charset=utf-8$/,
  ".svg": /^image\/svg\+xml$/,
  ".woff2": /^font\/woff2$/,
  ".png": /^image\/png$/,
  ".webmanifest": /^application\/manifest\+json$/,
};

test("a build is a document without inline code, and all its files are hashed and compressed", async () => {
  await using page = await createFixturePage();
  const manifest = await buildUi(page.distFolder, page.sources);
  await check(page.distFolder, manifest);
  expect(manifest.files.filter(({ gzipSize }) => gzipSize !== undefined).length).toBeGreaterThan(1);
  expect(readManifest(page.distFolder)).toEqual(manifest);
  expect(manifest.files.map(({ path }) => path.replace(/-\w+\./, "-#.")).toSorted()).toEqual([
    "first-#.css",
    "icon-#.svg",
    "icon.svg",
    "index-#.css",
    "index-#.js",
    "index.html",
    "late-#.js",
    "plain-#.js",
    "worker.js",
  ]);
});

test("the UI of this checkout builds", async () => {
  await using page = await createFixturePage();
  const manifest = await buildUi(page.distFolder, uiSources);
  await check(page.distFolder, manifest);
  const js = await textOf(page.distFolder, manifest, ".js");
  expect(js).toContain("activation-waiting");
  // Frames between warden and cells are not part of the UI.
  for (const frame of ["model-request", "step-done"]) expect(js).not.toContain(frame);
  // The documentation of an operation and the schema of its request are not part of it either.
  expect(js).toContain(jobOperations.edit.path);
  for (const text of [jobOperations.edit.summary, jobOperations.edit.needs, "has both apiKey and key"])
    expect(js).not.toContain(text);
});

test("each language has its document, its texts and its worker, and shares all other files", async () => {
  await using page = await createFixturePage();
  await page.addGerman();
  const manifest = await buildUi(page.distFolder, page.sources);
  await check(page.distFolder, manifest);
  const named = (start: string, extension: string) =>
    manifest.files.map(({ path }) => path).filter((path) => path.startsWith(start) && path.endsWith(extension));
  expect(named("index", ".html")).toEqual(["index.html", "index.de.html"]);
  expect([named("late-", ".js").length, named("plain-", ".js").length, named("icon-", ".svg").length]).toEqual([
    2, 1, 1,
  ]);
  const textFor = async (worker: string): Promise<string> => {
    const files = (await read(page.distFolder, manifest, worker)).toString();
    const loaded = named("late-", ".js").filter((path) => files.includes(path));
    expect([worker, loaded.length]).toEqual([worker, 1]);
    return (await read(page.distFolder, manifest, loaded[0] ?? "")).toString();
  };
  expect(await textFor("worker.js")).toContain("came late");
  expect(await textFor("worker.de.js")).toContain("kam später");
  expect((await read(page.distFolder, manifest, "worker.de.js")).toString()).toContain("index.de.html");
});

test("the document links to the styles of the first page, and names those that lazy parts need", async () => {
  await using page = await createFixturePage();
  const manifest = await buildUi(page.distFolder, page.sources);
  const html = (await read(page.distFolder, manifest, "index.html")).toString();
  const [, first = ""] = /<link rel="stylesheet"[^>]* href="\/ui\/([^"]+)">/.exec(html) ?? [];
  const [, all = ""] = /<meta name="styles" content="\/ui\/([^"]+)">/.exec(html) ?? [];
  const stylesIn = async (path: string) => (await read(page.distFolder, manifest, path)).toString();
  expect(await stylesIn(first)).toContain(".first_");
  expect(await stylesIn(first)).not.toContain(".second_");
  expect(await stylesIn(all)).toContain(".first_");
  expect(await stylesIn(all)).toContain(".second_");
  // Without lazy styles, the document links to all of them.
  await page.write("late.module.css", "");
  const whole = await buildUi(page.distFolder, page.sources);
  expect((await read(page.distFolder, whole, "index.html")).toString()).not.toContain('name="styles"');
});

test("class names match, and both colour schemes stay", async () => {
  await using page = await createFixturePage();
  const manifest = await buildUi(page.distFolder, page.sources);
  const [css, js] = [await textOf(page.distFolder, manifest, ".css"), await textOf(page.distFolder, manifest, ".js")];
  for (const name of ["first", "second"]) {
    const scoped = new RegExp(`\\.(${name}_[\\w-]+)`).exec(css)?.[1] ?? "none";
    expect(js).toContain(`"${scoped}"`);
  }
  expect(css).toContain("#fff");
  expect(css).toContain("#000");
});

test("the build is for production, and contains no values of this machine's environment", async () => {
  await using page = await createFixturePage();
  await page.write("late.tsx", "export const late = () => [process.env.NODE_ENV, process.env.PATH, process.env.USER];");
  const manifest = await buildUi(page.distFolder, page.sources);
  const js = await textOf(page.distFolder, manifest, ".js");
  expect(js).toContain('"production"');
  for (const secret of [process.env["PATH"], process.env["HOME"]]) expect(js).not.toContain(`"${secret}"`);
});

test("a changed file gets a new name, and so do files that refer to it", async () => {
  await using page = await createFixturePage();
  const first = await buildUi(page.distFolder, page.sources);
  await page.write("late.tsx", 'export const late = () => { document.title = "came later"; };');
  const second = await buildUi(page.distFolder, page.sources);
  const named = (manifest: Manifest, start: string) =>
    manifest.files.find(({ path, immutable }) => immutable && path.startsWith(start) && path.endsWith(".js"))?.path;
  expect(named(second, "late-")).not.toBe(named(first, "late-"));
  expect(named(second, "index-")).not.toBe(named(first, "index-"));
  for (const { path, etag, immutable } of second.files) {
    const before = first.files.find((file) => file.path === path);
    if (immutable && before !== undefined) expect([path, before.etag]).toEqual([path, etag]);
  }
  await check(page.distFolder, second);
});

test("the same sources give the same files", async () => {
  await using page = await createFixturePage();
  const first = await buildUi(page.distFolder, page.sources);
  const second = await buildUi(page.distFolder, page.sources);
  expect(second.files).toEqual(first.files);
  expect(second.builtFrom).toBe(first.builtFrom);
});

test("concurrent builds do not interfere, and each is complete", async () => {
  await using page = await createFixturePage();
  const manifests = await Promise.all(Array.from({ length: 4 }, () => buildUi(page.distFolder, page.sources)));
  for (const manifest of manifests) await check(page.distFolder, manifest);
  expect(manifests.map(({ folder }) => folder)).toContain(readManifest(page.distFolder)?.folder ?? "");
});

test("a failed build names the file, and keeps the previous build", async () => {
  await using page = await createFixturePage();
  const before = await buildUi(page.distFolder, page.sources);
  await page.write("late.tsx", 'import "./missing.ts";');
  await expect(buildUi(page.distFolder, page.sources)).rejects.toMatchObject({
    code: "ui.unbuilt",
    message: expect.stringMatching(/late\.tsx:1: .*missing\.ts/),
  });
  expect(readManifest(page.distFolder)).toEqual(before);
  await check(page.distFolder, before);
});

test("old leftovers are deleted; new ones and the current build stay", async () => {
  await using page = await createFixturePage();
  const first = await buildUi(page.distFolder, page.sources);
  await mkdir(join(page.distFolder, "abandoned"));
  await writeFile(join(page.distFolder, "abandoned", "half.js"), "x");
  const age = async (name: string) => utimes(join(page.distFolder, name), 0, 0);
  await age("abandoned");
  const second = await buildUi(page.distFolder, page.sources);
  expect((await readdir(page.distFolder)).toSorted()).toEqual(
    [first.folder, second.folder, "manifest.json"].toSorted(),
  );
  await age(first.folder);
  await age("manifest.json");
  const third = await buildUi(page.distFolder, page.sources);
  expect((await readdir(page.distFolder)).toSorted()).toEqual(
    [second.folder, third.folder, "manifest.json"].toSorted(),
  );
});

test("the source hash covers names and contents, not tests and times", async () => {
  await using page = await createFixturePage();
  const hashes = [hashSources(page.sources)];
  const see = (): number => {
    const hash = hashSources(page.sources);
    if (!hashes.includes(hash)) hashes.push(hash);
    return hashes.length;
  };
  await page.write("main.test.tsx", "1");
  await page.write("main.conformance.ts", "1");
  await utimes(iconOf(page), 0, 0);
  expect(see()).toBe(1);
  await page.write("added.ts", "");
  expect(see()).toBe(2);
  await page.write("added.ts", "1");
  expect(see()).toBe(3);
  const alone: UiSources = { ...page.sources, paths: [iconOf(page)] };
  const before = hashSources(alone);
  await page.write("icon.svg", "<svg/>");
  expect(hashSources(alone)).not.toBe(before);
});
