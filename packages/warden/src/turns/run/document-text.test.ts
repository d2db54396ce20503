import { expect, test } from "bun:test";
import { type AgentId, type FilePart, HearthError, type HouseId, RoomId, UploadId } from "@hearth/protocol";
import type { DocumentText } from "@hearth/protocol/documents";
import type { Conversion } from "../../cells/documents.ts";
import { createReadText } from "./document-text.ts";

const room = RoomId.parse(`room_${"0".repeat(26)}`);
const upload = UploadId.parse(`upl_${"0".repeat(26)}`);
const hash = "a".repeat(64);
const pdf: FilePart = {
  ...{ kind: "document", type: "application/pdf", name: "a.pdf", sizeBytes: 3, hash, upload },
};
const text = (words: string, cut = false): DocumentText => ({ kind: "text", text: words, cut });

interface Stored {
  readonly sizeBytes?: number;
  readonly type?: string;
  readonly error?: unknown;
  readonly hasOcr?: boolean;
}

const open = (
  conversion: Conversion,
  { sizeBytes = 3, type = "application/pdf", error, hasOcr = false }: Stored = {},
) => {
  const kept = new Map<string, string>();
  const seen: string[] = [];
  const readText = createReadText({
    room,
    uploads: {
      async open(where, id) {
        if (error !== undefined) throw error;
        seen.push(`open ${where === room && id === upload}`);
        return {
          attachment: { id: upload, type, name: "a.pdf", sizeBytes, hash },
          owner: "agent_ana" as AgentId,
          house: "house_1" as HouseId,
          async *read(from, to) {
            yield new TextEncoder().encode(`${from}-${to}`);
          },
          slice: async (from, to) => new TextEncoder().encode(`${from}-${to}`),
        };
      },
      findText: async (id) => kept.get(id),
      keepText: async (id, result) => void kept.set(id, result),
    },
    documents: {
      async convert(bytes, size) {
        const pieces = await Array.fromAsync(bytes);
        seen.push(`convert ${Buffer.concat(pieces).toString()} of ${size}`);
        return conversion;
      },
      hasOcr: async () => hasOcr,
      draw: async () => ({ kind: "refused", why: "Only documents are converted here." }),
    },
    clean: (words) => words.replaceAll("secret", "[redacted]"),
  });
  return { readText, seen, kept };
};

test("a document is converted once, and its text is cleaned and between marks", async () => {
  const { readText, seen } = open({ result: text("[page 1]\nthe secret"), isFinal: true });
  const expected = {
    text: '[file aaaaaaaaaa: the text of "a.pdf", until aaaaaaaaaa ends]\n[page 1]\nthe [redacted]\n[end aaaaaaaaaa]\n[cite a part with a link like [a.pdf, page 1](inbox/aaaaaaaaaaaaaaaa#page-1)]',
  };
  expect(await readText(pdf, 1000)).toEqual(expected);
  expect(await readText(pdf, 1000)).toEqual(expected);
  expect(seen).toEqual(["open true", "convert 0-3 of 3", "open true"]);
});

test("a scan is converted again once the programs for OCR are installed", async () => {
  const refused: Conversion = { result: { kind: "refused", why: "A scan.", needsOcr: true }, isFinal: true };
  for (const [hasOcr, count] of [
    [false, 1],
    [true, 2],
  ] as const) {
    const { readText, seen } = open(refused, { hasOcr });
    await readText(pdf, 1000);
    await readText(pdf, 1000);
    expect(seen.filter((each) => each.startsWith("convert")).length).toBe(count);
  }
});

test("a result that may change is not kept", async () => {
  const { readText, seen, kept } = open({ result: { kind: "refused", why: "It took too long." }, isFinal: false });
  expect(await readText(pdf, 1000)).toEqual({ why: "It took too long" });
  await readText(pdf, 1000);
  expect([kept.size, seen.filter((each) => each.startsWith("convert")).length]).toEqual([0, 2]);
});

