/** The fake backend, for tests of what uses cells: its inmate is whatever the test plays. Real in all else: links, ends, order. */
import { createLinkPair, type InmateFrame, type Link, LINK_VERSION, type WardenFrame } from "@hearth/protocol";
import { type Cell, type CellBackend, type CellSpec, NO_WALLS } from "./backend.ts";

/** The inmate's end of a cell that the fake opened. */
export interface FakeInmate {
  readonly spec: CellSpec;
  readonly link: Link<InmateFrame, WardenFrame>;
  /** Ends as a process does that was killed. */
  die(why: string): void;
  /** Answers no ping any more, as a stopped process does. */
  freeze(): void;
}

export interface FakeBackend extends CellBackend {
  /** Every cell that was opened, in order. */
  readonly inmates: readonly FakeInmate[];
}

/** `play` is called for each cell; without one the inmate says hello and nothing more. */
export const createFakeBackend = (play: (inmate: FakeInmate) => void = sayHello): FakeBackend => {
  const inmates: FakeInmate[] = [];
  return {
    kind: "fake",
    traits: { isolation: "none", snapshots: false },
    inmates,
    probe: async () => ({ ok: true, walls: NO_WALLS }),
    async open(spec): Promise<Cell> {
      const [link, inmateLink] = createLinkPair<WardenFrame, InmateFrame>();
      const gone = Promise.withResolvers<string | undefined>();
      const end = (why: string | undefined): void => {
        link.close();
        gone.resolve(why);
      };
      let isFrozen = false;
      const ping = (): Promise<void> => (isFrozen ? new Promise(() => undefined) : link.ping());
      const freeze = (): void => {
        isFrozen = true;
      };
      const inmate: FakeInmate = { spec, link: inmateLink, die: end, freeze };
      inmates.push(inmate);
      play(inmate);
      return { link: { ...link, ping }, walls: NO_WALLS, gone: gone.promise, close: async () => end(undefined) };
    },
  };
};

export const sayHello = (inmate: FakeInmate): void =>
  inmate.link.send({ type: "hello", id: 1, at: 0, version: LINK_VERSION, runtime: "fake" });
