import { expect, setDefaultTimeout, test } from "bun:test";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { attacksOn, findForeign, NONE, readMessages, readNames, TEXTS, watch } from "./hostile-pages.ts";

setDefaultTimeout(170_000);

/** `packages/ui/src/text/hostile.test.tsx` renders every text, and `hostile.long.ts` shows each in the browser. */
const SOME = TEXTS.filter((_, index) => index % 8 === 0);

inBrowser("hostile text", ({ visit }) => {
  test("stays plain text in messages, and all of it is readable", () => readMessages(visit, SOME));

  test("stays plain text in names, descriptions, instructions, drafts, errors and tool calls", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("PATCH", "/api/agents/main", { content: { tools: ["shell"] } });
    const hostile = [
      '"><img src=x onerror=alert(1)>',
      "<script>alert(2)</script>",
      "javascript:alert(3)",
      "\u202Egnp.exe <svg/onload=alert(4)>",
    ];
    for (const [index, text] of hostile.entries()) {
      await daemon.ask("POST", "/api/rooms", { content: { name: `${text} ${index}`, description: text } });
      await daemon.ask("POST", "/api/agents", {
        content: { name: `${text} ${index}`, kind: "bot", description: text, prompt: text },
      });
      await daemon.ask("POST", "/api/keys", { name: text });
    }
    await daemon.ask("POST", "/api/chat", { agentName: "main", message: `run: echo '${hostile[0]}'` });
    await using visited = await visit(daemon, { path: "/ui/rooms/main", expected: /404/ });
    const { page } = visited;
    await page.evaluate(watch);
    await page.getByRole("button", { name: /Used 1 tool/ }).click();
    await page.getByRole("button", { name: /echo/ }).first().click();
    await page.getByRole("textbox", { name: "Message Main" }).fill(hostile.join("\n"));
    expect(await page.evaluate(findForeign)).toEqual([]);
    expect(await attacksOn(page)).toEqual(NONE);
    for (const path of [
      "/ui/rooms/main",
      "/ui/rooms/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
      `/ui/welcome?x=${encodeURIComponent(hostile[0] ?? "")}#${hostile[1]}`,
    ]) {
      await page.goto(daemon.url + path);
      await page.evaluate(watch);
      await page.getByRole("heading").first().waitFor();
      expect(await page.evaluate(findForeign)).toEqual([]);
      expect(await attacksOn(page)).toEqual(NONE);
    }
    for (const agent of (await daemon.ask("GET", "/api/agents")).json) {
      await page.goto(`${daemon.url}/ui/settings/agents/${agent.handle}`);
      await page.getByRole("heading").first().waitFor();
      expect(await page.evaluate(findForeign)).toEqual([]);
    }
    expect(visited.complaints).toEqual([]);
  });

  test("stays plain text in lists, settings, sandboxes and activity, with invisible characters shown", () =>
    readNames(visit, SOME));

  test("the page's policy blocks foreign scripts, styles and images", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, {
      path: "/ui/rooms/main",
      expected: /^foreign: https:\/\/tracker|Content Security Policy|Trusted Type|TrustedHTML|violates/,
    });
    const { page } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    await page.evaluate(watch);
    const refused = await page.evaluate(() => {
      const outcomes: string[] = [];
      try {
        document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=alert(1)>");
        outcomes.push("markup was taken");
      } catch {
        outcomes.push("markup refused");
      }
      const image = document.createElement("img");
      image.src = "https://tracker.example/pixel.png";
      document.body.append(image);
      return outcomes;
    });
    expect(refused).toEqual(["markup refused"]);
    await until(async () => JSON.stringify(await attacksOn(page)).includes("img-src https://tracker.example"));
    expect(visited.complaints).toEqual([]);
  });
});
