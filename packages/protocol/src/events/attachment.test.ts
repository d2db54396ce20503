import { expect, test } from "bun:test";
import {
  type Attachment,
  type CitableFile,
  citationLink,
  citationNote,
  citationsIn,
  inboxPath,
  isInboxName,
  MAX_INBOX_FILE_BYTES,
  modelText,
  readableText,
  RoomId,
  showSize,
  toAddressPlace,
  UploadId,
  withoutAddresses,
} from "../index.ts";

const id = UploadId.parse(`upl_${"0".repeat(26)}`);
const file: Attachment = { id, name: 'a "b".txt', type: "text/plain", sizeBytes: 1234, hash: "0".repeat(64) };
const body = { text: "look" };

test("a message without attachments is its text", () => {
  expect(readableText({ body })).toBe("look");
});

test("each attachment is one line, which no name can leave", () => {
  const film: Attachment = { ...file, name: "a]\n[b", width: 640, height: 480, durationMs: 2600 };
  const lines = ['[file "a \\"b\\".txt": text/plain, 1.2 kB]', '[file "a]\\n[b": text/plain, 1.2 kB, 640 × 480, 3 s]'];
  expect(readableText({ body, attachments: [file, film] })).toBe(["look", ...lines].join("\n"));
  expect(readableText({ body: { text: "" }, attachments: [file] })).toBe(lines[0] ?? "");
});

test.each([
  [1, "1 byte"],
  [999, "999 bytes"],
  [1000, "1.0 kB"],
  [9990, "10 kB"],
  [999_499, "999 kB"],
  [999_500, "1.0 MB"],
  [5_000_000_000_000_000, "5000 TB"],
])("%p bytes are %p", (bytes, expected) => {
  expect(showSize(bytes)).toBe(expected);
});

test("a model reads the path of a file that tools can open", () => {
  expect(modelText({ body, attachments: [file] })).toBe(
    'look\n[file "a \\"b\\".txt": text/plain, 1.2 kB; inbox/0000000000000000-a__b_.txt]',
  );
  const large = { ...file, sizeBytes: MAX_INBOX_FILE_BYTES + 1 };
  expect(modelText({ body, attachments: [large] })).toBe(
    'look\n[file "a \\"b\\".txt": text/plain, 1.1 GB; the file is too large for your workspace, so tools cannot open it]',
  );
  expect(modelText({ body, attachments: [{ ...file, sizeBytes: MAX_INBOX_FILE_BYTES }] })).toContain("; inbox/0");
});

test.each([
  ["notes.txt", "inbox/0000000000000000-notes.txt"],
  ["Straße 1\\b\nc].txt", "inbox/0000000000000000-Straße_1_b_c_.txt"],
  [`${"x".repeat(300)}.tar.gz`, `inbox/0000000000000000-${"x".repeat(50)}.gz`],
  ["..", "inbox/0000000000000000-.."],
  ["../../etc/passwd", "inbox/0000000000000000-.._.._etc_passwd"],
  ["\u{202e}gpj.exe\0", "inbox/0000000000000000-_gpj.exe_"],
  ["", "inbox/0000000000000000-"],
])("%j is %s in the workspace", (name, path) => {
  expect(inboxPath({ ...file, name })).toBe(path);
});

test("a file of a message has a name that a disk takes and that the agent's own files do not have", () => {
  const letter = "\u{20000}";
  const [folder, name = ""] = inboxPath({ ...file, name: `${letter.repeat(200)}.${letter.repeat(20)}` }).split("/");
  expect([folder, isInboxName(name), new TextEncoder().encode(name).length <= 255]).toEqual(["inbox", true, true]);
  for (const own of ["notes.txt", "0000-a", "0".repeat(64), "draft-0000000000000000-a"])
    expect(isInboxName(own)).toBe(false);
});

const book: CitableFile = {
  room: RoomId.parse(`room_${"0".repeat(26)}`),
  ...{ file: id, name: "book.pdf", hash: "0123456789abcdef".repeat(4) },
};
const ADDRESS = "inbox/0123456789abcdef";

test.each([
  ["book.pdf", "page 12", `[book.pdf, page 12](${ADDRESS}#page-12)`],
  ["book.pdf", "", `[book.pdf](${ADDRESS})`],
  [
    "a](x)`<b>\n.pdf",
    "sheet Übersicht (2026)",
    `[a_(x)__b__.pdf, sheet Übersicht (2026)](${ADDRESS}#sheet-übersicht-2026)`,
  ],
])("%j at %j is cited as %j, which is read back", (name, place, link) => {
  expect(citationLink({ ...book, name }, place)).toBe(link);
  const [citation] = citationsIn(`See ${link}.`, [book]);
  expect(citation).toMatchObject({ file: id, name: "book.pdf" });
  expect(citation?.place).toBe(place === "" ? undefined : toAddressPlace(place));
  expect(withoutAddresses(`See ${link}.`)).toBe(`See ${link.slice(0, link.indexOf("](") + 1)}.`);
});

test("an address may also have the name of the file, as its path has", () => {
  const address = `${ADDRESS}-book.pdf#page-2`;
  expect(citationsIn(`[p. 2](${address}) [p. 2](${address})`, [book])).toEqual([
    { address, room: book.room, file: id, name: "book.pdf", place: "page-2" },
  ]);
});

test("a link to an unknown file, another address and a path without a link are no citations", () => {
  for (const text of [
    `[a](${ADDRESS.replace("0", "1")}#page-1)`,
    `[a](https://far.test/${ADDRESS})`,
    `[a](${ADDRESS}/../x)`,
    `[a](${ADDRESS}?q=1)`,
    `${ADDRESS}#page-1`,
  ]) {
    expect(citationsIn(text, [book])).toEqual([]);
  }
});

test("a text with parts gets a note that shows the link of its first part", () => {
  expect(citationNote(book, "words\n[slide 3]\nmore")).toBe(
    `[cite a part with a link like [book.pdf, slide 3](${ADDRESS}#slide-3)]`,
  );
  expect(citationNote(book, "[slide 3] in a line")).toBeUndefined();
});
