import { expect, test } from "bun:test";
import { createFakeTools } from "./tools-fake.ts";

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

test.each([
  ["image/png", "\x89PNG\r\n\x1a\nrest"],
  ["image/jpeg", "\xff\xd8\xff\xe0rest"],
  ["image/gif", "GIF89arest"],
  ["image/webp", "RIFF\x10\0\0\0WEBPrest"],
])("a picture is recognized as %s by its first bytes and returned whole", async (type, text) => {
  const { files, run } = createFakeTools();
  await files.write("some.thing", bytesOf(text));
  expect(await run("image", { path: "some.thing" })).toEqual({
    text: `some.thing: ${type}, ${text.length} bytes.`,
    failed: false,
    image: { type: type as never, data: btoa(text) },
  });
});

test("a file that is not a picture, and one that is too large, are refused", async () => {
  const { files, run, put } = createFakeTools();
  await put("a.png", "<svg onload=alert(1)>");
  await files.write("large", bytesOf(`GIF89a${"x".repeat(1024 * 1024)}`));
  expect(await run("image", { path: "a.png" })).toEqual({
    text: '"a.png" is not a PNG, JPEG, GIF or WebP picture.',
    failed: true,
  });
  expect((await run("image", { path: "large" })).text).toContain("at most 1048576");
});

test("a large picture is scaled down by the process of the cell", async () => {
  const asked: unknown[] = [];
  const { files, run } = createFakeTools(undefined, undefined, async (path, limits) => {
    asked.push([path, limits]);
    return { kind: "picture", type: "image/jpeg", width: 1568, height: 1176, bytes: bytesOf("small") };
  });
  const large = bytesOf(`\xff\xd8\xff${"x".repeat(1024 * 1024)}`);
  await files.write("large.jpg", large);
  expect(await run("image", { path: "large.jpg" })).toEqual({
    text: `large.jpg: image/jpeg, ${large.length} bytes, scaled down to 1568 × 1176 pixels.`,
    failed: false,
    image: { type: "image/jpeg", data: btoa("small") },
  });
  expect(asked).toEqual([["large.jpg", { edge: 1568, sizeBytes: 1024 * 1024 }]]);
  await files.write("small.jpg", bytesOf("\xff\xd8\xffrest"));
  expect((await run("image", { path: "small.jpg" })).image?.data).toBe(btoa("\xff\xd8\xffrest"));
});

test("a large picture that cannot be scaled down is refused with the reason", async () => {
  const why = "Its content is damaged.";
  const { files, run } = createFakeTools(undefined, undefined, async () => ({ kind: "refused", why }));
  await files.write("large", bytesOf(`GIF89a${"x".repeat(1024 * 1024)}`));
  expect(await run("image", { path: "large" })).toEqual({ text: `Cannot show "large". ${why}`, failed: true });
});
