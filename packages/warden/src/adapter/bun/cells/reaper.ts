/**
 * The reaper ends processes that a cell may leave behind. It is a small shell script outside the
 * cell's reach, connected by a pipe called the tether. The reaper acts when it reads a command from
 * the tether, or when the house ends, which closes the tether.
 */
import { writeSync } from "node:fs";

/**
 * Maximum number of checks for processes that are still ending, a hundredth of a second apart. A
 * process that waits for a disk may take long.
 */
const MAX_CHECKS = 500;

/**
 * The reaper's command in a Landlock domain around the cell's domain. The tether is its stdin. A
 * signal to all processes reaches only those of the domain, all at once, whatever groups they left
 * and however they fork: a fork in that moment creates no child. Processes in the cell's inner
 * domain cannot signal out of it.
 */
export const DOMAIN_REAPER: readonly string[] = [
  ...["/bin/sh", "-c"],
  `read -r _
look=0
while [ $look -lt ${MAX_CHECKS} ]; do
  kill -s KILL -- -1
  left=
  for each in /proc/[1-9]*; do
    [ "$each" = "/proc/$$" ] && continue
    kill -s 0 "\${each#/proc/}" && read -r stat <"$each/stat" || continue
    # A zombie or dead process does not count.
    case "\${stat##*) }" in [ZX]*) ;; *) left=$each; break ;; esac
  done
  [ "$left" = "" ] && exit
  look=$((look + 1))
  sleep 0.01
done`,
];

/**
 * Starts `argv` with a reaper in its process group, which ends the group unless it is released
 * first. It is for a command with a child that waits for the command and is not yet set to end with
 * it. `files` is the number of descriptors that the command has from 3 on. The tether comes after
 * them.
 */
export const inReapedGroup = (argv: readonly string[], files: number): readonly string[] => {
  const tether = FIRST_FILE_FD + files;
  const closedDescriptors = Array.from({ length: files + 1 }, (_, index) => `${FIRST_FILE_FD + index}>&-`).join(" ");
  const script = `{ read -r word && [ "$word" = ${RELEASE_WORD} ] || kill -s KILL 0; } <&${tether} >/dev/null 2>&1 ${closedDescriptors} &
exec "$@" ${tether}>&-`;
  return ["/bin/sh", "-c", script, "sh", ...argv];
};

const FIRST_FILE_FD = 3;
const RELEASE_WORD = "go";

/** Releases the reaper, because from here on the child ends on its own. `tether` is the house's end of the pipe. */
export const releaseReaper = (tether: number): void => writeCommand(tether, RELEASE_WORD);

/**
 * Makes the reaper act, and waits until it has acted. Returns at once if the reaper has ended or
 * never started.
 */
export const reap = async (tether: number): Promise<void> => {
  writeCommand(tether, "now");
  await Bun.file(tether)
    .text()
    .catch(() => undefined);
};

const writeCommand = (tether: number, word: string): void => {
  try {
    writeSync(tether, `${word}\n`);
  } catch {
    // The reaper has ended.
  }
};
