import { expect, test } from "bun:test";
import { createHome, eventsOf, startDaemon } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { PHOTO } from "./photo.ts";

inBrowser("a person with files", ({ visit }) => {
  test("sends a file that was attached without a connection after a reload", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page, context } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    await context.route("**/api/uploads**", (route) => route.abort());
    await page.locator("input[type=file]").setInputFiles([PHOTO]);
    await page.getByRole("list", { name: "Files of this message" }).getByText("0 bytes of").waitFor();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Sending").waitFor();
    await page.reload();
    await page.getByText("garden.png").waitFor();
    await context.unroute("**/api/uploads**");
    await page.getByRole("img", { name: "Picture garden.png" }).waitFor();
    const events = (await eventsOf(daemon, "main")).filter((event) => event.attachments !== undefined);
    expect(events).toHaveLength(1);
  });
});
