/** One way out of a cell, as data. */
import type { CellLimits, Wall } from "@hearth/protocol";
import type { CallTable } from "./system-calls.ts";

/**
 * Tried inside a cell by a command of the shell, in the workspace, with what `Surroundings` names in its environment. It prints `REACHED`
 * when it has got what the wall keeps from it, and leaves nothing behind that it has changed.
 */
export interface Escape {
  /** What would be reached, in words. */
  readonly name: string;
  readonly wall: Wall;
  /** For /bin/sh. */
  readonly script: string;
  /** Numbers of system calls that the script finds as `nr_NAME`. */
  readonly calls?: readonly (keyof CallTable)[];
  /** Of the cell that it is tried in, which is then its own. */
  readonly limits?: CellLimits;
  /** It is reached or not by a clock, which in a machine of its own runs on while the host keeps the machine waiting. */
  readonly clock?: true;
}

/** Programs that attempts run and that not every cell's image has. */
export const rarePrograms = ["perl", "renice", "su", "unshare"] as const;
export type RareProgram = (typeof rarePrograms)[number];

/** Those that this one runs. */
export const programsOf = ({ script }: Escape): readonly RareProgram[] =>
  rarePrograms.filter((name) => new RegExp(`\\b${name} `).test(script));

/** What stands on the host to be reached, by the names that a script has for it. `INMATE`, the process that runs it, is told as well. */
export interface Surroundings {
  /** The brain of the cell, as the cell sees it. */
  readonly BRAIN: string;
  /** A folder of the host's, with the file `canary` and the program `program`. */
  readonly HOST: string;
  /** The workspace of another agent, with the file `canary`. */
  readonly OTHER: string;
  /** A process of the host's that sleeps: `CANARY` is in its command and its environment. */
  readonly HOST_PID: string;
  /** Listening on the host's loopback, and answering `canary`. */
  readonly TCP_PORT: string;
  readonly UDP_PORT: string;
  /** Sockets of the host's that answer `canary`: by path, and by a name without one. */
  readonly UNIX_PATH: string;
  readonly UNIX_NAME: string;
  /** A word that stands nowhere else, and ends with seven hexadecimal digits. */
  readonly CANARY: string;
}

/**
 * For a script in perl, which can make any system call and is on every Debian. Without a module: what those have in them here is all that is
 * used of it, and a cell that is emulated takes longer to read one than to try.
 */
const PERL = `
sub AF_UNIX () { 1 } sub AF_INET () { 2 } sub AF_INET6 () { 10 }
sub SOCK_STREAM () { 1 } sub SOCK_DGRAM () { 2 } sub SOL_SOCKET () { 1 } sub SO_BROADCAST () { 6 }
sub inet_aton { pack "C4", split /[.]/, $_[0] }
sub sockaddr_in { pack "Sna4x8", AF_INET, @_ }
sub sockaddr_un { pack "SZ108", AF_UNIX, @_ }
$SIG{ALRM} = sub { exit 1 };
alarm 5;
sub reached { print "REACHED\\n"; exit 0 }
# The kernel did it, or would have if the arguments had been better.
sub passed { my ($result) = @_; reached() if $result >= 0 || !grep { $! + 0 == $_ } 1, 13, 38, 93, 97 }
sub nr { $ENV{"nr_$_[0]"} }
`;

/** Fits between the quotes of a shell: `text` has no single one. */
export const perl = (text: string): string => `perl -e '${PERL}${text}'`;

/** Reached when the file can be read. */
export const reads = (path: string): string => `head -c 1 ${path} 2>/dev/null | grep -q . && echo REACHED`;
/** Reached when the file can be opened to write. Nothing is written. */
export const opens = (path: string): string => `(: >>${path}) 2>/dev/null && echo REACHED`;
