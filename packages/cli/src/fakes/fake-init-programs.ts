/**
 * Fakes the programs that control service managers, with the services in memory. The fakes behave as
 * the manual pages of the programs describe.
 */
import { readFileSync } from "node:fs";
import type { ProgramResult, Programs } from "../init/init-system.ts";

export interface FakeInitPrograms extends Programs {
  /** Every call: the program and its arguments as one text. */
  readonly calls: readonly string[];
  /** Ends the daemon of a running service with this exit code. */
  end(name: string, code: number): void;
  /** From now on, makes calls that begin with this text fail with this message. */
  refuse(call: string, message: string): void;
}

interface Service {
  running: boolean;
  exitCode: number;
  enabled: boolean;
}

const successResult = (out = ""): ProgramResult => ({ code: 0, out, err: "" });
const failureResult = (err: string, code = 1): ProgramResult => ({ code, out: "", err });
const PID = 4321;

export const createFakeInitPrograms = (): FakeInitPrograms => {
  /** The services that the managers have loaded, by name. */
  const services = new Map<string, Service>();
  const calls: string[] = [];
  const refusals: { readonly call: string; readonly message: string }[] = [];
  const load = (name: string): Service => {
    const service = services.get(name) ?? { running: false, exitCode: 0, enabled: false };
    services.set(name, service);
    return service;
  };
  const start = (name: string): void => {
    Object.assign(load(name), { running: true, exitCode: 0 });
  };

  const systemctl = (verb: string, args: readonly string[]): ProgramResult => {
    const name = args.find((word) => !word.startsWith("-")) ?? "";
    const service = services.get(name);
    switch (verb) {
      case "daemon-reload":
        return successResult();
      case "enable":
        load(name).enabled = true;
        return successResult();
      case "restart":
        start(name);
        return successResult();
      case "disable":
        services.delete(name);
        return successResult();
      case "show": {
        if (service === undefined)
          return successResult("LoadState=not-found\nActiveState=inactive\nMainPID=0\nNRestarts=0\n");
        const activeState = service.running ? "active" : service.exitCode === 0 ? "inactive" : "failed";
        return successResult(
          `LoadState=loaded\nActiveState=${activeState}\nMainPID=${service.running ? PID : 0}\nNRestarts=0\n`,
        );
      }
      default:
        return failureResult(`Unknown command verb ${verb}.`);
    }
  };

  const launchctl = (verb: string, args: readonly string[]): ProgramResult => {
    const name = args[0]?.split("/").at(-1) ?? "";
    const service = services.get(name);
    switch (verb) {
      case "enable":
        return successResult();
      case "bootstrap": {
        const label = /<key>Label<\/key><string>([^<]*)/.exec(readFileSync(args[1] ?? "", "utf8"))?.[1] ?? "";
        if (services.has(label)) return failureResult("Bootstrap failed: 5: Input/output error", 5);
        start(label);
        return successResult();
      }
      case "bootout":
        return services.delete(name) ? successResult() : failureResult("Boot-out failed: 3: No such process", 3);
      case "print":
        if (service === undefined) return failureResult("Could not find service", 113);
        return successResult(
          service.running
            ? `${name} = {\n\tstate = running\n\tpid = ${PID}\n}`
            : `${name} = {\n\tstate = not running\n\tlast exit code = ${service.exitCode}\n}`,
        );
      default:
        return failureResult("Unrecognized subcommand", 64);
    }
  };

  const schtasks = (verb: string, args: readonly string[]): ProgramResult => {
    const name = args[args.indexOf("/TN") + 1] ?? "";
    const service = services.get(name);
    if (verb === "/Create") {
      load(name);
      return successResult("SUCCESS: The scheduled task has been created.");
    }
    if (service === undefined) return failureResult("ERROR: The system cannot find the file specified.");
    switch (verb) {
      case "/Run":
        start(name);
        return successResult("SUCCESS");
      case "/End":
        service.running = false;
        return successResult("SUCCESS");
      case "/Delete":
        services.delete(name);
        return successResult("SUCCESS");
      case "/Query":
        return successResult(`"\\${name}","N/A","${service.running ? "Running" : "Ready"}"\r\n`);
      default:
        return failureResult("ERROR: Invalid argument/option");
    }
  };

  return {
    calls,
    end: (name, code) => {
      Object.assign(load(name), { running: false, exitCode: code });
    },
    refuse: (call, message) => {
      refusals.push({ call, message });
    },
    run(argv) {
      const call = argv.join(" ");
      calls.push(call);
      const refusal = refusals.find((candidate) => call.startsWith(candidate.call));
      if (refusal !== undefined) return Promise.resolve(failureResult(refusal.message));
      const [program = "", ...allArgs] = argv;
      const [verb = "", ...args] = allArgs.filter((word) => word !== "--user");
      const answers: Readonly<Record<string, () => ProgramResult>> = {
        systemctl: () => systemctl(verb, args),
        loginctl: () => successResult(),
        launchctl: () => launchctl(verb, args),
        "schtasks.exe": () => schtasks(verb, args),
        wslpath: () => successResult(`\\\\wsl.localhost\\Debian${args.at(-1)?.replaceAll("/", "\\")}\n`),
        getent: () =>
          args[0] === "alice" ? successResult("alice:x:1000:1000::/home/alice:/bin/sh\n") : failureResult("", 2),
      };
      return Promise.resolve(answers[program]?.() ?? failureResult(`${program} is not installed`, 127));
    },
  };
};
