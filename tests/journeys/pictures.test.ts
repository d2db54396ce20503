/** A person asks for a picture: it is in the room and the workspace, is paid for once, and can be changed. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPictureServer, type PictureServer } from "@hearth/warden/fakes/picture-server";
import { createHome, eventsOf, type Json, startDaemon, until } from "./daemon.ts";
import { configFor, createModel, type Piece } from "./model.ts";

const ENVIRONMENT = { TEST_KEY: "key", PICTURE_KEY: "picture-key" };

const picturesTable = ({ baseUrl }: PictureServer): string =>
  `[pictures]\nkind = "openai"\nbase_url = "${baseUrl}"\napi_key = "env:PICTURE_KEY"\nprice_per_picture = 0.05\n`;

/** Finds the tools, makes these calls, and answers with the last result. */
const makes =
  (...calls: readonly Piece[]) =>
  ({ messages }: Json): readonly Piece[] => {
    const results = messages
      .slice(messages.findLastIndex(({ role }: Json) => role === "user"))
      .filter(({ role }: Json) => role === "tool");
    const all: readonly Piece[] = [{ tool: "find_tools", input: { query: "picture" } }, ...calls];
    return [all[results.length] ?? `Result: ${results.at(-1)?.content}`];
  };

test("a picture is made on request, is saved and downloaded, and a later message has it changed", async () => {
  using home = createHome();
  using pictures = createPictureServer();
  await using model = createModel();
  writeFileSync(join(home.folder, "hearth.toml"), `${configFor(model.baseUrl)}${picturesTable(pictures)}`);
  await using house = await startDaemon(home.folder, ENVIRONMENT);
  model.answer = makes({ tool: "image_generate", input: { prompt: "A blue shed" } });
  const { code, stdout } = await house.hearth("chat", "-m", "Draw a blue shed, please");
  expect([code, stdout]).toEqual([0, expect.stringContaining("A copy is in your workspace: pictures/a-blue-shed-")]);
  const [file] = (await eventsOf(house, "main")).flatMap((event) => event.attachments ?? []);
  expect(file).toMatchObject({ type: "image/png", width: 96, height: 64 });
  expect(file.caption).toBe("Made by openai/gpt-image-2: A blue shed");

  const saved = join(home.folder, "saved.png");
  expect((await house.hearth("room", "files", "main", file.name, "--to", saved)).code).toBe(0);
  const copied = join(home.folder, "copied.png");
  expect((await house.hearth("files", "get", "main", `pictures/${file.name}`, "--to", copied)).code).toBe(0);
  expect(readFileSync(copied).equals(readFileSync(saved))).toBe(true);

  model.answer = makes({ tool: "image_edit", input: { path: file.name, prompt: "At night" } });
  expect((await house.hearth("chat", "-m", "The same at night")).stdout).toContain("pictures/at-night-");
  expect(pictures.requests.at(-1)?.files["image"]).toEqual(Uint8Array.from(readFileSync(saved)));

  expect((await house.hearth("doctor")).stdout).toMatch(
    /pictures: openai gpt-image-2 at 127\.0\.0\.1:\d+, \$0\.05 a picture/,
  );
  expect((await house.hearth("audit", "verify")).code).toBe(0);
}, 120_000);

test("a daemon that is killed during a request does not repeat it, and the person learns that its outcome is unknown", async () => {
  using home = createHome();
  using pictures = createPictureServer();
  await using model = createModel();
  writeFileSync(join(home.folder, "hearth.toml"), `${configFor(model.baseUrl)}${picturesTable(pictures)}`);
  model.answer = makes({ tool: "image_generate", input: { prompt: "A blue shed" } });
  pictures.answer = () => undefined;
  {
    await using house = await startDaemon(home.folder, ENVIRONMENT);
    await house.ask("POST", "/api/rooms/main/messages", { text: "Draw a blue shed, please" });
    await until(() => pictures.requests.length > 0);
    await house.kill();
  }
  pictures.answer = "pictures";
  await using house = await startDaemon(home.folder, ENVIRONMENT);
  const replies = async () => (await eventsOf(house, "main")).filter(({ activation }) => activation !== undefined);
  await until(async () => (await replies()).some(({ type }) => type === "message"));
  const reply = (await replies()).find(({ type }) => type === "message");
  expect(reply?.body.text).toContain("its outcome is unknown");
  expect(reply?.attachments).toBeUndefined();
  expect(pictures.requests).toHaveLength(1);
}, 120_000);
