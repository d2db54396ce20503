import { expect, test } from "bun:test";
import { HearthError, type WorkspaceEntry } from "@hearth/protocol";
import { fakeMain } from "../../house/fake-ui.tsx";
import { renderUi, textOf } from "../../rooms/fake-view.tsx";
import { MAX_PREVIEW_BYTES, readBeginning } from "./beginning.ts";
import { Preview } from "./file-preview.tsx";
import { previewKindOf, textFormatOf } from "./preview-kind.ts";
import { MAX_ROWS, readSeparated } from "./separated.ts";
import { FolderTable } from "./workspace-tab.tsx";

test("separated values have quoted cells, any of three separators, and no row for an empty line", () => {
  expect(readSeparated('a,b\r\n"x,\n""y""",2\n\n')).toEqual({
    rows: [
      ["a", "b"],
      ['x,\n"y"', "2"],
    ],
    count: 2,
  });
  expect(readSeparated("a;b,c\td;e\n1;2;3").rows).toEqual([
    ["a", "b,c\td", "e"],
    ["1", "2", "3"],
  ]);
  expect(readSeparated("a\tb\n1\t").rows[1]).toEqual(["1", ""]);
  expect(readSeparated("")).toEqual({ rows: [], count: 0 });
  const long = readSeparated("1,2\n".repeat(MAX_ROWS + 3));
  expect([long.rows.length, long.count]).toEqual([MAX_ROWS, MAX_ROWS + 3]);
  expect(readSeparated(",".repeat(80)).rows[0]).toHaveLength(50);
});

test("the detected type decides how a file is shown; the name only chooses the look of a text", () => {
  const types = { "image/png": "picture", "image/svg+xml": "none", "audio/wav": "sound", "video/mp4": "film" };
  for (const [type, kind] of Object.entries(types)) expect([type, previewKindOf(type)]).toEqual([type, kind]);
  expect([previewKindOf("application/pdf"), previewKindOf("application/x-elf")]).toEqual(["document", "none"]);
  expect(textFormatOf("a/b.MD")).toEqual({ kind: "markdown" });
  expect(textFormatOf("a.md/b.tsv")).toEqual({ kind: "table" });
  expect(textFormatOf("a.md/run.py")).toEqual({ kind: "code", language: "py" });
  for (const path of ["a.md/README", "notes.txt", "x."])
    expect(textFormatOf(path)).toEqual({ kind: "code", language: undefined });
});

test("A53: a preview reads no more than its first part, and ends the download", async () => {
  let ended = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("é".repeat(5000))),
    cancel: () => void (ended = true),
  });
  const headers = { "content-type": "text/plain; charset=utf-8", "content-range": "bytes 0-9/9007199254740991" };
  const { text = "", isCut } = await readBeginning(async () => new Response(endless, { headers }));
  expect([new TextEncoder().encode(text).length, isCut, ended]).toEqual([MAX_PREVIEW_BYTES, true, true]);
  const png = { "content-type": "image/png", "content-range": "bytes 0-4/7" };
  const picture = await readBeginning(async () => new Response("bytes", { headers: png }));
  expect(picture).toEqual({ type: "image/png", sizeBytes: 7, isCut: false });
  const refuse = (code: "attachment.range" | "brain.path") =>
    readBeginning(() => Promise.reject(new HearthError(code, "Refused.")));
  expect((await refuse("attachment.range")).sizeBytes).toBe(0);
  expect(refuse("brain.path")).rejects.toThrow("Refused.");
});

const shown = (path: string, type: string, text: string, isCut = false): string =>
  renderUi(
    <Preview
      agent={fakeMain.id}
      path={path}
      url={`/api/agents/${fakeMain.id}/files/content?path=${encodeURIComponent(path)}`}
      beginning={{ type, text, sizeBytes: text.length, isCut }}
    />,
  );

test("A52: a preview of hostile text is elements of text: nothing in it runs or loads", () => {
  const hostile = "<script>alert(1)</script><img src=x onerror=alert(1)>![p](http://e.example/p.png)";
  for (const path of ["page.html", "notes.md", "data.csv", "run.svg"]) {
    const html = shown(path, "text/plain", `a,b\n${hostile}\n`);
    for (const forbidden of ["<script", "<img", "<iframe", "<object", "<embed", "srcdoc", 'src="http'])
      expect([path, forbidden, html.includes(forbidden)]).toEqual([path, forbidden, false]);
    expect(textOf(html)).toContain("alert(1)");
  }
  // The browser gets pictures and sounds from the house only, with the headers of a download.
  const url = `src="/api/agents/${fakeMain.id}/files/content?path=a.png"`;
  expect(shown("a.png", "image/png", "x")).toContain(url);
  expect(shown("a.png", "text/plain", "x")).not.toContain(url);
});

test("a text that is cut, an empty file and an unknown type say so", () => {
  expect(textOf(shown("a.txt", "text/plain", "beginning", true))).toContain("This is the first part of the file");
  expect(textOf(shown("a.txt", "text/plain", ""))).toContain("This file is empty.");
  expect(textOf(shown("a.bin", "application/octet-stream", "x"))).toContain("have no preview");
});

test("a folder shows sizes and reasons, links names with any characters, and offers a zip file", () => {
  const entries: WorkspaceEntry[] = [
    { name: "re#ports", kind: "folder", changedAt: 1 },
    { name: "a%\u202e.csv", kind: "file", sizeBytes: 1200, changedAt: 1 },
    { name: "link", kind: "other", changedAt: 1, why: "is a link, which is not followed" },
  ];
  const html = renderUi(<FolderTable agent={fakeMain} path="x y" folder={{ entries, isComplete: false }} />);
  expect(html).toContain(`href="/api/agents/${fakeMain.id}/files/archive?path=x%20y"`);
  expect(html).toContain('href="/ui/brain/main/workspace?folder=x%2520y/re%2523ports"');
  expect(html).toContain('href="/ui/brain/main/workspace?file=x%2520y/a%2525');
  expect(html).not.toContain("\u202e");
  const text = textOf(html);
  for (const words of ["1.2 kB", "is a link, which is not followed", "more than the 3 entries"])
    expect(text).toContain(words);
  const empty = { entries: [], isComplete: true };
  expect(textOf(renderUi(<FolderTable agent={fakeMain} path="" folder={empty} />))).toBe("No files yet");
});
