/** The workspace of an agent: a person previews and downloads what the agent made. */
import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PDFDocument, StandardFonts } from "pdf-lib";
import type { Page } from "playwright-core";
import { createHome, type Json, startDaemon } from "../journeys/daemon.ts";
import { configFor, createModel, type Piece } from "../journeys/model.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit } from "./phone.ts";
import { toWave } from "../journeys/wave.ts";

const CSV = 'month,euros\nmay,12\n"june, all",3\n';
const HOSTILE = "# Notes\n\n<script>document.title = 'run'</script>\n\n![pixel](https://e.example/pixel.png)\n";
const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

/** Set to a folder, the test writes its screenshots there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];

const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
};

/** Writes a table, and answers. */
const makesTable = ({ messages }: Json): readonly Piece[] => [
  messages.at(-1).role === "tool"
    ? "The table is in reports."
    : { tool: "write", input: { path: "reports/may.csv", content: CSV } },
];

const makePdf = async (text: string): Promise<Uint8Array> => {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  pdf.addPage().drawText(text, { x: 50, y: 700, size: 12, font });
  return pdf.save();
};

inBrowser("the workspace of an agent", ({ visit }) => {
  test("a table that an agent made is previewed and downloaded, and its folder as a zip file", async () => {
    using home = createHome();
    await using model = createModel();
    model.answer = makesTable;
    writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
    await using daemon = await startDaemon(home.folder, { TEST_KEY: "k" });
    await welcome(daemon);
    expect((await daemon.hearth("chat", "-m", "a table of May")).stdout).toContain("The table is in reports.");

    await using visited = await visit(daemon, { path: "/ui/settings/agents/main/memory" });
    const { page } = visited;
    await page.getByRole("link", { name: /^Workspace/ }).click();
    await page.getByRole("link", { name: "reports/" }).click();
    await page.getByRole("link", { name: "may.csv" }).click();
    const preview = page.getByRole("region", { name: "Preview of may.csv" });
    await preview.getByRole("columnheader", { name: "euros" }).waitFor();
    expect(await preview.getByRole("cell").allTextContents()).toEqual(["may", "12", "june, all", "3"]);
    await shoot(page, "workspace-table");

    const file = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download" }).click();
    const saved = await file;
    expect(saved.suggestedFilename()).toBe("may.csv");
    expect(await readFile(await saved.path(), "utf8")).toBe(CSV);

    await page.getByRole("navigation", { name: "Location" }).getByRole("link", { name: "reports" }).click();
    const zip = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download as zip" }).click();
    const archive = await zip;
    expect(archive.suggestedFilename()).toBe("reports.zip");
    const bytes = await readFile(await archive.path());
    expect([bytes.subarray(0, 2).toString(), bytes.includes("may.csv"), bytes.includes(CSV)]).toEqual([
      "PK",
      true,
      true,
    ]);
    expect(visited.complaints).toEqual([]);
  });

  test("A52: each kind has a preview that runs nothing and requests no other host, and fits a phone", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const workspace = join(home.folder, "brains/main/workspace");
    const put = (path: string, content: string | Uint8Array): void => {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), content);
    };
    put("notes.md", HOSTILE);
    put("page.html", `<!doctype html>${HOSTILE}`);
    put("run.py", "print(1)\n");
    put("dot.txt", PNG);
    put("tone.wav", toWave(8000));
    put("report.pdf", await makePdf("The deposit is 1,234 euros."));
    put("a very long name of a folder/with one more below it/x.txt", "deep");
    symlinkSync(join(home.folder, "hearth.toml"), join(workspace, "link.txt"));

    const phone = {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
      reducedMotion: "reduce",
    } as const;
    await using visited = await visit(daemon, { path: "/ui/brain/main/workspace", ...phone });
    const { page } = visited;
    await page.getByRole("table").getByText("is a link, which is not followed").waitFor();
    await shoot(page, "workspace-phone");
    await expectFit(page);
    const open = async (name: string) => {
      await page.goto(`${daemon.url}/ui/brain/main/workspace?file=${name}`);
      const preview = page.getByRole("region", { name: `Preview of ${name}` });
      await preview.waitFor();
      return preview;
    };
    await (await open("notes.md")).getByRole("heading", { name: "Notes" }).waitFor();
    await shoot(page, "workspace-notes");
    await expectFit(page);
    await (await open("page.html")).getByText("<script>document.title = 'run'</script>").waitFor();
    await (await open("run.py")).getByText("print").waitFor();
    // The content is a picture, whatever the name says.
    const picture = (await open("dot.txt")).getByRole("img");
    await picture.waitFor();
    expect(await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(1);
    const sound = (await open("tone.wav")).locator("audio");
    await page.waitForFunction(() => (document.querySelector("audio")?.duration ?? 0) === 1);
    await sound.waitFor();
    await expectFit(page);
    await (await open("report.pdf")).getByText("The deposit is 1,234 euros.").waitFor();
    await shoot(page, "workspace-pdf");
    expect((await daemon.hearth("files", "text", "main", "report.pdf")).stdout).toContain(
      "[page 1]\nThe deposit is 1,234",
    );
    await page.goto(`${daemon.url}/ui/brain/main/workspace?file=link.txt`);
    await page.getByText(/is a link/).waitFor();
    expect(await page.title()).not.toBe("run");
    // The refusal of the link is the only error of the console.
    expect(visited.complaints.filter((text) => !text.includes("400"))).toEqual([]);
  });
});
