/** A person asks for a chart of a table in the workspace and sees it in the room. */
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHome, eventsOf, type Json, startDaemon } from "../journeys/daemon.ts";
import { configFor, createModel, type Piece } from "../journeys/model.ts";
import { inBrowser, welcome } from "./browser.ts";

const CSV = "month,euros\nMay,12\nJune,31\nJuly,22\n";
const SPEC = {
  title: "Sales </text><script>document.title = 'taken'</script>",
  width: 320,
  mark: "bar",
  encoding: {
    x: { field: "month", type: "nominal", sort: null },
    y: { field: "euros", type: "quantitative" },
  },
};

/** Set to a folder, the test writes its screenshots there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];

/** Finds the tool, writes the table, draws it, and answers. */
const drawsChart = ({ messages }: Json): readonly Piece[] => {
  const results = messages.slice(messages.findLastIndex(({ role }: Json) => role === "user"));
  const count = results.filter(({ role }: Json) => role === "tool").length;
  const calls: readonly Piece[] = [
    { tool: "find_tools", input: { query: "chart" } },
    { tool: "write", input: { path: "sales.csv", content: CSV } },
    { tool: "chart", input: { spec: SPEC, path: "sales.csv", caption: "Sales of the summer" } },
  ];
  return [calls[count] ?? "Here is the chart."];
};

/** Finds `attach`, sends this file, and answers. */
const sends =
  (path: string) =>
  ({ messages }: Json): readonly Piece[] => {
    const results = messages.slice(messages.findLastIndex(({ role }: Json) => role === "user"));
    const count = results.filter(({ role }: Json) => role === "tool").length;
    const calls: readonly Piece[] = [
      { tool: "find_tools", input: { query: "attach" } },
      { tool: "attach", input: { path, name: "again.svg" } },
    ];
    return [calls[count] ?? "Here it is."];
  };

inBrowser("an agent with a chart", ({ visit }) => {
  test("draws a table of its workspace: the room shows the picture, whose text runs nothing", async () => {
    using home = createHome();
    await using model = createModel();
    model.answer = drawsChart;
    await writeFile(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
    await using daemon = await startDaemon(home.folder, { TEST_KEY: "k" });
    await welcome(daemon);
    expect((await daemon.hearth("chat", "-m", "A chart of the sales, please")).stdout).toContain("Here is the chart.");

    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    const sent = page.getByRole("list", { name: "Attachments" });
    await sent.getByText("Sales of the summer").waitFor();
    const picture = sent.getByRole("img", { name: "Picture sales.svg" });
    await picture.waitFor();
    const { width, address } = await picture.evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      return { width: image.naturalWidth, address: image.src };
    });
    expect(width).toBeGreaterThan(320);
    expect(decodeURIComponent(address)).toContain("&lt;script&gt;");
    expect(await page.title()).not.toBe("taken");
    if (SHOTS !== undefined) {
      mkdirSync(SHOTS, { recursive: true });
      await page.screenshot({ path: join(SHOTS, "chart.png") });
    }
    await sent.getByRole("link", { name: /^Download sales\.svg, / }).waitFor();

    // The copy in the workspace is the same picture, and a later turn can send it.
    const folder = JSON.parse((await daemon.hearth("files", "list", "main", "charts", "--json")).stdout);
    const [copy = ""] = folder.entries.map(({ name }: { readonly name: string }) => name);
    expect(copy).toMatch(/^sales-[0-9a-f]{8}\.svg$/);
    model.answer = sends(`charts/${copy}`);
    expect((await daemon.hearth("chat", "-m", "Send it again")).stdout).toContain("Here it is.");
    const [first, second] = (await eventsOf(daemon, "main")).flatMap((event) => event.attachments ?? []);
    expect(second).toMatchObject({ name: "again.svg", hash: first.hash });
    expect(visited.complaints).toEqual([]);
    expect((await daemon.hearth("audit", "verify")).code).toBe(0);
  });
});
