/**
 * A real Prometheus scrapes a real house, and answers every query of the dashboard that ships.
 * HEARTH_WHOLE=1 starts it, which takes several seconds.
 */
import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "@hearth/protocol/until";
import { createHome, type Json, startDaemon } from "./daemon.ts";
import { configFor, createModel, type Piece } from "./model.ts";
import { freePort } from "../fixtures/free-port.ts";

const DASHBOARD = fileURLToPath(new URL("../../docs/grafana/hearth.json", import.meta.url));
const prometheus = Bun.which("prometheus");
const promtool = Bun.which("promtool");
const isWhole = process.env["HEARTH_WHOLE"] !== undefined;

/** Every query of the dashboard, with a fixed interval. */
const readQueries = async (): Promise<readonly string[]> =>
  JSON.parse(await readFile(DASHBOARD, "utf8")).panels.flatMap(({ targets }: Json) =>
    targets.map(({ expr }: Json) => expr.replaceAll("$__rate_interval", "5m")),
  );

const namesIn = (text: string): ReadonlySet<string> => new Set(text.match(/hearth_[a-z_]+/g));

/** A house with the observer, a turn with a tool call that it has measured, and a key for the metrics. */
const measure = async (home: string) => {
  await using model = createModel();
  const pieces: Piece[][] = [[{ tool: "list", input: {} }], ["Done."]];
  model.answer = () => pieces.shift() ?? [];
  await writeFile(join(home, "hearth.toml"), `${configFor(model.baseUrl)}[observers]\nto = ["prometheus"]\n`);
  const daemon = await startDaemon(home, { TEST_KEY: "k" });
  await daemon.hearth("chat", "-m", "go");
  const { key } = JSON.parse(
    (await daemon.hearth("key", "create", "--name", "p", "--only", "metrics", "--json")).stdout,
  );
  return { daemon, key: String(key) };
};

test("the metrics of a turn have the names that the dashboard asks for", async () => {
  using home = createHome();
  const { daemon, key } = await measure(home.folder);
  await using _daemon = daemon;
  const response = await fetch(`${daemon.url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  for (const query of await readQueries())
    for (const name of namesIn(query)) expect([query, namesIn(text).has(name)]).toEqual([query, true]);
});

test.skipIf(promtool === null)("promtool finds no fault in the metrics (skipped without promtool)", async () => {
  using home = createHome();
  const { daemon, key } = await measure(home.folder);
  await using _daemon = daemon;
  const response = await fetch(`${daemon.url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  const check = Bun.spawn([promtool ?? "", "check", "metrics"], {
    stdin: await response.blob(),
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = (await new Response(check.stdout).text()) + (await new Response(check.stderr).text());
  expect([await check.exited, said]).toEqual([0, ""]);
});

test.skipIf(prometheus === null || !isWhole)(
  "a real Prometheus scrapes the house with its key and answers the queries of the dashboard (skipped without prometheus or HEARTH_WHOLE=1)",
  async () => {
    using home = createHome();
    const { daemon, key } = await measure(home.folder);
    await using _daemon = daemon;
    const folder = await mkdtemp(join(tmpdir(), "hearth-prometheus-"));
    const port = await freePort();
    await writeFile(join(folder, "key"), key);
    const config = {
      global: { scrape_interval: "1s" },
      scrape_configs: [
        {
          job_name: "hearth",
          authorization: { credentials_file: join(folder, "key") },
          static_configs: [{ targets: [new URL(daemon.url).host] }],
        },
      ],
    };
    await writeFile(join(folder, "prometheus.yml"), JSON.stringify(config));
    const child = Bun.spawn(
      [
        prometheus ?? "",
        `--config.file=${join(folder, "prometheus.yml")}`,
        `--storage.tsdb.path=${join(folder, "data")}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdin: "ignore", stdout: "ignore", stderr: "ignore" },
    );
    const query = async (text: string): Promise<Json> =>
      (await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(text)}`)).json();
    const valueOf = async (text: string): Promise<number> => {
      const answer = await query(text).catch(() => undefined);
      return Number(answer?.data?.result?.[0]?.value?.[1] ?? 0);
    };
    try {
      await until(async () => (await valueOf("up")) === 1);
      await until(async () => (await valueOf('sum(hearth_turn_duration_seconds_count{outcome="reply"})')) >= 1);
      expect(await valueOf("hearth_info")).toBe(1);
      for (const text of await readQueries()) expect([text, (await query(text)).status]).toEqual([text, "success"]);
    } finally {
      child.kill();
      await child.exited;
      await rm(folder, { recursive: true, force: true });
    }
  },
);
