/** Documents from the terminal to the requests of a model that takes text only. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";

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
