/** Process that examines the storage of a home. Arguments: HOME, and an `Examination` as JSON. */
import type { Examination } from "./examine-in-process.ts";

const [home = "", text = ""] = process.argv.slice(2);
const examination = JSON.parse(text) as Examination;

const examine = async (): Promise<unknown> => {
  switch (examination.kind) {
    case "measure":
      return (await import("./measure.ts")).measureStorage(home, examination.options);
    case "update":
      return (await import("../upgrade/update-report.ts")).reportUpdate(home);
    case "quick":
    case "deep":
      return (await import("./examine.ts")).examineStorage(home, { quick: examination.kind === "quick" });
  }
};
process.stdout.write(JSON.stringify(await examine()));
