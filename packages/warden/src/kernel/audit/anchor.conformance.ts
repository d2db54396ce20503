/** The contract of `Anchor` as tests. */
import { describe, expect, test } from "bun:test";
import { chain, headOf, HOUSE } from "./fixtures.conformance.ts";
import type { Anchor } from "./heads.ts";

export interface AnchorHarness extends AsyncDisposable {
  readonly anchor: Anchor;
  /** Returns another daemon's view of the same anchor. */
  reopen(): Anchor;
}

export const anchorConformance = (name: string, open: () => Promise<AnchorHarness>): void => {
  const rows = chain(HOUSE, ["{}", "{}"]);
  const heads = [headOf(rows.slice(0, 1)), headOf(rows)];
  const [olderHeads, newerHeads] = heads.map((head) => [head]);

  describe(`anchor: ${name}`, () => {
    test("an anchor that was never written is empty, without an error", async () => {
      await using harness = await open();
      expect(await harness.anchor.read()).toEqual({ heads: [], lost: [], isBroken: false });
      await harness.anchor.setAside(1);
      expect(await harness.anchor.read()).toEqual({ heads: [], lost: [], isBroken: false });
    });

    test("the last heads written are read, also by another instance", async () => {
      await using harness = await open();
      await harness.anchor.write(olderHeads ?? []);
      await harness.anchor.write(newerHeads ?? []);
      for (const anchor of [harness.anchor, harness.reopen()])
        expect((await anchor.read()).heads).toEqual(newerHeads ?? []);
    });

    test("heads that were set aside stay, beside later ones", async () => {
      await using harness = await open();
      await harness.anchor.write(olderHeads ?? []);
      await harness.anchor.setAside(1);
      expect(await harness.anchor.read()).toEqual({ heads: [], lost: olderHeads ?? [], isBroken: false });
      await harness.anchor.write(newerHeads ?? []);
      expect(await harness.anchor.read()).toEqual({ heads: newerHeads ?? [], lost: olderHeads ?? [], isBroken: false });
      await harness.anchor.setAside(2);
      expect(await harness.reopen().read()).toEqual({ heads: [], lost: heads, isBroken: false });
    });
  });
};
