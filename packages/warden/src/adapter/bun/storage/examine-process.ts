/** Process that examines the storage of a home. Arguments: HOME, and an `Examination` as JSON. */
import { examineStorage } from "./examine.ts";
import type { Examination } from "./examine-beside.ts";
import { measureStorage } from "./measure.ts";

const [home = "", text = ""] = process.argv.slice(2);
const asked = JSON.parse(text) as Examination;
const answer =
  asked.kind === "measure"
    ? await measureStorage(home, asked.options)
    : await examineStorage(home, { quick: asked.kind === "quick" });
process.stdout.write(JSON.stringify(answer));
