/** The second half of `scripts/build-rootfs.sh`: boots a machine from the image, keeps it, and opens a cell of it to see that it works. */
import { createBunClock } from "@hearth/inmate/bun/clock";
import { createQemuBackend } from "./qemu.ts";
import { createLog } from "../../../../kernel/log/log.ts";

const clock = createBunClock();
const startedAt = clock.monotonic();
console.error("rootfs: booting the machine and trying it out, up to a minute where there is no KVM ...");
const { ok, why } = await createQemuBackend({
  clock,
  log: createLog({ now: Date.now, level: "warn", sink: { write: (line) => console.error(line) } }),
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
}).probe();
const seconds = Math.round((clock.monotonic() - startedAt) / 1000);
console.error(ok ? `rootfs: a cell opens, after ${seconds} s` : `rootfs: it does not work`);
if (why !== undefined) console.error(`  ${why}`);
process.exit(ok ? 0 : 13);
