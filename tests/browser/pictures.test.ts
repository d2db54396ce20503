/** A person asks for a picture in the browser and sees it in the room. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPictureServer } from "@hearth/warden/fakes/picture-server";
import { createHome, type Json, startDaemon } from "../journeys/daemon.ts";
import { configFor, createModel, type Piece } from "../journeys/model.ts";
import { inBrowser, welcome } from "./browser.ts";

/** Set to a folder, the test writes its screenshots there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];

/** Finds the tool, has two pictures made, and answers. */
const draws = ({ messages }: Json): readonly Piece[] => {
  const results = messages.slice(messages.findLastIndex(({ role }: Json) => role === "user"));
  const count = results.filter(({ role }: Json) => role === "tool").length;
  const calls: readonly Piece[] = [
    { tool: "find_tools", input: { query: "make a picture" } },
    { tool: "image_generate", input: { prompt: "A blue shed", n: 2, size: "wide" } },
  ];
  return [calls[count] ?? "Here are two sheds."];
};

inBrowser("an agent with a picture provider", ({ visit }) => {
  test("makes the pictures that a person asks for: the room shows them, with the model that made them", async () => {
    using home = createHome();
    using pictures = createPictureServer();
    await using model = createModel();
    model.answer = draws;
    const table = `[pictures]\nkind = "openai"\nbase_url = "${pictures.baseUrl}"\napi_key = "env:PICTURE_KEY"\n`;
    writeFileSync(join(home.folder, "hearth.toml"), `${configFor(model.baseUrl)}${table}`);
    await using daemon = await startDaemon(home.folder, { TEST_KEY: "k", PICTURE_KEY: "p" });
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    await page.getByRole("textbox", { name: "Message" }).fill("Two pictures of a blue shed, please");
    await page.getByRole("button", { name: "Send" }).click();
    const log = page.getByRole("log");
    await log.getByText("Here are two sheds.").waitFor();
    const sent = page.getByRole("list", { name: "Attachments" });
    const images = sent.getByRole("img");
    await images.nth(1).waitFor();
    const widths = await images.evaluateAll((all) =>
      Promise.all(
        (all as HTMLImageElement[]).map(async (image) => {
          await image.decode();
          return image.naturalWidth;
        }),
      ),
    );
    expect(widths).toEqual([96, 96]);
    expect(await sent.getByText("Made by openai/gpt-image-2: A blue shed").count()).toBe(2);
    if (SHOTS !== undefined) {
      mkdirSync(SHOTS, { recursive: true });
      await page.screenshot({ path: join(SHOTS, "pictures.png") });
    }
    expect(pictures.requests).toMatchObject([{ fields: { prompt: "A blue shed", n: 2 } }]);
    expect(visited.complaints).toEqual([]);
  });
});
