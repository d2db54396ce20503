/** Security findings about the home: files, config, secrets, audit log. */
import { isLoopback, type ProviderConfig } from "../../kernel/index.ts";
import type { SecurityFinding, Severity } from "@hearth/protocol";
import type { StoredSecret, HomeFile, SecurityView } from "./view.ts";
import { joinWords, quoteShellWord, commandFix } from "./words.ts";

export const findInHome = (view: SecurityView): readonly SecurityFinding[] => [
  ...checkFiles(view),
  ...checkServer(view),
  ...checkConfig(view),
  ...checkVault(view),
  ...view.secrets.flatMap((secret) => checkSecret(view, secret)),
  ...checkAudit(view),
];

/** Matches the most sensitive files. */
const SENSITIVE_FILES =
  /^(?:\.|hearth\.db(?:-.*)?|keys(?:\/.*)?|vault(?:\/.*)?|run(?:\/token)?|egress(?:\/.*\.key)?|backups?(?:\/.*)?|.*\.backup|hearth\.toml\..*)$/;
const OTHERS_MASK = 0o077;

const checkFiles = ({ files = [], home }: SecurityView): readonly SecurityFinding[] => {
  const folder = files.find(({ path }) => path === ".");
  // If others cannot enter the folder, the modes of its files do not matter.
  const isFolderClosed = folder !== undefined && (folder.mode & OTHERS_MASK) === 0 && folder.isOurs;
  return files.flatMap((file) => {
    const isOpen = (file.mode & OTHERS_MASK) !== 0;
    if (!isOpen && file.isOurs) return [];
    const where = file.path === "." ? home : `${home}/${file.path}`;
    return [
      {
        id: "file.mode",
        severity: severityOf(file, isFolderClosed),
        where,
        what: isOpen
          ? `Other users of this machine can ${describeMode(file)} this ${file.kind} (mode ${file.mode.toString(8).padStart(4, "0")})${isFolderClosed ? ", but they cannot enter the home folder" : ""}.`
          : `This ${file.kind} belongs to another user, who can change its mode and content.`,
        fix: commandFix(isOpen ? `chmod go-rwx ${quoteShellWord(where)}` : `chown "$(id -u)" ${quoteShellWord(where)}`),
      },
    ];
  });
};

const severityOf = ({ path, kind, mode }: HomeFile, isFolderClosed: boolean): Severity => {
  // Others could change the house's behaviour or read its secrets.
  const isSensitive = SENSITIVE_FILES.test(path) || (mode & 0o022) !== 0;
  if (isFolderClosed) return "low";
  return isSensitive ? "high" : kind === "folder" ? "medium" : "low";
};

const describeMode = ({ mode }: HomeFile): string =>
  joinWords([
    ...((mode & 0o044) === 0 ? [] : ["read"]),
    ...((mode & 0o022) === 0 ? [] : ["write"]),
    ...((mode & 0o055) === 0o011 || (mode & 0o077) === 0o010 || (mode & 0o077) === 0o001 ? ["enter"] : []),
  ]) || "access";

