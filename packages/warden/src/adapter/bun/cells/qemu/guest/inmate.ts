/**
 * The inmate's entry in a machine. It waits, loaded and warm, until the host has turned the machine
 * into a cell, and then sends hello. Machine snapshots are taken while it waits here, so no code
 * before the wait may draw a random number.
 */
import { bootInmate, preloadInmate } from "@hearth/inmate/bun/boot";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { createByteLink, type InmateFrame } from "@hearth/protocol";
import { GO, WAITING } from "../wire.ts";
import { dropPrivileges } from "./drop-privileges.ts";
import { openPort } from "./port.ts";
import { rehearse } from "./rehearsal.ts";
import { waitForIdleThreads } from "./rest.ts";

const REHEARSAL_COUNT = 2;

const [path, workspace] = process.argv.slice(2);
if (path === undefined || workspace === undefined) throw new Error("usage: inmate.js PORT WORKSPACE");

dropPrivileges();
// A write beyond the file size limit then fails with an error instead of ending the inmate.
process.on("SIGXFSZ", () => undefined);

const clock = createBunClock();
process.chdir(workspace);
await preloadInmate();
for (let count = 0; count < REHEARSAL_COUNT; count += 1) await rehearse({ clock, workspace });
const port = openPort(path);
await waitForIdleThreads(clock);
port.say(WAITING);
port.take(GO.length);

// The engine's own generator was seeded before the wait and is the same in all cells of this
// machine.
Math.random = () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
await bootInmate({ link: createByteLink<InmateFrame>(port, "inmate"), clock, workspace });
process.exit(0);
