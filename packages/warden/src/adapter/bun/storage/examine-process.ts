/** Process that examines the storage of a home. Arguments: HOME, and an `Examination` as JSON. */
import { examineStorage } from "./examine.ts";
import type { Examination } from "./examine-in-process.ts";
import { measureStorage } from "./measure.ts";

const [home = "", text = ""] = process.argv.slice(2);
const examination = JSON.parse(text) as Examination;
const answer =
  examination.kind === "measure"
    ? await measureStorage(home, examination.options)
    : await examineStorage(home, { quick: examination.kind === "quick" });
process.stdout.write(JSON.stringify(answer));
