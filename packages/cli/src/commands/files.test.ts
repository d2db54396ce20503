import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { commandsForEach } from "../fakes/fake-command-line.ts";

const own = commandsForEach();
const { hearth, hearthAt, json } = own;

const FILES = "/api/agents/main/files";
const listed = {
  entries: [
    { name: "reports", kind: "folder", changedAt: 1 },
    { name: "a\u001b[31m.txt", kind: "file", sizeBytes: 7, changedAt: 1 },
    { name: "link", kind: "other", changedAt: 1, why: "is a link, which is not followed" },
  ],
  isComplete: false,
};

test("`files list` shows folders, sizes and why an entry cannot be read, without escape sequences", async () => {
  own.house.answer(`GET ${FILES}`, listed);
  const { out, err } = await hearth("files", "list", "main");
  expect(out).toContain("reports/");
  expect(out).toContain("7 bytes");
  expect(out).toContain("is a link, which is not followed");
  expect(out).not.toContain("\u001b");
  expect(err).toContain("more than these 3 entries");
  expect(await json("files", "list", "main")).toEqual(listed);
});

test("`files get` saves a file or a folder, overwrites nothing, and writes to stdout", async () => {
  own.house.answer(`GET ${FILES}/content`, "bytes");
  own.house.answer(`GET ${FILES}/archive`, "zip");
  const path = join(own.house.home, "saved");
  const saved = await hearth("files", "get", "main", "reports/a.csv", "--to", path);
  expect([saved.code, saved.out]).toEqual([0, `Saved ${path}, 7 bytes.\n`]);
  expect((await hearth("files", "get", "main", "reports/a.csv", "--to", path)).code).toBe(2);
  expect(await readFile(path, "utf8")).toBe('"bytes"');
  const zipped = await hearthAt({ cwd: own.house.home }, "files", "get", "main", "reports", "--zip");
  expect(zipped.out).toBe(`Saved ${join(own.house.home, "reports.zip")}, 5 bytes.\n`);
  expect((await hearth("files", "get", "main", "--zip", "--to", "-")).out).toBe('"zip"');
});

test("`files get` without a path, or with bytes for a terminal, is a usage error", async () => {
  expect((await hearth("files", "get", "main")).code).toBe(2);
  expect((await hearthAt({ stdoutIsTerminal: true }, "files", "get", "main", "a", "--to", "-")).code).toBe(2);
});

test("`files text` shows the text of a document without escape sequences, or why it has no text", async () => {
  own.house.answer(`GET ${FILES}/text`, { text: "[page 1]\nrent\u001b[31m", isCut: true });
  const shown = await hearth("files", "text", "main", "lease.pdf");
  expect(shown.code).toBe(0);
  expect(shown.out).toStartWith("[page 1]\nrent");
  expect(shown.out).not.toContain("\u001b");
  expect(shown.err).toContain("The document is longer.");
  own.house.answer(`GET ${FILES}/text`, { isCut: false, why: "The file is damaged." });
  const none = await hearth("files", "text", "main", "lease.pdf");
  expect([none.code, none.out]).toEqual([1, ""]);
  expect(none.err).toContain("The document has no text. The file is damaged.");
  expect(await json("files", "text", "main", "lease.pdf")).toEqual({ isCut: false, why: "The file is damaged." });
});

test("`files room` lists the files that agents sent to a room, and leaves out those of people", async () => {
  const den = own.house.addRoom({ name: "Den", kind: "group" });
  const bot = own.house.addAgent({ name: "Bot", kind: "bot" });
  const about = { type: "text/plain", sizeBytes: 7, hash: "0".repeat(64), at: 1, offset: 1 };
  const fileOf = (digit: number, by: string) => ({
    ...{ ...about, by, name: `${digit}.txt`, id: `upl_${String(digit).repeat(26)}` },
    message: `evt_${String(digit).repeat(26)}`,
  });
  const files = [fileOf(1, own.house.owner.id), fileOf(2, bot.id)];
  own.house.answer(`GET /api/rooms/${den.id}/attachments`, { files, isComplete: true });
  const { out } = await hearth("files", "room", "den");
  expect([out.includes("2.txt"), out.includes("1.txt")]).toEqual([true, false]);
  expect(await json("files", "room", "den")).toEqual([files[1]]);
});
