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
