import { expect, test } from "bun:test";
import {
  type Attachment,
  inboxPath,
  isInboxName,
  MAX_INBOX_FILE_BYTES,
  modelText,
  readableText,
  showSize,
  UploadId,
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
  expect(modelText({ body, attachments: [large] })).toBe('look\n[file "a \\"b\\".txt": text/plain, 10 MB]');
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
