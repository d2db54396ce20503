import { expect, setDefaultTimeout, test } from "bun:test";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { post, readMessages, readNames, TEXTS } from "./hostile-pages.ts";

setDefaultTimeout(170_000);

inBrowser("hostile text", ({ visit }) => {
  test("stays plain text in messages, and all of it is readable", () => readMessages(visit, TEXTS));

  test("stays plain text in lists, settings, sandboxes and activity, with invisible characters shown", () =>
    readNames(visit, TEXTS));

  test("links show their target, and nothing is fetched from there", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const room = (await daemon.ask("POST", "/api/rooms", { content: { name: "Den" } })).json;
    await post(daemon, room.id, [
      "[my bank](https://evil.example/login) and ![a cat](https://tracker.example/cat.png) and [https://bank.example](https://evil.example/x)",
    ]);
    await using visited = await visit(daemon, { path: `/ui/rooms/${room.handle}` });
    const { page } = visited;
    const article = page.getByRole("article").first();
    await article.waitFor();
    const text = (await article.textContent()) ?? "";
    expect(text).toContain("evil.example");
    expect(text).toContain("tracker.example");
    const link = article.getByRole("link", { name: /my bank/ });
    expect(await link.getAttribute("rel")).toContain("noopener");
    expect(await link.getAttribute("href")).toBe("https://evil.example/login");
    expect(visited.complaints).toEqual([]);
  });
});
