/** Pictures of a room: a page loads their small versions, and a dialog lists all files. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel, type Piece } from "../journeys/model.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit } from "./phone.ts";

/** Set to a folder, the test writes its screenshots there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];
const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
};

/** Finds the tools, writes a file, sends it, and answers. */
const sendsTable = ({ messages }: { readonly messages: readonly { readonly role: string }[] }): readonly Piece[] => {
  const calls: readonly Piece[] = [
    { tool: "find_tools", input: { query: "attach" } },
    { tool: "write", input: { path: "may.csv", content: "month,euros\nmay,12\n" } },
    { tool: "attach", input: { path: "may.csv" } },
  ];
  const results = messages
    .slice(messages.findLastIndex(({ role }) => role === "user"))
    .filter(({ role }) => role === "tool");
  return [calls[results.length] ?? "Here is the table."];
};

inBrowser("a room with pictures", ({ visit }) => {
  test("shows small versions of large pictures, and lists the files of people and of agents", async () => {
    using home = createHome();
    await using model = createModel();
    model.answer = sendsTable;
    writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
    await using daemon = await startDaemon(home.folder, { TEST_KEY: "k" });
    await welcome(daemon);
    const photo = Buffer.from(await new Bun.Image(noise(2000, 1500)).jpeg({ quality: 90 }).bytes());
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    await page
      .locator("input[type=file]")
      .setInputFiles([{ name: "garden.jpg", mimeType: "image/jpeg", buffer: photo }]);
    await page.getByRole("list", { name: "Files of this message" }).getByText("garden.jpg").waitFor();
    await page.getByRole("button", { name: "Send" }).click();

    const shown = page.getByRole("list", { name: "Attachments" }).getByRole("img", { name: "Picture garden.jpg" });
    await shown.waitFor();
    await until(async () => (await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)) === 640);
    expect(requested.filter((path) => path.includes("/attachments/")).every((path) => path.endsWith("/picture"))).toBe(
      true,
    );
    await page.getByText("Here is the table.", { exact: true }).waitFor();
    await shoot(page, "small-picture");

    await page
      .getByRole("banner")
      .or(page.locator("header"))
      .getByRole("button", { name: /^Options/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Files" }).click();
    const files = page.getByRole("dialog").getByRole("list", { name: "Files" });
    await files.getByRole("link", { name: "Download garden.jpg" }).waitFor();
    expect(await files.getByRole("listitem").count()).toBe(2);
    await shoot(page, "room-files");
    await page.getByRole("radio", { name: "Agents" }).check();
    expect(await files.getByRole("listitem").count()).toBe(1);
    const started = page.waitForEvent("download");
    await files.getByRole("link", { name: "Download may.csv" }).click();
    expect((await started).suggestedFilename()).toBe("may.csv");
    await page.setViewportSize({ width: 390, height: 844 });
    await expectFit(page);
    await shoot(page, "room-files-390");
    const listed = await daemon.hearth("files", "room", "main");
    expect([listed.stdout.includes("may.csv"), listed.stdout.includes("garden.jpg")]).toEqual([true, false]);
    expect(visited.complaints).toEqual([]);
  });
});

/** A bitmap that packs badly, as photos do. */
const noise = (width: number, height: number): Uint8Array => {
  const bitmap = new Uint8Array(54 + width * height * 3);
  const view = new DataView(bitmap.buffer);
  view.setUint16(0, 0x424d);
  view.setUint32(2, bitmap.length, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  for (let at = 54; at < bitmap.length; at += 1) bitmap[at] = ((at >> 14) + ((at * 2_654_435_761) >>> 27)) & 255;
  return bitmap;
};
