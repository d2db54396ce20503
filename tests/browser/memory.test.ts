/** Tests an agent's memory in the browser: search, added facts, deletion and the index. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";

setDefaultTimeout(170_000);

const MEMORY = "brains/main/MEMORY.md";

inBrowser("the memory of an agent", ({ visit }) => {
  test("is searched with location and ranking, gets a fact, and deletes one permanently", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const file = join(home.folder, MEMORY);
    appendFileSync(file, "# Boiler\n\n- The boiler was serviced in May by Quillfeather.\n");
    writeFileSync(join(home.folder, "brains/main/memory-of-a-picture.md"), "\0\u0001\0\u0002");
    await using visited = await visit(daemon, { path: "/ui/brain/main" });
    const { page } = visited;
    await page.getByRole("link", { name: "Memory", exact: true }).click();

    await page.getByRole("searchbox", { name: "Search memory" }).fill("who serviced the boiler?");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    const found = page.getByRole("list", { name: "Search results, best first" });
    const hit = found.getByRole("article").filter({ hasText: "Quillfeather" });
    await hit.waitFor();
    await hit.getByRole("button", { name: /^Show ranking: MEMORY\.md:/ }).click();
    await hit.getByRole("table", { name: /^Ranking of MEMORY\.md/ }).waitFor();
    expect(await hit.getByRole("row", { name: /^keywords \+/ }).count()).toBe(1);
    const index = page.getByRole("table", { name: "Index state" });
    await index.getByRole("row", { name: /^Embedding model all-MiniLM/ }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "memory-of-a-picture.md" }).waitFor();
    expect(await judge(page)).toEqual([]);

    await page.getByRole("textbox", { name: "Fact" }).fill("The plumber is called Marsh.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved in MEMORY.md.").first().waitFor();
    expect(readFileSync(file, "utf8")).toContain("The plumber is called Marsh.");

    await hit.getByRole("button", { name: /^Delete memory: MEMORY\.md:/ }).click();
    await page
      .getByRole("dialog", { name: "Delete this memory permanently?" })
      .getByRole("button", { name: "Delete permanently" })
      .click();
    await until(() => !readFileSync(file, "utf8").includes("Quillfeather"));
    await until(async () => (await hit.count()) === 0);

    await page.getByRole("button", { name: "Rebuild" }).click();
    await page.getByText("Rebuilding the index.").first().waitFor();
    await page.getByRole("link", { name: "Settings of Main" }).click();
    await page.getByRole("radio", { name: /^Keywords only/ }).click();
    await until(async () => (await daemon.ask("GET", "/api/agents/main")).json.content.retrieval === "lexical");
    expect(visited.complaints).toEqual([]);
  });
});
