/**
 * Who ends what a cell may leave behind: a shell of a few lines beside it, out of its reach, that holds one end of a tether. It waits for a
 * word on it, or for the end of the house, which is the end of the tether as well.
 */
import { writeSync } from "node:fs";

/** How often it looks for somebody who is still ending, a hundredth of a second apart. A process that waits for a disk may take long. */
const MAX_LOOKS = 500;

/**
 * Its command where it stands in a Landlock domain around the cell's: it has the tether as its stdin. A signal to everybody reaches those of
 * the domain alone, and all of them at once, whatever they have left and however they fork: what forks at that moment gets no child any more.
 * Nobody in the cell's own domain can send one out of it.
 */
export const DOMAIN_REAPER: readonly string[] = [
  ...["/bin/sh", "-c"],
  `read -r _
look=0
while [ $look -lt ${MAX_LOOKS} ]; do
  kill -s KILL -- -1
  left=
  for each in /proc/[1-9]*; do
    [ "$each" = "/proc/$$" ] && continue
    kill -s 0 "\${each#/proc/}" && read -r stat <"$each/stat" || continue
    # One that has ended and that nobody has looked after yet is none.
    case "\${stat##*) }" in [ZX]*) ;; *) left=$each; break ;; esac
  done
  [ "$left" = "" ] && exit
  look=$((look + 1))
  sleep 0.01
done`,
];

/**
 * Starts `argv` with one in its process group, which ends the group unless it is let go first. For a command with a child that waits for it
 * and has not asked to end with it. `files`: how many descriptors the command has from 3 on. The tether comes after them.
 */
export const inReapedGroup = (argv: readonly string[], files: number): readonly string[] => {
  const tether = FIRST_FILE + files;
  const closed = Array.from({ length: files + 1 }, (_, index) => `${FIRST_FILE + index}>&-`).join(" ");
  const script = `{ read -r word && [ "$word" = ${LET_GO} ] || kill -s KILL 0; } <&${tether} >/dev/null 2>&1 ${closed} &
exec "$@" ${tether}>&-`;
  return ["/bin/sh", "-c", script, "sh", ...argv];
};

const FIRST_FILE = 3;
const LET_GO = "go";

/** Lets it go: whatever it has waited for ends by itself from here on. `tether`: our end. */
export const letReaperGo = (tether: number): void => tell(tether, LET_GO);

/** Has it do its work, and waits until it has. At once where it has gone, or never came to be. */
export const reap = async (tether: number): Promise<void> => {
  tell(tether, "now");
  await Bun.file(tether)
    .text()
    .catch(() => undefined);
};

const tell = (tether: number, word: string): void => {
  try {
    writeSync(tether, `${word}\n`);
  } catch {
    // Nobody is there to hear it.
  }
};
