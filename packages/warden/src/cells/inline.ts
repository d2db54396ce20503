/**
 * A cell without isolation. The inmate runs in the warden's process, over a link in memory. It is
 * for tests, and for machines on which no other backend works.
 */
import { createLinkPair, type InmateFrame, type Link, type WardenFrame } from "@hearth/protocol";
import { type CellBackend, NO_WALLS } from "./backend.ts";

/**
 * Runs an inmate over a link until the link closes. The warden never imports an inmate, so the
 * caller passes this function.
 */
export type BootInmate = (options: {
  readonly link: Link<InmateFrame, unknown>;
  readonly workspace: string;
}) => Promise<void>;

export const createInlineBackend = (options: { readonly boot: BootInmate }): CellBackend => ({
  kind: "inline",
  traits: { isolation: "none", snapshots: false },
  probe: async () => ({ ok: true, walls: NO_WALLS }),
  async open(spec) {
    const [link, inmateSide] = createLinkPair<WardenFrame, InmateFrame>();
    const exited = options
      .boot({ link: inmateSide, workspace: spec.workspace })
      .then(() => undefined)
      .catch((error: unknown) => (error instanceof Error ? error.message : "the inmate broke"))
      .finally(() => link.close());
    return {
      link,
      walls: NO_WALLS,
      exited,
      async close() {
        link.close();
        await exited;
      },
    };
  },
});
