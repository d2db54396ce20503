import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Json, startDaemon, until } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { examineBrain } from "./brain-pages.ts";
import { inBrowser, welcome } from "./browser.ts";
import { BRAIN, edit, fieldOf, folderOf, put, textOf } from "./brain-house.ts";

setDefaultTimeout(170_000);

inBrowser("the brain of an agent", ({ visit }) => {
  test("shows both versions in an edit conflict, and lets the user choose", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await put(daemon, "USER.md", "# Ada\n\nLikes tea.\n");
    await using visited = await visit(daemon, { path: "/ui/brain/main/files?file=USER.md", expected: /409/ });
    const { page } = visited;
    await edit(page);
    const field = fieldOf(page, "USER.md");
    await until(async () => (await field.inputValue()) === "# Ada\n\nLikes tea.\n");
    // Block refreshes of the file list until the test allows them.
    await page.route(`**${BRAIN.replace("main", "*")}`, (route) => route.abort());
    await field.fill("# Ada\n\nLikes tea and cake.\n");
    await put(daemon, "USER.md", "# Ada\n\nLikes coffee.\n");
    await page.getByRole("button", { name: "Save" }).click();
    const apart = page.getByRole("region", { name: "Edit conflict" });
    await apart.getByText("The file was changed while you edited it.").waitFor();
    expect(await textOf(daemon, "USER.md")).toBe("# Ada\n\nLikes coffee.\n");
    expect(await fieldOf(page, "Your version: USER.md").inputValue()).toBe("# Ada\n\nLikes tea and cake.\n");
    expect(await fieldOf(page, "Current version").inputValue()).toBe("# Ada\n\nLikes coffee.\n");
    expect(await judge(page)).toEqual([]);
    await page.unroute(`**${BRAIN.replace("main", "*")}`);
    await page.reload();
    await apart.getByRole("button", { name: "Overwrite with mine" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await textOf(daemon, "USER.md")).toBe("# Ada\n\nLikes tea and cake.\n");

    // Without unsaved text, changes are shown immediately.
    await put(daemon, "USER.md", "# Ada\n");
    await until(async () => (await field.inputValue()) === "# Ada\n");
    expect(visited.complaints.filter((text) => !text.includes("ERR_FAILED"))).toEqual([]);
  });

  test("shows the prompt part by part, with sizes", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await put(daemon, "USER.md", `# Ada\n\n${"Likes tea. \n".repeat(4000)}`);
    await using visited = await visit(daemon, { path: "/ui/brain/main/prompt" });
    const { page } = visited;
    const { json: report } = await daemon.ask("GET", "/api/agents/main/prompt");
    const user = page.getByRole("row", { name: /^USER\.md/ });
    const part = report.parts.find(({ name }: Json) => name === "USER.md");
    await user.getByText(/shortened: the middle of the file/).waitFor();
    await user.getByRole("cell", { name: part.length.toLocaleString("en-GB"), exact: true }).waitFor();
    await user.getByRole("cell", { name: part.tokens.toLocaleString("en-GB"), exact: true }).waitFor();
    await page
      .getByRole("row", { name: /^Total/ })
      .getByRole("cell", { name: report.tokens.toLocaleString("en-GB") })
      .waitFor();
    await page.getByRole("button", { name: "Show text of SOUL.md" }).click();
    const soul = report.parts.find(({ name }: Json) => name === "SOUL.md");
    expect(await page.locator("tbody pre").textContent()).toBe(soul.text);
    await page.getByLabel("Room", { exact: true }).selectOption({ label: "Main" });
    expect(visited.complaints).toEqual([]);
  });

  test("shows a notice for large and binary files, and does not load them", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const folder = await folderOf(daemon);
    writeFileSync(join(folder, "large.md"), "x".repeat(50_000_000));
    writeFileSync(join(folder, "photo.bin"), new Uint8Array([0xff, 0xfe, 0, 1]));
    await using visited = await visit(daemon, { path: "/ui/brain/main" });
    const { page } = visited;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.getByRole("link", { name: "large.md" }).click();
    await page.getByText("This file is too large (50 MB).").waitFor();
    expect(asked.filter((url) => url.includes("/file?"))).toEqual([]);
    await page.getByRole("link", { name: "photo.bin" }).click();
    await page.getByText("This file is not a text file.").waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("is for admins of its house; others see a notice", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("POST", "/api/agents", { content: { name: "Bob", kind: "human" } });
    await using visited = await visit(daemon, { path: "/ui/brain/bob", expected: /404/ });
    const { page } = visited;
    await page.getByText("Bob has no brain here").waitFor();
    await page.goto(`${daemon.url}/ui/brain/unknown`);
    await page.getByText("Agent not found.").waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("fits phones and all widths, in both themes, without axe violations", () => examineBrain(visit, "every view"));
});
