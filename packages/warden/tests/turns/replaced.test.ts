/**
 * A daemon is replaced by another one while its reply is on the way. Both believe that they are
 * alone, as after a failed lock.
 */
import { expect, test } from "bun:test";
import { bootInmate } from "@hearth/inmate/bun/boot";
import { until } from "@hearth/protocol/until";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createInlineBackend } from "../../src/cells/inline.ts";
import { createTestDisk, openTestHouse } from "../../src/fixtures/house.ts";
import { listsFirst } from "../../src/fixtures/talk.ts";

test("the end of its activation is refused, and no message is posted twice", async () => {
  using disk = createTestDisk();
  const { clock } = createBunWorld();
  const finished = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  // The cell's last frame is held back; by then every step is in the journal.
  const backend = createInlineBackend({
    boot: ({ link, workspace }) =>
      bootInmate({
        clock,
        workspace,
        link: {
          ...link,
          send(frame) {
            if (frame.type !== "finish") return link.send(frame);
            finished.resolve();
            void go.promise.then(() => link.send(frame));
          },
        },
      }),
  });
  const script = listsFirst({ text: "here" });
  const old = await openTestHouse({ disk, script, backend });
  await old.post("hi");
  await finished.promise;
  await using fresh = await openTestHouse({ disk, script });
  await fresh.until(2);
  go.resolve();
  await until(async () => (await old.ask("GET", "/api/status")).json.activations.running === 0);
  expect((await fresh.messages()).map(({ body }) => body.text)).toEqual(["hi", "here"]);
  await old[Symbol.asyncDispose]();
});
