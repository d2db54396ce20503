/** Formats a systemd unit. See systemd.service(5), systemd.exec(5) and systemd.syntax(7). */
import { exitCodes } from "../exit-codes.ts";
import type { UnitSpec } from "./init-system.ts";

/** Exit codes of failures that a restart cannot fix. 10 and 11 come from scripts/setup.sh. */
const NO_RESTART_CODES = [exitCodes.usage, 10, 11, exitCodes.homeForeign, exitCodes.configInvalid];

/** Quotes a word of a command line, so that systemd expands no variables and specifiers in it. */
const quoteWord = (text: string): string =>
  `"${text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;

/** Quotes an assignment of `Environment=`, where `$` has no meaning. */
const quoteAssignment = (text: string): string => `"${text.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%")}"`;

/** Puts a text that is only shown on one line. */
const toSingleLine = (text: string): string => text.replace(/[\r\n]/g, " ").replaceAll("%", "%%");

/**
 * Directives that leave cells working. Cells create user, mount and process namespaces, mount
 * `/proc`, use `/dev/kvm` and compile code at run time, so `RestrictNamespaces`, the directives
 * that cover parts of `/proc`, `PrivateDevices` and `MemoryDenyWriteExecute` must stay away.
 */
const SANDBOX = [
  "NoNewPrivileges=yes",
  "LockPersonality=yes",
  "RestrictRealtime=yes",
  "SystemCallArchitectures=native",
  "SystemCallFilter=~@clock @cpu-emulation @module @obsolete @reboot @swap",
  "SystemCallErrorNumber=EPERM",
];

/** Directives for the system's manager only. A user's manager cannot mount without another user namespace. */
const SYSTEM_SANDBOX = ["ProtectSystem=full", "PrivateTmp=yes", "CapabilityBoundingSet="];

export const createUnit = (spec: UnitSpec, { system }: { readonly system: boolean }): string =>
  [
    "# Written by `hearth service install`, which replaces this file when it runs again.",
    "# For your own settings: systemctl edit",
    "[Unit]",
    `Description=Hearth (${toSingleLine(spec.home)})`,
    ...(system ? ["Wants=network-online.target", "After=network-online.target"] : []),
    "StartLimitIntervalSec=0",
    "",
    "[Service]",
    "Type=notify",
    "NotifyAccess=main",
    `ExecStart=${quoteWord(spec.program)} up --supervised --home ${quoteWord(spec.home)}`,
    `Environment=${quoteAssignment(`PATH=${spec.path}`)}`,
    ...(system ? [`User=${spec.user}`] : []),
    "UMask=0077",
    "",
    "# The house restarts when it fails or hangs. Since systemd 254, it waits longer after each failure.",
    "Restart=on-failure",
    "RestartSec=3s",
    "RestartSteps=6",
    "RestartMaxDelaySec=60s",
    `RestartPreventExitStatus=${NO_RESTART_CODES.join(" ")}`,
    "WatchdogSec=60s",
    "# The first start may install packages.",
    "TimeoutStartSec=15min",
    "TimeoutStopSec=90s",
    "KillMode=mixed",
    "",
    "# Limits for the house with all its cells. Each cell has its own control group inside this one.",
    "Delegate=yes",
    "OOMPolicy=continue",
    "MemoryMax=75%",
    "TasksMax=8192",
    "LimitNOFILE=65536",
    "",
    ...SANDBOX,
    ...(system ? SYSTEM_SANDBOX : []),
    "",
    "[Install]",
    `WantedBy=${system ? "multi-user.target" : "default.target"}`,
    "",
  ].join("\n");