const checkServer = ({ config, placeOf }: SecurityView): readonly SecurityFinding[] => {
  const { host, publicUrl, tls, trustedProxies } = config.server;
  const isPlain = publicUrl?.startsWith("http:") === true && !isLoopback(hostnameOf(publicUrl));
  const wideProxies = trustedProxies.filter(isWide);
  return [
    ...(isPlain
      ? [
          {
            id: "server.http",
            severity: "high",
            where: placeOf(["server", "public_url"]),
            what: `Browsers use ${publicUrl} without TLS: anyone on the network path can read passwords, keys and messages.`,
            fix: {
              kind: "config",
              section: "server",
              key: "public_url",
              line: `public_url = "${publicUrl.replace(/^http:/, "https:")}"`,
            },
            instead: "Let a proxy terminate TLS, or set tls_cert and tls_key. docs/operations.md has samples.",
          } satisfies SecurityFinding,
        ]
      : []),
    ...(isLoopback(host) || tls !== undefined
      ? []
      : [
          {
            id: "server.open",
            severity: "medium",
            where: placeOf(["server", "host"]),
            what: `The house takes requests from ${joinWords(trustedProxies)} without TLS: anyone on the network path to the proxy can read keys and messages.`,
            fix: { kind: "config", section: "server", key: "host", line: 'host = "127.0.0.1"' },
            instead: "Run the proxy on this machine, or set tls_cert and tls_key.",
          } satisfies SecurityFinding,
        ]),
    ...(wideProxies.length === 0
      ? []
      : [
          {
            id: "server.proxies",
            severity: "medium",
            where: placeOf(["server", "trusted_proxies"]),
            what: `Every machine of ${joinWords(wideProxies)} can invent the addresses that limits of failed logins count.`,
            fix: {
              kind: "config",
              section: "server",
              key: "trusted_proxies",
              line: 'trusted_proxies = ["127.0.0.1"]',
            },
            instead: "Write the address of each proxy.",
          } satisfies SecurityFinding,
        ]),
  ];
};

const hostnameOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, "");

/** Whether the network has more than 256 addresses, or in IPv6 more than one network. */
const isWide = (network: string): boolean => {
  const [address = "", bits] = network.split("/");
  return bits !== undefined && Number(bits) < (address.includes(":") ? 64 : 24);
};

const checkConfig = ({ config, placeOf }: SecurityView): readonly SecurityFinding[] => [
  ...(config.server.loopbackWebhooks
    ? [
        {
          id: "server.loopback-webhooks",
          severity: "low",
          where: placeOf(["server", "loopback_webhooks"]),
          what: "Webhooks of subscriptions can reach programs on this machine.",
          fix: { kind: "config", section: "server", key: "loopback_webhooks" },
        } satisfies SecurityFinding,
      ]
    : []),
  ...(config.egress.loopback
    ? [
        {
          id: "egress.loopback",
          severity: "low",
          where: placeOf(["egress", "loopback"]),
          what: "Network access of agents can include programs on this machine.",
          fix: { kind: "config", section: "egress", key: "loopback" },
          change: { kind: "edit-settings", values: { "egress.loopback": null } },
        } satisfies SecurityFinding,
      ]
    : []),
  ...(config.store.durability === "power"
    ? []
    : [
        {
          id: "store.durability",
          severity: "low",
          where: placeOf(["store", "durability"]),
          what: "A power cut can lose accepted messages and rows of the audit log.",
          fix: { kind: "config", section: "store", key: "durability", line: 'durability = "power"' },
        } satisfies SecurityFinding,
      ]),
  ...[...config.providers].flatMap(([name, provider]) =>
    isInTheClear(provider)
      ? [
          {
            id: "provider.plain",
            severity: "high",
            where: placeOf(["providers", name, "base_url"]),
            what: `Requests to provider ${name} use plain HTTP: anyone on the network path can read its key and all messages.`,
            fix: {
              kind: "config",
              section: `providers.${name}`,
              key: "base_url",
              line: `base_url = "${(provider.baseUrl ?? "").replace(/^http:/, "https:")}"`,
            },
          } satisfies SecurityFinding,
        ]
      : [],
  ),
];

const isInTheClear = ({ baseUrl }: ProviderConfig): boolean => {
  const url = baseUrl === undefined ? null : URL.parse(baseUrl);
  return url !== null && url.protocol === "http:" && !isLoopback(hostnameOf(url.href));
};

const checkVault = ({ vault }: SecurityView): readonly SecurityFinding[] => {
  const where = "the vault's key";
  switch (vault.state) {
    case "empty":
      return [];
    case "locked":
      return [
        {
          id: "vault.locked",
          severity: "medium",
          where,
          what: `Secrets cannot be used or redacted: ${vault.why}.`,
          fix: commandFix("hearth secret key"),
          instead: vault.fix,
        } satisfies SecurityFinding,
      ];
    case "open":
      return vault.source === "file"
        ? [
            {
              id: "vault.key-file",
              severity: "low",
              where,
              what: "The key that encrypts the secrets is a file in the home folder. Everyone who has a copy of the folder can decrypt them.",
              fix: commandFix("hearth secret key passphrase"),
              instead:
                "Hearth then asks for the passphrase at each start. To use the system keyring instead: hearth secret key keyring.",
            } satisfies SecurityFinding,
          ]
        : [];
  }
};

