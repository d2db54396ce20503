/**
 * A process that requests a URL repeatedly over one connection and prints the response times as
 * JSON.
 */
import { endWithParent } from "./child.ts";
import { loopback } from "./loopback.ts";
import { withWaiting } from "./statistics.ts";

const [, , url = "", everyText = "", durationText = ""] = process.argv;
const everyMs = Number(everyText);
const durationMs = Number(durationText);

const ask = async (): Promise<number> => {
  const beganMs = performance.now();
  const response = await loopback(url);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return performance.now() - beganMs;
};

void endWithParent();
// The first request opens the connection and is not measured.
await ask();
const times: number[] = [];
const endMs = performance.now() + durationMs;
let nextMs = performance.now();
while (nextMs < endMs) {
  await Bun.sleep(Math.max(0, nextMs - performance.now()));
  const waits = withWaiting(await ask(), everyMs);
  times.push(...waits);
  // Continues with the first tick that is not covered yet.
  nextMs += waits.length * everyMs;
}
console.log(JSON.stringify(times));
process.exit(0);
