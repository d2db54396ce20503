/**
 * A separate program that restricts itself and its future children, and then becomes the inmate.
 * Its one argument is a `LandlockRequest` as JSON. Exits with 126 and a message when the kernel
 * refuses a restriction.
 */
import { dlopen, FFIType, ptr } from "bun:ffi";
import { closeSync, statSync } from "node:fs";
import { createSeccompFilter } from "../../../cells/seccomp.ts";
import type { Machine } from "../../../cells/system-calls.ts";
import { identityOf } from "../plain-folder.ts";
import { DOMAIN_REAPER } from "./reaper.ts";

export interface LandlockRequest {
  /**
   * Absolute paths that may be read and run, with everything below them. Missing ones are skipped.
   */
  readonly read: readonly string[];
  /** Absolute paths that may be read, run and written, with everything below them. */
  readonly write: readonly string[];
  /**
   * The workspace, which may also be written. The launch fails if the path leads to a folder with
   * another identity, because another process may have replaced it.
   */
  readonly workspace: { readonly path: string; readonly identity: string };
  /** Determines the numbers of system calls. */
  readonly machine: Machine;
  /** Its descriptor for the reaper. The inmate does not inherit it. */
  readonly tether: number;
  /** The program that the launcher becomes. The first element is an absolute path. */
  readonly argv: readonly string[];
}

/** All access rights to files: the sixteen bits that the kernel defines up to Landlock version 5. */
const ALL_RIGHTS = (1n << 16n) - 1n;
const READ_RIGHTS = 0b1101n;
/** Rights that apply to files. */
const FILE_RIGHTS = 0b111n | (1n << 14n) | (1n << 15n);
/** Rights to bind and connect by TCP. `SCOPES` covers abstract sockets and signals outside this process tree. */
const NETWORK = 3n;
const SCOPES = 3n;
const SIGNAL_SCOPE = 2n;
/** The first version that restricts signals. */
const MIN_VERSION = 6;

const CREATE_RULESET = 444;
const ADD_RULE = 445;
const RESTRICT_SELF = 446;
const PATH_BENEATH = 1;
const O_PATH = 0o10000000;
const O_CLOEXEC = 0o2000000;
const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;
const PR_SET_SECCOMP = 22;
const PR_CAPBSET_DROP = 24;
const PR_SET_NO_NEW_PRIVS = 38;
const LAST_CAPABILITY = 63;

const openLibrary = () => {
  const long = FFIType.i64;
  const declarations = {
    syscall: { args: [long, long, long, long, long], returns: long },
    prctl: { args: [FFIType.i32, FFIType.u64, FFIType.u64, FFIType.u64, FFIType.u64], returns: FFIType.i32 },
    open: { args: [FFIType.ptr, FFIType.i32], returns: FFIType.i32 },
    execv: { args: [FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
  } as const;
  try {
    return dlopen("libc.so.6", declarations).symbols;
  } catch {
    return dlopen(`libc.musl-${process.arch === "x64" ? "x86_64" : "aarch64"}.so.1`, declarations).symbols;
  }
};

const fail = (message: string): never => {
  console.error(message);
  process.exit(126);
};

const toCString = (value: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(`${value}\0`);

const restrictAndExec = (request: LandlockRequest): never => {
  const { syscall, prctl, open, execv } = openLibrary();
  const call = (number: number, ...values: readonly (number | bigint)[]): number => {
    const [first = 0, second = 0, third = 0, fourth = 0] = values;
    return Number(syscall(number, first, second, third, fourth));
  };
  const version = call(CREATE_RULESET, 0, 0, 1);
  if (version < MIN_VERSION) fail(`Landlock ${Math.max(version, 0)}`);

  const makeRules = (files: bigint, network: bigint, scoped: bigint): number => {
    const ruleset = call(CREATE_RULESET, ptr(new BigUint64Array([files, network, scoped])), 24, 0);
    return ruleset < 0 ? fail("could not create a ruleset") : ruleset;
  };
  const outerRuleset = makeRules(0n, 0n, SIGNAL_SCOPE);
  const ruleset = makeRules(ALL_RIGHTS, NETWORK, SCOPES);
  const allow = (path: string, rights: bigint, identity?: string): void => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return;
    const file = open(ptr(toCString(path)), O_PATH | O_CLOEXEC);
    if (identity !== undefined && identityOf(`/proc/self/fd/${file}`) !== identity)
      fail("the workspace's path leads to another folder");
    const rule = new DataView(new ArrayBuffer(12));
    rule.setBigUint64(0, stats.isDirectory() ? rights : rights & FILE_RIGHTS, true);
    rule.setInt32(8, file, true);
    if (file < 0 || call(ADD_RULE, ruleset, PATH_BENEATH, ptr(rule), 0) < 0) fail(`could not add a rule for ${path}`);
  };
  for (const path of request.read) allow(path, READ_RIGHTS);
  for (const path of request.write) allow(path, ALL_RIGHTS);
  allow(request.workspace.path, ALL_RIGHTS, request.workspace.identity);

  // This process becomes the inmate and keeps its id.
  const code = createSeccompFilter({ machine: request.machine, world: "host", inmate: process.pid });
  const filter = new DataView(new ArrayBuffer(16));
  filter.setUint16(0, code.length / 8, true);
  filter.setBigUint64(8, BigInt(ptr(code)), true);
  const argumentTexts = request.argv.map(toCString);
  const argv = new BigUint64Array([...argumentTexts.map((argument) => BigInt(ptr(argument))), 0n]);
  const [command] = argumentTexts;
  if (command === undefined) return fail("there is no command");

  // The process ends with its parent.
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  // Root keeps its user id, but loses all capabilities.
  for (let capability = 0; capability <= LAST_CAPABILITY; capability += 1) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) !== 0) fail("no_new_privs was refused");
  // Two nested domains: the reaper stays in the outer one, from which signals reach only the inner
  // one.
  if (call(RESTRICT_SELF, outerRuleset, 0) < 0) fail("Landlock was refused");
  Bun.spawn([...DOMAIN_REAPER], {
    env: { PATH: "/usr/bin:/bin" },
    cwd: "/",
    detached: true,
    stdio: [request.tether, "ignore", "ignore"],
  });
  closeSync(request.tether);
  if (call(RESTRICT_SELF, ruleset, 0) < 0) fail("Landlock was refused");
  if (prctl(PR_SET_SECCOMP, 2, ptr(filter), 0, 0) !== 0) fail("the kernel refused the seccomp filter");
  execv(ptr(command), ptr(argv));
  return fail("could not run the inmate's program");
};

if (import.meta.main) restrictAndExec(JSON.parse(process.argv[2] ?? "") as LandlockRequest);
