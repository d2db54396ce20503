import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createHome, eventsOf, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { PHOTO } from "./photo.ts";

const NOTES = { name: "a <b>list.html", mimeType: "text/html", buffer: Buffer.from("<script>alert(1)</script>") };

/** Set to a folder, the test writes its screenshots there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];

inBrowser("a person with files", ({ visit }) => {
  test("attaches, drops and removes files, sends them, and downloads them again", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    const shot = async (name: string): Promise<void> => {
      if (SHOTS === undefined) return;
      mkdirSync(SHOTS, { recursive: true });
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 844 });
        await page.screenshot({ path: join(SHOTS, `${name}-${width}.png`) });
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    };
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    await page.locator("input[type=file]").setInputFiles([PHOTO, NOTES]);
    const waiting = page.getByRole("list", { name: "Files of this message" });
    await waiting.getByText("garden.png").waitFor();
    await waiting.locator("img").waitFor();
    await shot("waiting");
    await page.getByRole("button", { name: "Remove garden.png" }).click();
    await waiting.getByText("garden.png").waitFor({ state: "detached" });
    const data = await page.evaluateHandle((base64) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], "garden.png", { type: "image/png" }));
      return transfer;
    }, PHOTO.buffer.toString("base64"));
    await page.getByRole("textbox", { name: "Message Main" }).dispatchEvent("drop", { dataTransfer: data });
    await waiting.getByText("garden.png").waitFor();
    await page.getByRole("button", { name: "Send" }).click();

    const sent = page.getByRole("list", { name: "Attachments" });
    const shown = sent.getByRole("img", { name: "Picture garden.png" });
    await shown.waitFor();
    await until(async () => (await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)) === 640);
    await shot("sent");
    const [name, start] = ["Download a <b>list.html, 25 bytes", page.waitForEvent("download")];
    await sent.getByRole("link", { name }).click();
    expect((await start).suggestedFilename()).toEndWith("list.html");
    const [message] = (await eventsOf(daemon, "main")).filter((event) => event.attachments !== undefined);
    expect(message.attachments).toMatchObject([
      { type: "text/plain" },
      // The text is gone from the picture.
      {
        type: "image/png",
        width: 640,
        height: 400,
        sizeBytes: PHOTO.buffer.length - 12 - "Comment\0taken at home".length,
      },
    ]);
    expect(visited.complaints).toEqual([]);
  });
});
