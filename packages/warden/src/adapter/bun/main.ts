/** A house on Bun: reads the machine, wires the warden, opens the port, and ends it all in order. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { HearthError } from "@hearth/protocol";
import { bootInmate } from "@hearth/inmate/bun/boot";
import { createInlineBackend } from "../../cells/inline.ts";
import { loadConfig } from "../../config/load.ts";
import { isLoopback } from "../../config/schema.ts";
import { createConfigSource } from "../../config/source.ts";
import { createLog } from "../../observe/log.ts";
import { createSqliteStore } from "../../store/sqlite.ts";
import { createWarden } from "../../warden.ts";
import { openBlobs } from "./blobs.ts";
import { createBunBrainDisk, readStarter } from "./brain-disk.ts";
import { createConfigFile } from "./config-file.ts";
import { environment } from "./env.ts";
import { openHome } from "./home.ts";
import { createLogFile } from "./log-file.ts";
import { createProcessBackend } from "./process-cell.ts";
import { serve } from "./serve.ts";
import { openSqlite } from "./sqlite.ts";
import { createBunWorld } from "./world.ts";

export interface StartOptions {
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Instead of the config's. 0: any free one. */
  readonly port?: number;
  readonly host?: string;
  /** Words for the person at the terminal. */
  readonly announce: (text: string) => void;
}

export interface RunningHouse {
  readonly url: string;
  readonly loginLink: string;
  /** Ends it in order; what runs is taken up at the next start. */
  stop(): Promise<void>;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

/** Throws `home.*`, `config.invalid`, `store.*` or `server.port-taken`; then nothing is left running or held. */
export const startHouse = async (options: StartOptions): Promise<RunningHouse> => {
  const home = openHome(options.home);
  await using undo = new AsyncDisposableStack();
  undo.defer(() => home.release());

  const world = createBunWorld();
  const log = createLog({
    now: world.clock.now,
    line: createLogFile(home.path("logs/hearth.log"), (line) => process.stderr.write(`${line}\n`)),
  });
  const configFile = createConfigFile(home.path("hearth.toml"));
  const parsed = await loadConfig(configFile);
  for (const warning of parsed.warnings) options.announce(`warning: ${warning}`);

  const host = options.host ?? parsed.config.server.host;
  if (!isLoopback(host)) {
    throw new HearthError(
      "config.invalid",
      `Hearth cannot listen on ${host}: it has no TLS yet, so anyone on the network could read your keys.`,
      {
        hint: "Listen on 127.0.0.1, and reach the house through an SSH tunnel or a proxy that ends TLS on this machine.",
      },
    );
  }

  const store = undo.use(await createSqliteStore({ database: openSqlite(home.path("hearth.db")), clock: world.clock }));
  const stopAsked = Promise.withResolvers<void>();
  const runToken = Buffer.from(world.random(32)).toString("base64url");
  let url = "";

  const warden = undo.use(
    await createWarden({
      world,
      log,
      config: createConfigSource(configFile, parsed),
      store,
      blobs: await openBlobs(home.path("blobs")),
      brainDisk: createBunBrainDisk(home.path("brains")),
      starter: () => readStarter(fileURLToPath(new URL("../../../../../starter", import.meta.url))),
      backends: {
        inline: createInlineBackend({ boot: (cell) => bootInmate({ ...cell, clock: world.clock }) }),
        process: createProcessBackend({
          clock: world.clock,
          randomText: () => Buffer.from(world.random(16)).toString("hex"),
        }),
      },
      environment,
      readFile: (path) => readText(isAbsolute(path) ? path : join(home.folder, path)),
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      runToken,
      version: VERSION,
      home: home.folder,
      pid: process.pid,
      url: () => url,
      stop: stopAsked.resolve,
    }),
  );
  const server = serve({ hostname: host, port: options.port ?? parsed.config.server.port, http: warden.http });
  undo.defer(() => server.stop());
  url = `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`;
  await warden.start();
  home.announce({ url, token: runToken });
  log.write("info", "ready", { url, version: VERSION });

  const owned = undo.move();
  let ending: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    ending ??= owned.disposeAsync().then(() => log.write("info", "stopped"));
    return ending;
  };
  const ended = stopAsked.promise.then(stop);
  return {
    url,
    loginLink: warden.loginLink().url,
    stop() {
      stopAsked.resolve();
      return ended;
    },
    ended,
  };
};

const readText = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
};

const VERSION: string = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")).version;
