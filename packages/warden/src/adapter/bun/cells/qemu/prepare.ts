/**
 * The second half of `scripts/build-rootfs.sh`: boots a machine from the image, saves it as a
 * template, and opens a cell to check that it works.
 */
import { createBunClock } from "@hearth/inmate/bun/clock";
import { createQemuBackend } from "./qemu.ts";
import { createLog } from "../../../../kernel/log/log.ts";

const clock = createBunClock();
const startedAt = clock.monotonic();
console.error("rootfs: booting and testing the machine, which takes up to a minute without KVM ...");
const { ok, why } = await createQemuBackend({
  clock,
  log: createLog({ now: Date.now, level: "warn", sink: { write: (line) => console.error(line) } }),
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
}).probe();
const seconds = Math.round((clock.monotonic() - startedAt) / 1000);
console.error(ok ? `rootfs: a cell opens, after ${seconds} s` : `rootfs: it does not work`);
if (why !== undefined) console.error(`  ${why}`);
process.exit(ok ? 0 : 13);
