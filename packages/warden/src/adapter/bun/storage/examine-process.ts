/** A process of its own for a look at the storage: it reads everything, and the daemon goes on meanwhile. Words: HOME [quick]. */
import { examineStorage } from "./examine.ts";

const [home = "", depth] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await examineStorage(home, { quick: depth === "quick" })));
