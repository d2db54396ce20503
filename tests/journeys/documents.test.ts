/** Documents from the terminal to the requests of a model that takes text only. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PDFDocument, StandardFonts } from "pdf-lib";
import { createHome, startDaemon } from "./daemon.ts";
import { readHome } from "./home-files.ts";
import { configFor, createModel } from "./model.ts";

const makePdf = async (texts: readonly string[]): Promise<Uint8Array> => {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of texts) pdf.addPage().drawText(text, { x: 50, y: 700, size: 12, font });
  return pdf.save();
};

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
  // Only blobs have the text: neither a row nor a log has a copy of it.
  for (const [name, bytes] of await readHome(home.folder))
    if (!name.startsWith("blobs") && !name.endsWith("lease.pdf"))
      expect([name, bytes.includes("Signed in Bremen")]).toEqual([name, false]);
}, 180_000);

test("a damaged document: the answer says why the model has no text of it", async () => {
  using home = createHome();
  await using model = createModel();
  const file = join(home.folder, "broken.pdf");
  writeFileSync(file, "%PDF-1.7\nnothing");
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
  model.answer = () => ["I cannot read it."];
  await using house = await startDaemon(home.folder, { TEST_KEY: "key" });
  const { stdout } = await house.hearth("chat", "--file", file, "-m", "what is it?");
  expect(stdout).toContain(
    "[Not shown to the model: broken.pdf (the model takes no PDF documents, and Hearth has no text of it: The file is cut off or damaged).]",
  );
}, 120_000);

test("a page and a mail: the request has Markdown, without markup and scripts", async () => {
  using home = createHome();
  await using model = createModel();
  const [page, mail] = [join(home.folder, "offer.html"), join(home.folder, "offer.eml")];
  writeFileSync(page, "<!doctype html><script>steal()</script><h1>Offer</h1><p>It is <b>5 euros</b>.</p>");
  const head = ["From: Ana <ana@a.example>", "Subject: Rent", "Date: Mon, 1 Jun 2026 10:00:00 +0000"];
  const body = "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64";
  writeFileSync(mail, `${head.join("\r\n")}\r\n${body}\r\n\r\n${btoa("The rent is paid.")}\r\n`);
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
  model.answer = () => ["Noted."];
  await using house = await startDaemon(home.folder, { TEST_KEY: "key" });
  const ask = async (file: string): Promise<string> => {
    const { stdout, code } = await house.hearth("chat", "--file", file, "-m", "what does it say?");
    expect([code, stdout]).toEqual([0, expect.stringContaining("Noted.")]);
    expect(stdout).not.toContain("Not shown to the model");
    return JSON.stringify(model.requests.at(-1)?.messages.at(-1));
  };
  const [ofPage, ofMail] = [await ask(page), await ask(mail)];
  expect(ofPage).toContain("# Offer\\n\\nIt is 5 euros.");
  expect(ofPage).not.toContain("steal()");
  expect(ofMail).toContain("Subject: Rent");
  expect(ofMail).toContain("The rent is paid.");
}, 120_000);
