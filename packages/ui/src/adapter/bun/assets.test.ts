import { expect, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { createUiFiles, type UiFile, type UiFilesOptions } from "./assets.ts";
import { buildUi } from "./build.ts";
import { createFixturePage, type FixturePage } from "./fixture-page.ts";
import { readManifest } from "./manifest.ts";
import { DIST, ROOT } from "./sources.ts";

/** UI files of the fixture page, with a count of builds. */
const open = (page: FixturePage, build?: UiFilesOptions["build"]) => {
  const { distFolder, sources } = page;
  const counts = { builds: 0 };
  const files = createUiFiles({
    distFolder,
    sources,
    async build(into) {
      counts.builds += 1;
      if (build !== undefined) return build(into);
      await buildUi(into, sources);
      return "built";
    },
  });
  return { counts, files };
};

const textOf = (file: UiFile | undefined): string => new TextDecoder().decode(file?.body);

test("the UI is built once, at the first request, also for concurrent requests", async () => {
  await using page = await createFixturePage();
  const { files, counts } = open(page);
  expect([counts.builds, readManifest(page.distFolder)]).toEqual([0, undefined]);
  const found = await Promise.all(Array.from({ length: 5 }, () => files.find("")));
  for (const file of found) expect(textOf(file)).toStartWith("<!doctype html>");
  expect(counts.builds).toBe(1);
});

test("an existing build of the same sources is used; one of other sources is rebuilt", async () => {
  await using page = await createFixturePage();
  await buildUi(page.distFolder, page.sources);
  const fresh = open(page);
  expect(textOf(await fresh.files.find(""))).toContain("<title>Fixture</title>");
  expect(fresh.counts.builds).toBe(0);

  await page.write("late.tsx", "export const late = () => 1;");
  const changed = open(page);
  await changed.files.find("");
  expect(changed.counts.builds).toBe(1);
});

test("every file has its exact name and a compressed form; app pages return the document", async () => {
  await using page = await createFixturePage();
  const { files } = open(page);
  const document = await files.find("");
  expect(document).toMatchObject({ type: "text/html;charset=utf-8", isImmutable: false });
  for (const path of ["rooms/room_1", "rooms/", "a.b/c", "/etc/passwd", "%2e%2e/package"])
    expect(await files.find(path)).toBe(document);

  const manifest = readManifest(page.distFolder);
  for (const { path, etag, immutable, size, gzipSize } of manifest?.files ?? []) {
    const file = await files.find(path);
    expect(file).toMatchObject({ etag, isImmutable: immutable });
    expect([path, file?.body.length, file?.gzipped?.length]).toEqual([path, size, gzipSize]);
    if (file?.gzipped !== undefined) expect(Bun.gunzipSync(file.gzipped)).toEqual(file.body);
  }
  for (const path of [
    "nothing.js",
    "manifest.json",
    "../manifest.json",
    "..%2fmanifest.json",
    "./index.html",
    "index.html.gz",
    "INDEX.HTML",
    "__proto__.x",
    "..",
  ])
    expect([path, await files.find(path)]).toEqual([path, undefined]);
});

test("the document is in the first language that the UI has, and otherwise in English", async () => {
  await using page = await createFixturePage();
  await page.addGerman();
  const { files } = open(page);
  const languageFor = async (...languages: string[]) => (await files.find("rooms/x", languages))?.language;
  expect(await languageFor()).toBe("en");
  for (const codes of [["de"], ["DE-AT", "en"], ["fr", "de"], ["../de", "de"]])
    expect([codes, await languageFor(...codes)]).toEqual([codes, "de"]);
  for (const codes of [["en-GB", "de"], ["fr"], [""], ["x.y"], ["constructor"]])
    expect([codes, await languageFor(...codes)]).toEqual([codes, "en"]);
  // A document has a name of its language too, which the service worker requests.
  expect(textOf(await files.find("index.de.html", ["en"]))).toContain('lang="de"');
  expect((await files.find("icon.svg", ["de"]))?.language).toBeUndefined();
});

test("a served UI does not need its files on disk", async () => {
  await using page = await createFixturePage();
  const { files, counts } = open(page);
  await files.find("");
  await rm(page.distFolder, { recursive: true });
  expect(textOf(await files.find("icon.svg"))).toStartWith("<svg");
  expect(counts.builds).toBe(1);
});

test("a build with missing files is rebuilt", async () => {
  await using page = await createFixturePage();
  const { folder } = await buildUi(page.distFolder, page.sources);
  await rm(join(page.distFolder, folder, "icon.svg"));
  const lacking = open(page);
  expect(textOf(await lacking.files.find("icon.svg"))).toStartWith("<svg");
  expect(lacking.counts.builds).toBe(1);

  await writeFile(join(page.distFolder, "manifest.json"), '{"builtFrom"');
  const torn = open(page);
  expect(textOf(await torn.files.find("icon.svg"))).toStartWith("<svg");
  expect(torn.counts.builds).toBe(1);
});

test("without write access an older UI is served; without one the error says what to do", async () => {
  await using page = await createFixturePage();
  const none = open(page, async () => "no-place");
  await expect(none.files.find("")).rejects.toMatchObject({
    code: "ui.unbuilt",
    hint: expect.stringContaining(page.distFolder),
  });

  await buildUi(page.distFolder, page.sources);
  await page.write("late.tsx", "export const late = () => 1;");
  const older = open(page, async () => "no-place");
  expect(textOf(await older.files.find(""))).toStartWith("<!doctype html>");
  expect(older.counts.builds).toBe(1);
});

test("a failed build is reported, never replaced by an older UI, and repeated at the next request", async () => {
  await using page = await createFixturePage();
  await buildUi(page.distFolder, page.sources);
  await page.write("late.tsx", "export const late = () => 1;");
  let isBroken = true;
  const { files, counts } = open(page, async (place) => {
    if (isBroken) throw new HearthError("ui.unbuilt", "It is broken.");
    await buildUi(place, page.sources);
    return "built";
  });
  await expect(files.find("")).rejects.toMatchObject({ code: "ui.unbuilt", message: "It is broken." });
  isBroken = false;
  expect(textOf(await files.find(""))).toStartWith("<!doctype html>");
  expect(counts.builds).toBe(2);
});

test("by default this checkout's UI is built, in a separate process", async () => {
  await using page = await createFixturePage();
  const files = createUiFiles({ distFolder: page.distFolder });
  expect(textOf(await files.find(""))).toContain('<div id="root">');
  expect(readManifest(page.distFolder)?.files.length).toBeGreaterThan(3);
  expect(DIST).toBe(join(ROOT, "packages/ui/dist"));
});

test("a place that is not a folder and broken sources are different errors", async () => {
  await using page = await createFixturePage();
  const [icon = ""] = page.sources.fixedNameFiles;
  const files = createUiFiles({ distFolder: icon });
  await expect(files.find("")).rejects.toMatchObject({
    code: "ui.unbuilt",
    hint: expect.stringContaining(`Make ${icon} a folder`),
  });
});

test("the daemon loads neither builder nor compression at startup", async () => {
  const script = `await import(${JSON.stringify(join(import.meta.dir, "assets.ts"))});
    process.stdout.write(Object.keys(require.cache).filter((path) => path.includes("packages/ui/")).join(" "));`;
  const child = Bun.spawn([process.execPath, "--no-install", "--no-env-file", "-e", script], {
    cwd: ROOT,
    stdout: "pipe",
    stderr: "inherit",
  });
  const loaded = (await child.stdout.text()).split(" ").map((path) => path.slice(path.lastIndexOf("/") + 1));
  expect(loaded.toSorted()).toEqual(["assets.ts", "manifest.ts", "sources.ts"]);
});
