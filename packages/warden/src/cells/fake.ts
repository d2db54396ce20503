/**
 * The fake backend, for tests of code that uses cells. The test plays the inmate. Links and the
 * order of frames and ends are real.
 */
import { createLinkPair, type InmateFrame, type Link, LINK_VERSION, type WardenFrame } from "@hearth/protocol";
import { type Cell, type CellBackend, type CellSpec, NO_WALLS } from "./backend.ts";

/** The inmate's end of a cell that the fake opened. */
export interface FakeInmate {
  readonly spec: CellSpec;
  readonly link: Link<InmateFrame, WardenFrame>;
  /** Ends the cell like a killed process. */
  die(why: string): void;
  /** Stops answering pings, like a stopped process. */
  freeze(): void;
}

export interface FakeBackend extends CellBackend {
  /** Every cell that was opened, in order. */
  readonly inmates: readonly FakeInmate[];
}

/**
 * Creates the backend, which calls `play` for each cell. By default the inmate only sends hello.
 */
export const createFakeBackend = (play: (inmate: FakeInmate) => void = sayHello): FakeBackend => {
  const inmates: FakeInmate[] = [];
  return {
    kind: "fake",
    traits: { isolation: "none", snapshots: false },
    inmates,
    probe: async () => ({ ok: true, walls: NO_WALLS }),
    async open(spec): Promise<Cell> {
      const [link, inmateLink] = createLinkPair<WardenFrame, InmateFrame>();
      const exit = Promise.withResolvers<string | undefined>();
      const end = (why: string | undefined): void => {
        link.close();
        exit.resolve(why);
      };
      let isFrozen = false;
      const ping = (): Promise<void> => (isFrozen ? new Promise(() => undefined) : link.ping());
      const freeze = (): void => {
        isFrozen = true;
      };
      const inmate: FakeInmate = { spec, link: inmateLink, die: end, freeze };
      inmates.push(inmate);
      play(inmate);
      return { link: { ...link, ping }, walls: NO_WALLS, exited: exit.promise, close: async () => end(undefined) };
    },
  };
};

export const sayHello = (inmate: FakeInmate): void =>
  inmate.link.send({ type: "hello", id: 1, at: 0, version: LINK_VERSION, runtime: "fake" });
