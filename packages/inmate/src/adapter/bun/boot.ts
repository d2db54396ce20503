/**
 * An inmate on Bun, over whatever link it is given. Used by its own process and, for `inline`, by the warden's. It says hello with as little of
 * its program as that takes, reads what it listens with while it is being answered, and its tools while it first waits for a model: to read all
 * of it takes longer than to set up the walls of a cell.
 */
import { lazy, type InmateFrame, type Link } from "@hearth/protocol";
import { createDoor } from "../../egress/door.ts";
import { type Say, sayHello } from "../../hello.ts";
import type { Tools } from "../../tools/index.ts";
import type { BunToolsOptions } from "./bun-tools.ts";

export interface BootOptions extends BunToolsOptions {
  readonly link: Link<InmateFrame, unknown>;
}

const readEars = () => import("../../inmate.ts");
const readHands = () => import("./bun-tools.ts");
const readDoor = () => import("./door-frame.ts");

export const bootInmate = async (options: BootOptions): Promise<void> => {
  const { link, clock } = options;
  const say = sayHello({ link, clock, runtime: `bun ${Bun.version}` });
  const [{ runInmate }, { createBunDoorFrame }] = await Promise.all([readEars(), readDoor()]);
  const door = createDoor({ frame: createBunDoorFrame(), openStream: (label) => link.openStream(label) });
  const tools = createLateTools(options);
  const sayAndRead: Say = (body) => {
    say(body);
    if (body.type === "model-request") tools.read();
  };
  return runInmate({ link, say: sayAndRead, tools, door });
};

/** Reads in at once what is otherwise read when it is needed: for a machine that is kept before it is anyone's. */
export const readWholeInmate = async (): Promise<void> => {
  await Promise.all([readEars(), readHands(), readDoor()]);
};

const createLateTools = (options: BunToolsOptions): Tools & { read(): void } => {
  let isUsed = false;
  const tools = lazy(async () => (await readHands()).createBunTools(options));
  return {
    // Whoever calls one hears why it could not be read.
    read: () => {
      tools().catch(() => undefined);
    },
    async run(...call) {
      isUsed = true;
      return (await tools()).run(...call);
    },
    // Where none was called, none left anything running.
    stop: async (activation) => (isUsed ? (await tools()).stop(activation) : undefined),
  };
};
