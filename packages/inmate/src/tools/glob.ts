/** Finds files by a pattern for their paths. */
import { compareNames } from "./files.ts";
import { createPathFilter } from "./glob-pattern.ts";
import { showName } from "./path.ts";
import { type RunTool, success, WALK_LIMITS } from "./tool.ts";

const MAX_FILES = 200;

export const glob: RunTool<"glob"> = async ({ pattern, path = "." }, { files, compileGlob, signal }) => {
  const matches = createPathFilter(pattern, compileGlob);
  const { files: walkedFiles, complete } = await files.walk(path, { ...WALK_LIMITS, signal });
  const start = folderPrefix(path);
  const matchingFiles = walkedFiles
    .filter((file) => matches(file.path.slice(start.length)))
    .sort((a, b) => b.modifiedAt - a.modifiedAt || compareNames(a.path, b.path));
  const notes = [
    ...(matchingFiles.length > MAX_FILES ? [`[the newest ${MAX_FILES} of ${matchingFiles.length}]`] : []),
    ...(complete ? [] : ["[incomplete: not all folders were searched; name a subfolder]"]),
  ];
  const lines = matchingFiles.slice(0, MAX_FILES).map((file) => showName(file.path));
  return success([...(lines.length === 0 ? ["No files match."] : lines), ...notes].join("\n"));
};

/** Returns the prefix of a walk's paths, which are relative to the root. */
const folderPrefix = (path: string): string => {
  const folder = path.replace(/^\.\//, "").replace(/\/$/, "");
  return folder === "." || folder === "" ? "" : `${folder}/`;
};
