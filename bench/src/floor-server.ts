/**
 * A server that does the minimum of a durable turn, without Hearth. It answers a request after a
 * synced commit, a line to another process and back, a streamed response of the model, and a second
 * synced commit. Arguments: the database's path and the model's URL.
 */
import { Database } from "bun:sqlite";
import { fileURLToPath } from "node:url";
import { endWithParent } from "./child.ts";
import { loopback } from "./loopback.ts";

const ROW_BYTES = 4096;
const ECHO = fileURLToPath(new URL("echo.ts", import.meta.url));

const main = async (): Promise<void> => {
  const [path = "", model = ""] = process.argv.slice(2);
  const database = new Database(path, { create: true });
  database.run("pragma journal_mode = wal");
  database.run("pragma synchronous = full");
  database.run("create table rows (id integer primary key, body text not null)");
  const insert = database.query("insert into rows (body) values (?)");
  const row = "x".repeat(ROW_BYTES);

  const echo = Bun.spawn([process.execPath, "--no-install", ECHO], { stdin: "pipe", stdout: "pipe" });
  const waiting: (() => void)[] = [];
  const readLines = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const bytes of echo.stdout)
      for (const sign of decoder.decode(bytes, { stream: true })) if (sign === "\n") waiting.shift()?.();
  };
  void readLines();
  const sendLine = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      echo.stdin.write("line\n");
      echo.stdin.flush();
    });

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = await request.text();
      insert.run(row);
      await sendLine();
      const response = await loopback(model, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      let text = "";
      const decoder = new TextDecoder();
      for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true });
      insert.run(row);
      return new Response(text);
    },
  });
  console.log(`listening ${server.port} ${echo.pid}`);
  await endWithParent();
};

await main();