test("a text that is cut says how much it is, and where the rest is if the file is in the workspace", async () => {
  const small = await open({ result: text("0123456789"), isFinal: true }).readText(pdf, 4);
  expect(small).toEqual({
    omitted: "all but the first 4 of 10 characters of its text",
    text: expect.stringContaining(
      "\n0123\n[cut: the first 4 of 10 characters; the tool read shows the rest of inbox/aaaaaaaaaaaaaaaa-a.pdf]\n",
    ),
  });
  const large = open({ result: text("0123", true), isFinal: true }, { sizeBytes: 10 * 1024 * 1024 + 1 });
  expect(await large.readText(pdf, 4)).toEqual({
    omitted: "all but the first 4 of more than 4 characters of its text",
    text: expect.stringContaining("\n0123\n[cut: the first 4 of 4+ characters]\n"),
  });
});

test("a picture becomes the text that OCR read, and the person learns that the rest is missing", async () => {
  const photo = { ...pdf, type: "image/jpeg", kind: "image", name: "a.jpg" } as const;
  const isPhoto = { type: "image/jpeg" };
  const read = await open({ result: text("EXIT"), isFinal: true }, isPhoto).readText(photo, 1000);
  expect(read).toEqual({
    omitted: "all but the text that OCR read from it",
    text: expect.stringContaining("until aaaaaaaaaa ends]\nEXIT\n[end"),
  });
  const empty: Conversion = { result: { kind: "refused", why: "It has no text." }, isFinal: true };
  expect(await open(empty, isPhoto).readText(photo, 1000)).toBeUndefined();
  const missing: Conversion = { result: { kind: "refused", why: "Install it.", needsOcr: true }, isFinal: true };
  expect(await open(missing, isPhoto).readText(photo, 1000)).toEqual({ why: "Install it" });
});

test("a page is converted, and shown as it is if that is refused", async () => {
  const page = { ...pdf, type: "text/html", kind: "file", name: "a.html" } as const;
  const isText = { type: "text/plain" };
  const converted = await open({ result: text("# Title"), isFinal: true }, isText).readText(page, 1000);
  expect(converted).toEqual({ text: expect.stringContaining("until aaaaaaaaaa ends]\n# Title\n[end") });
  const refused: Conversion = { result: { kind: "refused", why: "No walls." }, isFinal: false };
  expect(await open(refused, isText).readText(page, 1000)).toEqual({
    text: expect.stringContaining("until aaaaaaaaaa ends]\n0-3\n[end"),
  });
  expect(await open(refused, { type: "text/plain", sizeBytes: 20_001 }).readText(page, 1000)).toEqual({
    omitted: "all but the first 7 of more than 7 characters of its text",
    text: expect.stringContaining("\n0-20000\n[cut: "),
  });
  expect(await open(refused).readText(pdf, 1000)).toEqual({ why: "No walls" });
});

test("a file that is no document, is in no message, or has other bytes than the message says has no text", async () => {
  const { readText, seen } = open({ result: text("words"), isFinal: true });
  const { upload: _, ...unsent } = pdf;
  expect(await readText(unsent, 1000)).toBeUndefined();
  expect(await readText({ ...pdf, type: "image/heic" }, 1000)).toBeUndefined();
  expect(seen).toEqual([]);
  expect(await readText({ ...pdf, hash: "b".repeat(64) }, 1000)).toBeUndefined();
  expect(seen).toEqual(["open true"]);
});

test.each(["attachment.not-found", "store.damaged"] as const)("a document with %s has no text", async (code) => {
  const { readText } = open({ result: text("words"), isFinal: true }, { error: new HearthError(code, "gone") });
  expect(await readText(pdf, 1000)).toBeUndefined();
});

test("other failures are not hidden", async () => {
  const { readText } = open({ result: text("words"), isFinal: true }, { error: new Error("disk") });
  await expect(readText(pdf, 1000)).rejects.toThrow("disk");
});
