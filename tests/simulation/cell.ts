/**
 * An in-memory cell: the real inmate and loop, with tools on the simulated far side. Frames take
 * time.
 */
import { type InmateOptions, runInmate, sendHello } from "@hearth/inmate";
import { createByteLink, createLinkPair, type InmateFrame, type Link, type WardenFrame } from "@hearth/protocol";
import { isToolName, tools } from "@hearth/protocol/tools";
import type { CellBackend } from "@hearth/warden/memory-warden";
import { createPipePair } from "./byte-pipes.ts";
import type { Chance } from "./chance.ts";
import type { Families } from "./families.ts";
import { PADDING } from "./family-operations.ts";
import type { ToolWorld } from "./far-side.ts";
import { createLane, type Life } from "./life.ts";
import { pictureOf, subjectOf } from "./plan.ts";
import type { ApprovalDecisions } from "./approval-decisions.ts";

export interface Cells extends CellBackend {
  /** Kills an open cell. Returns whether there was one. */
  kill(): boolean;
  /** Kills an open cell in the middle of its next frame, if cells are byte pipes. */
  cut(): boolean;
}

/**
 * Creates a daemon's cell backend. `crosses` is called for each tool call before it takes effect.
 */
export const createCells = (options: {
  readonly life: Life;
  readonly toolWorld: ToolWorld;
  readonly decisions: Pick<ApprovalDecisions, "crosses">;
  readonly families: Families;
  readonly chance: Chance;
  /** Called when a cell is killed. */
  readonly killed: () => void;
}): Cells => {
  const { life, toolWorld, families, chance, killed } = options;
  const { crosses } = options.decisions;
  const open: (() => void)[] = [];
  const cuts: (() => void)[] = [];

  const hasPictures = families.has("uploads");
  const isLarge = families.has("large-bodies");
  // A cell's clock may differ from its daemon's.
  const cellSkewMs = families.has("own-clocks") ? chance.pick([0, -5000, 5000, 600_000]) : 0;
  const clock = { ...life.world.clock, now: () => life.world.clock.now() + cellSkewMs };

  /** Delays the frames of one direction and keeps their order. */
  const slow = <Sent extends { readonly type: string }>(
    side: string,
    send: (frame: Sent) => void,
    isCut: () => boolean,
  ): ((frame: Sent) => void) => {
    const lane = createLane();
    return (frame) => {
      void life.cross(`${side}.${frame.type}`, () => isCut() || send(frame), lane);
    };
  };

  return {
    kind: "simulated",
    traits: { isolation: "none", snapshots: false },
    probe: async () => ({ ok: true, walls: new Set() }),
    async open() {
      const pipes = families.has("cut-frames") ? createPipePair(chance) : undefined;
      const [wardenEnd, inmateEnd] =
        pipes === undefined
          ? createLinkPair<WardenFrame, InmateFrame>()
          : [createByteLink<WardenFrame>(pipes.warden, "warden"), createByteLink<InmateFrame>(pipes.inmate, "inmate")];
      const gone = Promise.withResolvers<string | undefined>();
      let cut = false;
      const end = (why: string | undefined): void => {
        if (cut) return;
        cut = true;
        open.splice(open.indexOf(kill), 1);
        if (cuts.includes(cutFrame)) cuts.splice(cuts.indexOf(cutFrame), 1);
        wardenEnd.close();
        gone.resolve(why);
      };
      const kill = (): void => {
        killed();
        end("it was killed");
      };
      open.push(kill);
      const cutFrame = (): void =>
        pipes?.cutNext(() => {
          killed();
          end("its pipe broke");
        });
      if (pipes !== undefined) cuts.push(cutFrame);
      const down = slow("warden", wardenEnd.send, () => cut);
      const up = slow("inmate", inmateEnd.send, () => cut);
      const inmateLink: Link<InmateFrame, unknown> = {
        ...inmateEnd,
        frames: inmateEnd.frames,
        send: up,
        close: () => end(undefined),
      };
      const cellTools: InmateOptions["tools"] = {
        async run(name, input, { key, again, signal }) {
          const effect = isToolName(name) ? tools[name].effect : "pure";
          const text = await life.cross(`tool.${effect}`, async () => {
            if (cut || signal.aborted) return "Stopped.";
            await crosses(key, input);
            return toolWorld.perform(life.name, effect, key, subjectOf(input), again);
          });
          const image = { type: "image/gif", data: pictureOf(subjectOf(input)) } as const;
          return {
            text: isLarge ? `${text} ${PADDING}` : text,
            failed: false,
            ...(hasPictures && text.endsWith(" is read") ? { image } : {}),
          };
        },
        inbox: {
          writeReceived: async () => {},
          writePermanent: async () => {},
          remove: async () => {},
          clear: async () => {},
        },
        stop: async () => {},
      };
      const say = sendHello({ link: inmateLink, clock, runtime: "simulated" });
      runInmate({ link: inmateLink, sendFrame: say, tools: cellTools }).then(
        () => end(undefined),
        (error: unknown) => end(String(error)),
      );
      return {
        link: {
          ...wardenEnd,
          frames: wardenEnd.frames,
          send(frame) {
            if (frame.type === "step-result" && frame.result.verdict === "run")
              toolWorld.released(life.name, frame.result.key);
            down(frame);
          },
          close: () => end(undefined),
        },
        walls: new Set(),
        exited: gone.promise,
        async close() {
          end(undefined);
        },
      };
    },
    kill() {
      const [first] = open;
      first?.();
      return first !== undefined;
    },
    cut() {
      const [first] = cuts;
      first?.();
      return first !== undefined;
    },
  };
};
