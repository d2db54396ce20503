/**
 * Starts an inmate on Bun over a given link, in its own process or, for `inline`, in the warden's.
 *
 * Modules load as late as possible, because loading all of them takes longer than setting up a
 * cell's isolation: the runtime loads while the warden answers the hello, and the tools while the
 * first model call runs.
 */
import { lazy, type InmateFrame, type Link } from "@hearth/protocol";
import { createDoor } from "../../egress/door.ts";
import { type SendFrame, sendHello } from "../../hello.ts";
import type { Tools } from "../../tools/index.ts";
import type { BunToolsOptions } from "./bun-tools.ts";

export interface BootOptions extends BunToolsOptions {
  readonly link: Link<InmateFrame, unknown>;
}

const importRuntime = () => import("../../inmate.ts");
const importTools = () => import("./bun-tools.ts");
const importDoorHost = () => import("./door-host.ts");

export const bootInmate = async (options: BootOptions): Promise<void> => {
  const { link, clock } = options;
  const sendFrame = sendHello({ link, clock, runtime: `bun ${Bun.version}` });
  const [{ runInmate }, { createBunDoorHost }] = await Promise.all([importRuntime(), importDoorHost()]);
  const door = createDoor({ host: createBunDoorHost(), openStream: (label) => link.openStream(label) });
  const tools = createLazyTools(options);
  const sendAndPreload: SendFrame = (body) => {
    sendFrame(body);
    if (body.type === "model-request") tools.preload();
  };
  return runInmate({ link, sendFrame: sendAndPreload, tools, door });
};

/**
 * Loads all modules now instead of on demand: for a machine that is prepared before it is assigned
 * to an agent.
 */
export const preloadInmate = async (): Promise<void> => {
  await Promise.all([importRuntime(), importTools(), importDoorHost()]);
};

const createLazyTools = (options: BunToolsOptions): Tools & { preload(): void } => {
  let isUsed = false;
  const tools = lazy(async () => (await importTools()).createBunTools(options));
  return {
    // The first `run` reports a failure.
    preload: () => {
      tools().catch(() => undefined);
    },
    inbox: {
      writeReceived: async (...file) => (await tools()).inbox.writeReceived(...file),
      writePermanent: async (...file) => (await tools()).inbox.writePermanent(...file),
      remove: async (path) => (await tools()).inbox.remove(path),
      clear: async () => (await tools()).inbox.clear(),
    },
    async run(...call) {
      isUsed = true;
      return (await tools()).run(...call);
    },
    // If no tool was called, nothing runs in the background.
    stop: async (activation) => (isUsed ? (await tools()).stop(activation) : undefined),
  };
};
