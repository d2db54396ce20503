/** The program behind `durable-streams-server`. */
import { parseArgs } from "node:util";
import { startStreamPeer } from "@hearth/warden/memory-warden";

const { values } = parseArgs({ options: { port: { type: "string", default: "0" } } });

const asked = Promise.withResolvers<void>();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => asked.resolve());

await using peer = await startStreamPeer({ port: Number(values.port) });
console.log(peer.url);
await asked.promise;
