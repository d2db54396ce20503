/** A picture from the terminal to the request of a vendor's model, and its answer back in the room. */
import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Json, startDaemon } from "./daemon.ts";
import { readHome } from "./home-files.ts";
import { configFor, createModel } from "./model.ts";

/** A PNG of one pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const seen = (request: Json): Json[] =>
  request.messages.flatMap(({ content }: Json) => (Array.isArray(content) ? content : []));

test("a photo and a question: the model's request has the photo, also after a restart, and a blind model's answer says so", async () => {
  using home = createHome();
  await using model = createModel();
  model.answer = (request) => [
    seen(request).some(({ type }) => type === "image_url") ? "A red dot." : "I cannot see it.",
  ];
  const photo = join(home.folder, "photo.png");
  const config = join(home.folder, "hearth.toml");
  writeFileSync(photo, Uint8Array.fromBase64(PNG));
  writeFileSync(config, `${configFor(model.baseUrl)}[models."test/"]\nsees = true\n`);
  {
    await using house = await startDaemon(home.folder, { TEST_KEY: "key" });
    const { stdout, code } = await house.hearth("chat", "--file", photo, "-m", "what is this?");
    expect([code, stdout]).toEqual([0, expect.stringContaining("A red dot.")]);
    const image = { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } };
    expect(seen(model.requests.at(-1))).toMatchObject([
      { type: "text", text: expect.stringContaining('what is this?\n[file "photo.png": image/png, ') },
      image,
    ]);
    await house.kill();
    await using again = await startDaemon(home.folder, { TEST_KEY: "key" });
    expect((await again.hearth("chat", "-m", "and now?")).stdout).toContain("A red dot.");
    expect(seen(model.requests.at(-1))).toContainEqual(image);
  }
  writeFileSync(config, configFor(model.baseUrl));
  await using house = await startDaemon(home.folder, { TEST_KEY: "key" });
  const { stdout } = await house.hearth("chat", "--file", photo, "-m", "and this?");
  expect(stdout).toContain("I cannot see it.");
  expect(stdout).toContain("[Not shown to the model: photo.png (the model takes no pictures).]");
  expect(JSON.stringify(model.requests.at(-1))).toContain("You do not get the content of");
  // Only the blob store has the bytes: no row and no log has a copy of the request.
  for (const [file, bytes] of await readHome(home.folder))
    expect([file, bytes.includes(PNG.slice(0, 60))]).toEqual([file, false]);
});

test("an agent opens a file of a message with its tools, and the file leaves the workspace with the turn", async () => {
  using home = createHome();
  await using model = createModel();
  const notes = join(home.folder, "notes.txt");
  writeFileSync(notes, `${"a line\n".repeat(8000)}the end\n`);
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
  model.answer = (request) => {
    const last = request.messages.at(-1);
    if (last.role === "tool") return [last.content];
    const [path] = /inbox\/\S+\.txt/.exec(last.content) ?? [];
    return [{ tool: "read", input: { path, offset: 8001 } }];
  };
  await using house = await startDaemon(home.folder, { TEST_KEY: "key" });
  const { stdout, code } = await house.hearth("chat", "--file", notes, "-m", "how does it end?");
  expect([code, stdout]).toEqual([0, expect.stringContaining("the end")]);
  expect(readdirSync(join(home.folder, "brains/main/workspace/inbox"))).toEqual([]);
});
