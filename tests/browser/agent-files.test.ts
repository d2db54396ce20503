/** A file that an agent makes and sends: a person downloads it, and a chat platform has it. */
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHome, type Json, startDaemon } from "../journeys/daemon.ts";
import { configFor, createModel, type Piece } from "../journeys/model.ts";
import { pairAna, startTelegram, TOKEN } from "../journeys/telegram-server.ts";
import { inBrowser, welcome } from "./browser.ts";

const CSV = "month,euros\nmay,12\n";

/** Set to a folder, the test writes its screenshots there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];

/** Writes a table, attaches it, and answers. */
const makesTable = ({ messages }: Json): readonly Piece[] => {
  const results = messages.slice(messages.findLastIndex(({ role }: Json) => role === "user"));
  const count = results.filter(({ role }: Json) => role === "tool").length;
  const calls: readonly Piece[] = [
    { tool: "write", input: { path: "reports/may.csv", content: CSV } },
    { tool: "attach", input: { path: "reports/may.csv", caption: "All of May" } },
  ];
  return [calls[count] ?? "Here is the table."];
};

inBrowser("an agent with files", ({ visit }) => {
  test("makes a table and sends it: a person downloads it, and Telegram has it", async () => {
    using home = createHome();
    await using telegram = startTelegram();
    await using model = createModel();
    model.answer = makesTable;
    await writeFile(
      join(home.folder, "hearth.toml"),
      `${configFor(model.baseUrl)}[channels.telegram]\nkind = "telegram"\ntoken = "env:BOT"\nbase_url = "${telegram.url}"\n`,
    );
    await using daemon = await startDaemon(home.folder, { TEST_KEY: "k", BOT: TOKEN });
    await pairAna(telegram, daemon);
    await welcome(daemon);
    telegram.say("A table of May, please");
    const texts = await telegram.until((all) => all.includes("All of May"));
    expect(texts.slice(-2)).toEqual(["Here is the table.", "All of May"]);
    expect(new TextDecoder().decode(telegram.api.sent().at(-1)?.file?.bytes)).toBe(CSV);

    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    const sent = page.getByRole("list", { name: "Attachments" });
    await sent.getByText("All of May").waitFor();
    if (SHOTS !== undefined) {
      mkdirSync(SHOTS, { recursive: true });
      await page.screenshot({ path: join(SHOTS, "agent-file.png") });
    }
    const start = page.waitForEvent("download");
    await sent.getByRole("link", { name: "Download may.csv, 19 bytes" }).click();
    const download = await start;
    expect(download.suggestedFilename()).toBe("may.csv");
    expect(await readFile(await download.path(), "utf8")).toBe(CSV);
    expect(visited.complaints).toEqual([]);

    const saved = join(home.folder, "saved.csv");
    expect((await daemon.hearth("room", "files", "main", "may.csv", "--to", saved)).code).toBe(0);
    expect(await readFile(saved, "utf8")).toBe(CSV);
    expect((await daemon.hearth("room", "events", "main")).stdout).toContain("All of May");
    expect((await daemon.hearth("audit", "verify")).code).toBe(0);
  });
});
