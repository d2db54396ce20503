/**
 * Runs the house under a watchdog, for service managers without a watchdog: a shell requests the
 * health of the house, and kills a house that no longer answers, so that the manager starts it again.
 */

export interface Watch {
  /** Seconds between two requests, and the maximum duration of each. */
  readonly everySeconds: number;
  /** Number of requests in a row without an answer after which the house is killed. */
  readonly maxFailures: number;
}

/** As with systemd: a minute without an answer. */
const WATCH: Watch = { everySeconds: 20, maxFailures: 3 };

/**
 * Returns the command. `urlFile` holds the address of the house. A house that has not answered yet
 * is not killed, because an update of its database can take long. Without curl, the script watches nothing.
 * The script is one line: the Task Scheduler keeps no line breaks.
 */
export const createWatchedCommand = (
  urlFile: string,
  command: readonly string[],
  { everySeconds, maxFailures }: Watch = WATCH,
): readonly string[] => {
  const healthRequest = `curl -fsS --noproxy '*' -m ${everySeconds} -o /dev/null "$(cat "$url")/healthz" 2>/dev/null`;
  const reportCommand = `echo 'hearth: the house gives no answer and is killed, so that it starts again' >&2`;
  const watch = [
    "command -v curl >/dev/null 2>&1 || exit 0",
    // Also ends the program for which it waits.
    "trap 'kill $current 2>/dev/null; exit 0' TERM",
    "failures=0",
    "known=",
    "while :",
    `do sleep ${everySeconds} & current=$!`,
    "wait $current",
    "kill -0 $house 2>/dev/null || exit 0",
    `${healthRequest} & current=$!`,
    "if wait $current",
    "then failures=0",
    "known=1",
    'elif [ -n "$known" ]',
    "then failures=$((failures+1))",
    `if [ $failures -ge ${maxFailures} ]`,
    `then ${reportCommand}`,
    "kill -KILL $house",
    "exit 0",
    "fi",
    "fi",
    "done",
  ];
  const script = [
    "url=$1",
    "shift",
    `watch() { ${joinLines(watch)}; }`,
    // The trap comes first: without it, a request to end would leave a house without its watchdog.
    "house=",
    "ended=",
    "trap 'ended=1; kill -TERM $house 2>/dev/null' TERM INT HUP",
    '"$@" & house=$!',
    '[ -z "$ended" ] || kill -TERM $house 2>/dev/null',
    "watch & watcher=$!",
    // A signal interrupts `wait`, and the house then needs time to stop.
    "while :",
    "do wait $house",
    "code=$?",
    "kill -0 $house 2>/dev/null || break",
    "done",
    "kill $watcher 2>/dev/null",
    "wait $watcher",
    "exit $code",
  ];
  return ["/bin/sh", "-c", joinLines(script), "hearth", urlFile, ...command];
};

/** Joins statements. */
const joinLines = (lines: readonly string[]): string => lines.join("; ");
