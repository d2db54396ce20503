/** Lists one folder. */
import type { Entry } from "./files.ts";
import { showName } from "./path.ts";
import { type RunTool, success } from "./tool.ts";

const MAX_ENTRIES = 500;

export const list: RunTool<"list"> = async ({ path = "." }, { files }) => {
  const { entries, total } = await files.list(path, MAX_ENTRIES);
  if (total === 0) return success("[empty folder]");
  const limitNote = total > MAX_ENTRIES ? [`[the first ${MAX_ENTRIES} of ${total}; \`glob\` finds the others]`] : [];
  return success([...entries.map(describeEntry), ...limitNote].join("\n"));
};

const describeEntry = (entry: Entry): string => {
  const name = showName(entry.name);
  switch (entry.kind) {
    case "folder":
      return `${name}/`;
    case "file":
      return `${name} ${entry.sizeBytes}`;
    case "link":
      return `${name} [link]`;
    case "other":
      return `${name} [not a file]`;
  }
};
