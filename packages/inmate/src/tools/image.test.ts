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
