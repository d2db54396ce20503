/**
 * Measures a request from a cell to loopback through the link and the house's egress, which
 * includes a grant, a ledger record and two proxies, and the memory of the cell afterwards.
 */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { isHearthError } from "@hearth/protocol";
import type { Finding } from "./bench.ts";
import type { MeasuredKind } from "./cell-kinds.ts";
import { startHouse, writeConfig } from "./house.ts";
import { hasProc, NEEDS_PROC, pssOf, treeOf } from "./machine.ts";
import { orderOf } from "./model/orders.ts";
import { startModel } from "./model/model.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { median, percentile } from "./statistics.ts";
import { show } from "./table.ts";
import { openTurnClient } from "./talk.ts";

/** Number of sequential requests of one curl process. The first ones open the connections. */
const REQUESTS = 60;
const FIRST = 10;

export const timeEgress = async (site: Site, kind: MeasuredKind): Promise<readonly Finding[]> => {
  const what = `${kind}: a request through egress`;
  await using model = await startModel(site);
  await using folder = await temporaryFolder(site);
  await writeConfig(folder.path, { model, wire: "openai", tools: ["shell"] });
  await appendFile(join(folder.path, "hearth.toml"), "[egress]\nloopback = true\n");
  await using house = await startHouse(site, folder.path);
  const { agents } = house.client;
  const upstream = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("well") });
  try {
    const { hostname: host = "127.0.0.1", port = 0 } = upstream;
    await agents.update("main", { content: { cell: kind, egress: [{ host, port }] } });
    const room = await agents.room("main");
    await house.client.cells.open("main", room.id);
    await using turnClient = await openTurnClient(site, house, [room.id]);
    const urls = Array.from({ length: REQUESTS }, () => `-o /dev/null http://${host}:${port}/`);
    await turnClient.turn(
      room.id,
      orderOf("shell", { command: `curl -sS -w '%{http_code} %{time_total}\\n' ${urls.join(" ")}` }),
    );
    const [cell] = await house.client.cells.list();
    return [
      toFinding(what, toText((await model.lastRequest()).body)),
      await measureMemory(`${kind}: memory`, cell?.pid),
    ];
  } catch (error) {
    if (isHearthError(error, "cell.unavailable")) return [{ what, skipped: error.message }];
    throw error;
  } finally {
    await upstream.stop(true);
  }
};

const measureMemory = async (what: string, pid: number | undefined): Promise<Finding> => {
  if (!hasProc || pid === undefined) return { what, skipped: NEEDS_PROC };
  const value = await pssOf(await treeOf(pid));
  return { what, value, unit: "MiB", samples: 1, note: "PSS of its processes, after a turn in which it ran a command" };
};

/** Returns curl's output, which the last request to the model contains as a tool result. */
const toText = (body: string): string => {
  const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: unknown }[] };
  return String(messages.at(-1)?.content);
};

const toFinding = (what: string, text: string): Finding => {
  const times = [...text.matchAll(/^200 (\d+\.\d+)$/gm)].map(([, seconds]) => Number(seconds) * 1000).slice(FIRST);
  if (times.length < REQUESTS - FIRST)
    return { what, skipped: `curl failed in the cell: ${text.trim().split("\n")[0]}` };
  return {
    what,
    value: median(times),
    unit: "ms",
    samples: times.length,
    note: `median, as curl has it; p99 ${show(percentile(times, 99))}`,
  };
};
