/** Documents from the terminal to the requests of a model that takes text only. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { inBrowser, welcome } from "../browser/browser.ts";
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

/** Set to a folder, the tests write their screenshots there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];

const PAGES = 300;
const WORD = "zanzibar-otter";

/** Writes a book of 300 pages. The agent answers questions about it with the link that `recall` gives. */
const writeBook = async (folder: string, model: ReturnType<typeof createModel>): Promise<string> => {
  const file = join(folder, "book.pdf");
  const pages = Array.from({ length: PAGES }, (_, index) => `Chapter ${index + 1} is about the garden.`);
  pages[216] = `The deposit of the ${WORD} is 4,711 euros.`;
  writeFileSync(file, await makePdf(pages));
  writeFileSync(join(folder, "hearth.toml"), `${configFor(model.baseUrl)}tools = ["recall", "read"]\n`);
  model.answer = (request) => {
    const { role, content } = request.messages.at(-1);
    if (role === "tool") return [`See ${/\[book\.pdf, page \d+\]\([^)\s]+\)/.exec(content)?.[0] ?? "no page"}.`];
    return JSON.stringify(content).includes("how high")
      ? [{ tool: "recall", input: { query: "deposit of the otter" } }]
      : ["Noted."];
  };
  return file;
};

test("a book of 300 pages: an agent cites the page, the search names it, and both forget it with the message", async () => {
  using home = createHome();
  await using model = createModel();
  const file = await writeBook(home.folder, model);
  await using house = await startDaemon(home.folder, { TEST_KEY: "key" });
  const chat = async (...words: string[]): Promise<string> => {
    const { stdout, stderr, code } = await house.hearth("chat", ...words);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return stdout;
  };
  await chat("--file", file, "-m", "keep this");
  expect(await chat("-m", "how high is it?")).toContain("See [book.pdf, page 217].");
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
  // The agent may repeat its earlier answer, whose link then opens nothing.
  await chat("-m", "how high is it now?");
  expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1))).not.toContain("is 4,711 euros.");
  const { events } = (await house.ask("GET", "/api/rooms/main/events?limit=1000")).json;
  const replies = events.filter(({ activation, type }: Json) => type === "message" && activation !== undefined);
  expect(replies.map(({ citations = [] }: Json) => citations.length)).toEqual([0, 1, 0]);
  await house.stop();
  await rm(file);
  for (const [name, bytes] of await readHome(home.folder))
    expect([name, ...["%PDF-", "garden.", "is 4,711"].filter((part) => bytes.includes(part))]).toEqual([name]);
}, 180_000);

inBrowser("the citation of a page", ({ visit }) => {
  test("opens that page of the book, and says so when the book is gone", async () => {
    using home = createHome();
    await using model = createModel();
    const file = await writeBook(home.folder, model);
    await using house = await startDaemon(home.folder, { TEST_KEY: "key" });
    await welcome(house);
    for (const words of [
      ["--file", file, "-m", "keep this"],
      ["-m", "how high is it?"],
    ] as const)
      expect((await house.hearth("chat", ...words)).code).toBe(0);
    await using visited = await visit(house, { path: "/ui/rooms/main", reducedMotion: "reduce", expected: /404/ });
    const { page } = visited;
    const citation = page.getByRole("link", { name: "book.pdf, page 217" });
    await citation.waitFor();
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, "citation.png") });
    await citation.click();
    const text = page.getByRole("dialog", { name: "book.pdf" });
    await text.getByRole("heading", { name: "Page 217" }).waitFor();
    await text.getByText(`The deposit of the ${WORD} is 4,711 euros.`).waitFor();
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, "cited-page.png") });
    await page.keyboard.press("Escape");
    await text.waitFor({ state: "hidden" });

    const address = new URL((await citation.getAttribute("href")) ?? "", house.url);
    address.searchParams.set("place", "page-999");
    await page.goto(address.href);
    await page.getByRole("dialog").getByText('No text. The document has no part "page-999".').waitFor();
    await page.keyboard.press("Escape");

    const [message] = (await house.ask("GET", `/api/search?q=${WORD}&kind=message`)).json.messages;
    expect((await house.hearth("memory", "forget", message.id)).code).toBe(0);
    await citation.click();
    await page
      .getByRole("dialog")
      .getByText("No message of this room has this attachment, or it was deleted.")
      .waitFor();
    expect(visited.complaints).toEqual([]);
  }, 180_000);
});

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
