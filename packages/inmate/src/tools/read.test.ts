import { expect, test } from "bun:test";
import type { DocumentText } from "@hearth/protocol/documents";
import { createFakeTools } from "./tools-fake.ts";

const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

test("a short file is returned as is", async () => {
  const { put, run } = createFakeTools();
  await put("a", "one\n\n  two");
  expect(await run("read", { path: "a" })).toEqual({ text: "one\n\n  two", failed: false });
});

test("a part has a note with its lines and the next offset", async () => {
  const { put, run } = createFakeTools();
  await put("a", numbered(5));
  expect((await run("read", { path: "a", limit: 2 })).text).toBe(
    "line 1\nline 2\n[lines 1-2 of 5; continue with offset 3]",
  );
  expect((await run("read", { path: "a", offset: 4 })).text).toBe("line 4\nline 5\n[lines 4-5 of 5]");
  expect((await run("read", { path: "a", offset: 5, limit: 1 })).text).toBe("line 5\n[lines 5-5 of 5]");
});

test("without a limit, at most 2000 lines are returned", async () => {
  const { put, run } = createFakeTools();
  await put("a", numbered(2001));
  expect((await run("read", { path: "a" })).text).toEndWith(
    "line 2000\n[lines 1-2000 of 2001; continue with offset 2001]",
  );
});

test("a long text is cut between lines, and continuing omits nothing", async () => {
  const { put, run } = createFakeTools();
  const lines = Array.from({ length: 100 }, (_, index) => `${index} ${"x".repeat(1000)}`);
  await put("a", lines.join("\n"));
  const seen: string[] = [];
  for (let offset = 1; seen.length < lines.length; offset = seen.length + 1) {
    const { text } = await run("read", { path: "a", offset });
    expect(text.length).toBeLessThanOrEqual(30_000);
    seen.push(...text.split("\n").filter((line) => !line.startsWith("[")));
  }
  expect(seen).toEqual(lines);
});

test("a long line is cut with a note of its length", async () => {
  const { put, run } = createFakeTools();
  await put("a", `${"x".repeat(50_000)}\nnext`);
  expect((await run("read", { path: "a" })).text).toBe(`${"x".repeat(2000)}… [50000 characters]\nnext`);
});

test("Windows line endings and a byte order mark are not shown", async () => {
  const { put, run } = createFakeTools();
  await put("a", "\ufeffone\r\ntwo\r\n");
  expect((await run("read", { path: "a" })).text).toBe("one\ntwo");
});

test("an empty file and an offset past the end are reported", async () => {
  const { put, run } = createFakeTools();
  await put("a", "");
  await put("b", "x");
  expect(await run("read", { path: "a" })).toEqual({ text: "[empty file]", failed: false });
  expect(await run("read", { path: "b", offset: 2 })).toEqual({
    text: "The file has 1 line; offset 2 is past its end.",
    failed: true,
  });
});

test("a file that is not text, too large or missing is refused with an explanation", async () => {
  const { files, run } = createFakeTools();
  await files.write("nul", Uint8Array.of(65, 0, 66));
  await files.write("latin", Uint8Array.of(65, 0xe9, 66));
  await files.write("big", new Uint8Array(10 * 1024 * 1024 + 1));
  expect(await run("read", { path: "nul" })).toEqual({ text: '"nul" is not text in UTF-8 (3 bytes).', failed: true });
  expect((await run("read", { path: "latin" })).failed).toBe(true);
  expect((await run("read", { path: "big" })).text).toContain("at most 10485760");
  expect((await run("read", { path: "none" })).text).toBe('There is no "none". `list` and `glob` show what there is.');
});

/** Tools whose documents have this text, and the paths that were converted. */
const withDocuments = (result: DocumentText) => {
  const asked: string[] = [];
  const tools = createFakeTools(undefined, async (path, bytes) => {
    asked.push(`${path} ${bytes.length}`);
    return result;
  });
  return { put: tools.put, files: tools.files, run: tools.run, asked };
};
const PAGES: DocumentText = { kind: "text", text: "[page 1]\none\n\n[page 2]\ntwo", cut: false };

test("a document is converted, and its text is shown in lines", async () => {
  const { put, files, run, asked } = withDocuments(PAGES);
  await put("a.pdf", "%PDF-1.7 looks like text");
  await put("a.rtf", " {\\rtf1 looks like text}");
  await files.write("a.docx", Uint8Array.of(80, 75, 3, 4, 0, 255));
  for (const path of ["a.pdf", "a.rtf", "a.docx"])
    expect(await run("read", { path, offset: 4 })).toEqual({
      text: "[page 2]\ntwo\n[lines 4-5 of 5]",
      failed: false,
    });
  expect(asked).toEqual(["a.pdf 24", "a.rtf 24", "a.docx 6"]);
});

test("plain text is not converted", async () => {
  const { put, run, asked } = withDocuments(PAGES);
  await put("a", "see %PDF-1.7");
  expect([(await run("read", { path: "a" })).text, asked]).toEqual(["see %PDF-1.7", []]);
});

test("a document whose text is cut has a note, but not a failed call", async () => {
  const { put, run } = withDocuments({ ...PAGES, cut: true });
  await put("a.pdf", "%PDF-");
  expect((await run("read", { path: "a.pdf" })).text).toBe(
    "[page 1]\none\n\n[page 2]\ntwo\n[the text is not all of the document]",
  );
  expect((await run("read", { path: "a.pdf", offset: 9 })).text).toBe(
    "The file has 5 lines; offset 9 is past its end.",
  );
});

test("a document that cannot be converted is refused with its reason, and so is one without a converter", async () => {
  const { put, run } = withDocuments({ kind: "refused", why: "It is protected by a password." });
  await put("a.pdf", "%PDF-");
  expect(await run("read", { path: "a.pdf" })).toEqual({
    text: 'Cannot read "a.pdf" as text. It is protected by a password.',
    failed: true,
  });
  const bare = createFakeTools();
  await bare.put("a.pdf", "%PDF-");
  expect(await bare.run("read", { path: "a.pdf" })).toEqual({
    text: '"a.pdf" is not text in UTF-8 (5 bytes).',
    failed: true,
  });
});
