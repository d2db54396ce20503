/** Places for copies of audit rows: a file of this machine, and a syslog server. */
import { constants, open, readFile } from "node:fs/promises";
import { connect as connectPlain, type Socket } from "node:net";
import { hostname } from "node:os";
import { connect as connectEncrypted } from "node:tls";
import type { AuditTarget } from "../../../kernel/audit/forward/target.ts";
import type { AuditTargetConfig } from "../../../kernel/config/text/audit-text.ts";

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;

/**
 * Appends to the file, creates it for this user only, and waits for the disk. The file may be
 * renamed or removed at any time. A line that a power cut left incomplete is ended, and is written
 * again as a whole.
 */
export const openFileTarget = (path: string): AuditTarget => ({
  async send(lines) {
    await using file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error(`${path} is not a file`);
    const lastByte = Buffer.alloc(1);
    if (stats.size > 0) await file.read(lastByte, 0, 1, stats.size - 1);
    const lineEnd = stats.size > 0 && lastByte.toString() !== "\n" ? "\n" : "";
    await file.writeFile(`${lineEnd}${lines.join("")}`);
    await file.datasync();
  },
});

type SyslogConfig = Extract<AuditTargetConfig, { readonly kind: "syslog" }>;

/** Maximum time for a server to accept a connection, or the lines of one call. */
const SEND_TIMEOUT_MS = 10_000;
/** Maximum time for a server to close the connection after the last line. */
const CLOSE_TIMEOUT_MS = 3000;

/**
 * Sends lines as messages of RFC 5424 (facility 13, log audit; severity 6), framed by their length
 * as RFC 6587 and RFC 5425 say. Syslog has no acknowledgement. Each call therefore uses one
 * connection and ends it: a server that closes its side without an error has read everything.
 */
export const openSyslogTarget = (
  config: SyslogConfig,
  { closeMs = CLOSE_TIMEOUT_MS }: { readonly closeMs?: number } = {},
): AuditTarget => ({
  async send(lines, signal) {
    const { host, port, isEncrypted, authority } = config;
    // The certificate is read for each connection, so that a renewed certificate applies to the next connection.
    const ca = authority === undefined ? {} : { ca: await readFile(authority, "utf8") };
    const socket = isEncrypted
      ? connectEncrypted({ host, port, ...ca, ...(isIp(host) ? {} : { servername: host }) })
      : connectPlain({ host, port });
    const abort = (): void => {
      socket.destroy(new Error("the house stops"));
    };
    signal.addEventListener("abort", abort, { once: true });
    try {
      await finish(socket, isEncrypted, lines.map(toMessage).join(""), closeMs);
    } finally {
      signal.removeEventListener("abort", abort);
      socket.destroy();
    }
  },
});

const isIp = (host: string): boolean => /^[\d.]+$|:/.test(host);

/** Resolves when the server has read the text, or has kept an intact connection open after it. */
const finish = (socket: Socket, isEncrypted: boolean, text: string, closeMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    let isWritten = false;
    socket.setTimeout(SEND_TIMEOUT_MS, () => {
      if (isWritten) resolve();
      else reject(new Error("the server takes no lines"));
    });
    socket.once("error", reject);
    socket.once("close", () => {
      if (isWritten) resolve();
      else reject(new Error("the server closed the connection before the last line"));
    });
    // Answers of the server are discarded, because unread answers would keep the connection open.
    socket.resume();
    socket.once(isEncrypted ? "secureConnect" : "connect", () => {
      socket.end(text, () => {
        isWritten = true;
        socket.setTimeout(closeMs);
      });
    });
  });

const PRIORITY = 13 * 8 + 6;

const toMessage = (line: string): string => {
  const { at, type } = JSON.parse(line) as { readonly at: number; readonly type: string };
  const message = `<${PRIORITY}>1 ${new Date(at).toISOString()} ${hostname()} hearth ${process.pid} ${type} - ${line.trimEnd()}`;
  return `${Buffer.byteLength(message)} ${message}`;
};
