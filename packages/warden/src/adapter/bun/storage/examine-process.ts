/** Process that checks the storage, so that the daemon is not blocked. Arguments: HOME [quick]. */
import { examineStorage } from "./examine.ts";

const [home = "", depth] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await examineStorage(home, { quick: depth === "quick" })));