const MONTH_MS = 30 * 24 * 60 * 60_000;

const checkSecret = (view: SecurityView, { house, name, setAt, grants }: StoredSecret): readonly SecurityFinding[] => {
  const handleOf = (id: string): string => view.agents.find((agent) => agent.id === id)?.handle ?? id;
  const houseFlag =
    view.houses.length > 1 ? ` --house ${view.houses.find(({ id }) => id === house)?.handle ?? house}` : "";
  const where = `secret ${name}`;
  const holderOf = (id: string): string => (id === "providers" ? "the providers" : `@${handleOf(id)}`);
  const flagsOf = (id: string): string => (id === "providers" ? "--providers" : `--agent ${handleOf(id)}`);
  const wideFindings = grants.flatMap(({ id, agent, host, plain }) => {
    if (!host.startsWith("*.") && plain !== true) return [];
    return [
      {
        id: "secret.wide",
        severity: plain === true ? "high" : "medium",
        where: `${where} for ${host}`,
        what:
          plain === true
            ? `Requests of ${holderOf(agent)} to ${host} send this secret over plain HTTP: anyone on the network path can read it.`
            : `Requests of ${holderOf(agent)} to all subdomains of ${host.slice(2)} send this secret.`,
        fix: commandFix(`hearth secret revoke ${name} ${flagsOf(agent)} --host ${quoteShellWord(host)}${houseFlag}`),
        change: { kind: "revoke-secret", house, name, grant: id },
        instead: "Then grant it again, over TLS and only for the host that needs it.",
      } satisfies SecurityFinding,
    ];
  });
  if (view.referencedSecrets.has(name)) return wideFindings;
  const removal = {
    fix: commandFix(`hearth secret remove ${name}${houseFlag}`),
    change: { kind: "remove-secret", house, name },
  } as const;
  if (grants.length === 0)
    return [
      {
        id: "secret.unused",
        severity: "low",
        where,
        what: "This secret has no grant, and neither hearth.toml nor a webhook uses it.",
        ...removal,
      } satisfies SecurityFinding,
    ];
  const isUsed = grants.some(({ agent }) => view.usedSecrets.has(`${agent} ${name}`));
  if (isUsed || view.now - setAt < MONTH_MS) return wideFindings;
  return [
    ...wideFindings,
    {
      id: "secret.unused",
      severity: "low",
      where,
      what: "This secret has a grant, but no recorded request used it.",
      ...removal,
    } satisfies SecurityFinding,
  ];
};

const checkAudit = ({ audit, houses, home }: SecurityView): readonly SecurityFinding[] =>
  audit.flatMap(({ house, faults, isAnchorLost }): readonly SecurityFinding[] => {
    if (faults.length === 0) return [];
    const handle = houses.find(({ id }) => id === house)?.handle ?? house;
    const findingFields = {
      severity: "high",
      where: `audit log of house ${handle}`,
      what: faults.slice(0, 3).join(" "),
    } as const;
    if (isAnchorLost)
      return [
        {
          id: "audit.anchor",
          ...findingFields,
          fix: commandFix(`mv ${quoteShellWord(home)}/audit/*.json "$HOME"/`),
          instead:
            "Restore the previous file, or find out which program changed it. Hearth creates a new anchor at its next start.",
        },
      ];
    return [
      {
        id: "audit.broken",
        ...findingFields,
        fix: commandFix(`hearth audit verify --house ${handle}`),
        instead:
          "If you restored a backup, move audit/lost-*.json out of the home folder. Otherwise another program wrote to the log.",
      },
    ];
  });
