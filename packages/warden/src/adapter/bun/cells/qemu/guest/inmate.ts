/**
 * The inmate's entry in a machine: waits, loaded and warm, until the host has made the machine a cell, and only then says hello. Whatever
 * is kept of a machine for others to start from is kept while it waits here, so nothing before the wait may draw a random number.
 */
import { bootInmate, readWholeInmate } from "@hearth/inmate/bun/boot";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { createByteLink, type InmateFrame } from "@hearth/protocol";
import { GO, WAITING } from "../wire.ts";
import { giveUp } from "./give-up.ts";
import { openPort } from "./port.ts";
import { rehearse } from "./rehearsal.ts";
import { comeToRest } from "./rest.ts";

const REHEARSALS = 2;

const [path, workspace] = process.argv.slice(2);
if (path === undefined || workspace === undefined) throw new Error("usage: inmate.js PORT WORKSPACE");

giveUp();
// A file that would grow beyond what the cell may write is then an error of that write, and not the inmate's end.
process.on("SIGXFSZ", () => undefined);

const clock = createBunClock();
process.chdir(workspace);
await readWholeInmate();
for (let count = 0; count < REHEARSALS; count += 1) await rehearse({ clock, workspace });
const port = openPort(path);
await comeToRest(clock);
port.say(WAITING);
port.take(GO.length);

// The engine's own generator was seeded before the wait, like that of every other cell of the same machine.
Math.random = () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
await bootInmate({ link: createByteLink<InmateFrame>(port, "inmate"), clock, workspace });
process.exit(0);
