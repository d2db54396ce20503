/** Documents from the terminal to the requests of a model that takes text only. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createHome, type Json, startDaemon } from "./daemon.ts";
import { readHome } from "./home-files.ts";
import { configFor, createModel } from "./model.ts";
import { hasOcr, makePdf, makeScan } from "./pdf.ts";

test("a PDF and a question: the request to a text-only model has the text of each page, and the tool read shows it", async () => {
  using home = createHome();
  await using model = createModel();
  const file = join(home.folder, "lease.pdf");
  writeFileSync(file, await makePdf(["The lease begins in May.", "The deposit is 1,234 euros.", "Signed in Bremen."]));
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
  model.answer = (request) => {
    const last = request.messages.at(-1);
    return last.role === "tool" ? [`tool: ${last.content}`] : ["1,234 euros."];
  };
  const asked = () => JSON.stringify(model.requests.at(-1)?.messages);
  {
    await using house = await startDaemon(home.folder, { TEST_KEY: "key" });
    const { stdout, code } = await house.hearth("chat", "--file", file, "-m", "how high is the deposit?");
    expect([code, stdout]).toEqual([0, expect.stringContaining("1,234 euros.")]);
    expect(stdout).not.toContain("Not shown to the model");
    expect(asked()).toContain("[page 2]\\nThe deposit is 1,234 euros.\\n\\n[page 3]\\nSigned in Bremen.");
    await house.kill();
  }
  await using house = await startDaemon(home.folder, { TEST_KEY: "key" });
  model.answer = (request) => {
    const last = request.messages.at(-1);
    if (last.role === "tool") return [`tool: ${last.content}`];
    const [path] = /inbox\/\S+\.pdf/.exec(JSON.stringify(request.messages)) ?? [];
    return [{ tool: "read", input: { path, offset: 4, limit: 2 } }];
  };
  const { stdout } = await house.hearth("chat", "--file", file, "-m", "read it");
  expect(stdout).toContain("[page 2]\nThe deposit is 1,234 euros.");
  // Only blobs and the index of the database have the text: no log has a copy of it.
  for (const [name, bytes] of await readHome(home.folder))
    if (!name.startsWith("blobs") && !name.startsWith("hearth.db") && !name.endsWith("lease.pdf"))
      expect([name, bytes.includes("Signed in Bremen")]).toEqual([name, false]);
}, 180_000);

const PAGES = 300;
const WORD = "zanzibar-otter";

test("a book of 300 pages: an agent cites the page, the search names it, and both forget it with the message", async () => {
  using home = createHome();
  await using model = createModel();
  const file = join(home.folder, "book.pdf");
  const pages = Array.from({ length: PAGES }, (_, index) => `Chapter ${index + 1} is about the garden.`);
  pages[216] = `The deposit of the ${WORD} is 4,711 euros.`;
  writeFileSync(file, await makePdf(pages));
  writeFileSync(join(home.folder, "hearth.toml"), `${configFor(model.baseUrl)}tools = ["recall", "read"]\n`);
  model.answer = (request) => {
    const { role, content } = request.messages.at(-1);
    if (role === "tool") return [`See ${/book\.pdf", (page \d+)/.exec(content)?.[1] ?? "no page"}.`];
    return JSON.stringify(content).includes("how high")
      ? [{ tool: "recall", input: { query: "deposit of the otter" } }]
      : ["Noted."];
  };
  await using house = await startDaemon(home.folder, { TEST_KEY: "key" });
  const chat = async (...words: string[]): Promise<string> => {
    const { stdout, stderr, code } = await house.hearth("chat", ...words);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return stdout;
  };
  await chat("--file", file, "-m", "keep this");
  expect(await chat("-m", "how high is it?")).toContain("See page 217.");
  expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1))).toContain("is 4,711 euros.");

  const { stdout } = await house.hearth("search", WORD, "deposit");
  expect(stdout).toContain(`book.pdf, page 217: The deposit of the ${WORD} is 4,711 euros.`);
  const found = await house.ask("GET", `/api/search?q=${WORD}+deposit&kind=message`);
  const [hit] = found.json.messages.filter(({ file: of }: Json) => of !== undefined);
  expect(hit.file).toMatchObject({ name: "book.pdf", place: "page 217" });
  const text = `/api/rooms/${hit.room}/attachments/${hit.file.id}/text?place=page+217`;
  expect((await house.ask("GET", text)).json).toMatchObject({ previous: "page 216", next: "page 218", isCut: false });

  expect((await house.hearth("memory", "forget", hit.id)).code).toBe(0);
  expect((await house.ask("GET", text)).status).toBe(404);
  const { messages } = (await house.ask("GET", `/api/search?q=${WORD}&kind=message`)).json;
  expect(messages.filter(({ file: of }: Json) => of !== undefined)).toEqual([]);
  expect(await chat("-m", "how high is it now?")).toContain("See no page.");
  await house.stop();
  await rm(file);
  for (const [name, bytes] of await readHome(home.folder))
    expect([name, ...["%PDF-", "garden.", "is 4,711"].filter((part) => bytes.includes(part))]).toEqual([name]);
}, 180_000);

test.skipIf(!hasOcr)(
  "a scan and a question: the request has the text that OCR read, and the search names its page",
  async () => {
    using home = createHome();
    await using model = createModel();
    const file = join(home.folder, "scan.pdf");
    writeFileSync(file, await makeScan(["The lease begins in May.", "The deposit is high."]));
    writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
    model.answer = () => ["Noted."];
    await using house = await startDaemon(home.folder, { TEST_KEY: "key" });
    const { stdout, code } = await house.hearth("chat", "--file", file, "-m", "what does it say?");
    expect([code, stdout]).toEqual([0, expect.stringContaining("Noted.")]);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain(
      "[page 2]\\n(Page 2 was read by OCR.)\\n\\nThe deposit is high.",
    );
    expect((await house.hearth("search", "deposit")).stdout).toContain("scan.pdf, page 2: ");
    expect((await house.hearth("doctor")).stdout).toContain("scanned pages of PDF files are read by tesseract");
  },
  120_000,
);
