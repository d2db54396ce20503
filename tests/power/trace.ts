/**
 * Parses strace's output: the system calls of a daemon, with the order of their begins and ends.
 */

export interface Call {
  readonly name: string;
  /** Arguments and result as strace prints them. */
  readonly text: string;
  /** The lines on which the call began and ended. */
  readonly begin: number;
  readonly end: number;
}

export const TRACED = "fsync,fdatasync,pwrite64,rename,renameat,renameat2,sendto,writev,sendmsg,openat";

/** Overlapping calls have two lines: `… <unfinished ...>` and `<... name resumed>…`. */
export const parseTrace = (trace: string): readonly Call[] => {
  const open = new Map<string, { readonly name: string; readonly text: string; readonly begin: number }>();
  const calls: Call[] = [];
  for (const [line, said] of trace.split("\n").entries()) {
    const [, pid = "", text = ""] = /^(\d+)\s+(.*)$/.exec(said) ?? [];
    const resumed = /^<\.\.\. (\w+) resumed>(.*)$/.exec(text);
    const began = open.get(pid);
    if (resumed !== null && began !== undefined) {
      calls.push({ ...began, text: began.text + (resumed[2] ?? ""), end: line });
      open.delete(pid);
      continue;
    }
    const [, name = "", rest = ""] = /^(\w+)\((.*)$/.exec(text) ?? [];
    if (rest.endsWith("<unfinished ...>")) open.set(pid, { name, text: rest, begin: line });
    else if (name !== "") calls.push({ name, text: rest, begin: line, end: line });
  }
  return calls.sort((a, b) => a.begin - b.begin);
};

export const isSync = ({ name, text }: Call): boolean => /^f(data)?sync$/.test(name) && text.endsWith("= 0");
const isSend = ({ name }: Call): boolean => ["sendto", "writev", "sendmsg"].includes(name);

/** The first write to the WAL that contains this. */
export const writeOf = (calls: readonly Call[], what: RegExp): Call => {
  const found = calls.find(
    ({ name, text }) => name === "pwrite64" && text.includes("hearth.db-wal>") && what.test(text),
  );
  if (found === undefined) throw new Error(`${what} was never written to the WAL`);
  return found;
};

/** The first sync of the WAL that began after this write had ended, if there was one. */
export const syncAfter = (calls: readonly Call[], write: Call): Call | undefined =>
  calls.find((call) => isSync(call) && call.text.includes("hearth.db-wal>") && call.begin >= write.end);

/** The first send of this text through a socket. */
export const sendOf = (calls: readonly Call[], what: RegExp, after = 0): Call => {
  const found = calls.find((call) => isSend(call) && call.begin >= after && what.test(call.text));
  if (found === undefined) throw new Error(`${what} was never sent`);
  return found;
};
