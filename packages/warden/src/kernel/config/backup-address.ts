/** Parses the address of a backup target: `s3:`, `sftp:` or `file:`. */
import { HearthError } from "@hearth/protocol";
import { parseReference, type SecretReference } from "./reference.ts";
import { isLoopback } from "./text/server-text.ts";

export type BackupAddress =
  | {
      readonly kind: "s3";
      readonly bucket: string;
      readonly prefix: string;
      readonly endpoint: string;
      readonly region: string;
      readonly accessKeyId: SecretReference;
      readonly secretAccessKey: SecretReference;
    }
  | {
      readonly kind: "sftp";
      /** The SSH host as `user@host` or `host`. */
      readonly host: string;
      readonly port?: number;
      readonly folder: string;
      readonly identityFile?: string;
      readonly knownHosts?: string;
    }
  | { readonly kind: "file"; readonly folder: string };

/** Whether the text is an address and not a path. */
export const isBackupAddress = (text: string): boolean => /^(s3|sftp|file):/.test(text);

const PARAMETERS: Readonly<Record<BackupAddress["kind"], readonly string[]>> = {
  s3: ["endpoint", "region", "access_key_id", "secret_access_key"],
  sftp: ["identity_file", "known_hosts"],
  file: [],
};
const EXAMPLES: Readonly<Record<BackupAddress["kind"], string>> = {
  s3: "s3://BUCKET/PREFIX?endpoint=https://s3.example.com&region=REGION",
  sftp: "sftp://USER@HOST/FOLDER",
  file: "file:///mnt/share/hearth",
};

/**
 * Parses the address. Throws `config.invalid`, whose message never repeats a value that may be a
 * secret.
 */
export const parseBackupAddress = (text: string): BackupAddress => {
  const [, kind = "", location = "", query = ""] = /^(s3|sftp|file):\/\/([^?#]*)(?:\?(.*))?$/.exec(text) ?? [];
  if (kind !== "s3" && kind !== "sftp" && kind !== "file")
    throw invalidAddressError("the address of a backup target cannot be read", `Write one such as ${EXAMPLES.s3}`);
  const parameters = new URLSearchParams(query);
  const unknownParameter = [...parameters.keys()].find((name) => !PARAMETERS[kind].includes(name));
  if (unknownParameter !== undefined)
    throw invalidAddressError(
      `${kind}: has no parameter ${unknownParameter.slice(0, 40)}`,
      PARAMETERS[kind].length === 0 ? "Remove it." : `Known are: ${PARAMETERS[kind].join(", ")}.`,
    );
  if (kind === "s3") return parseS3(location, parameters);
  if (kind === "sftp") return parseSftp(location, parameters);
  if (!/^\/[^\0]+$/.test(location))
    throw invalidAddressError("file: needs an absolute path", `Write one such as ${EXAMPLES.file}`);
  return { kind, folder: decodeURIComponent(location).replace(/\/+$/, "") };
};

const invalidAddressError = (why: string, hint: string): HearthError =>
  new HearthError("config.invalid", `Backup target: ${why}.`, { hint });

const parseS3 = (location: string, parameters: URLSearchParams): BackupAddress => {
  const [, bucket, prefix = ""] = /^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(location) ?? [];
  if (bucket === undefined || prefix.split("/").some((part) => part === "." || part === ".."))
    throw invalidAddressError(
      "the bucket or the prefix after s3:// is not valid",
      `Use letters, digits, ".", "_" and "-": ${EXAMPLES.s3}`,
    );
  const region = parameters.get("region") ?? "us-east-1";
  if (!/^[a-z0-9-]{1,40}$/.test(region))
    throw invalidAddressError("the region is not valid", "Write one such as eu-central-1.");
  return {
    kind: "s3",
    bucket,
    prefix: prefix.replace(/^\/+|\/+$/g, ""),
    endpoint: parseEndpoint(parameters.get("endpoint") ?? `https://s3.${region}.amazonaws.com`),
    region,
    accessKeyId: referenceOf("access_key_id", parameters, "env:AWS_ACCESS_KEY_ID"),
    secretAccessKey: referenceOf("secret_access_key", parameters, "env:AWS_SECRET_ACCESS_KEY"),
  };
};

const parseEndpoint = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname.replace(/[[\]]/g, "")));
  if (url === undefined || !isSafe || url.username !== "" || url.password !== "" || url.search !== "")
    throw invalidAddressError(
      "the endpoint is not an https: address (http: only to this machine), or contains credentials",
      `Write one such as ${EXAMPLES.s3}`,
    );
  return url.href.replace(/\/$/, "");
};

const referenceOf = (name: string, parameters: URLSearchParams, fallback: string): SecretReference => {
  const reference = parseReference(parameters.get(name) ?? fallback);
  if (reference.kind === "refused") throw invalidAddressError(`${name} ${reference.why}`, reference.hint);
  if (reference.kind === "secret")
    throw invalidAddressError(
      `${name} is in the vault, which a restore on a new machine cannot open`,
      'Put it into an environment variable and write "env:NAME", or into a file and write "file:PATH".',
    );
  return reference;
};

const parseSftp = (location: string, parameters: URLSearchParams): BackupAddress => {
  // Neither part may begin with a hyphen, like an option of ssh.
  const [, host, port, folder = ""] =
    /^((?:[A-Za-z0-9_][\w.-]*@)?(?:[A-Za-z0-9_][\w.-]*|\[[0-9A-Fa-f:]+\]))(?::(\d{1,5}))?(\/[^\0\n\r"]+)$/.exec(
      location,
    ) ?? [];
  if (host === undefined)
    throw invalidAddressError("the user, the host or the folder after sftp:// is not valid", `Write ${EXAMPLES.sftp}`);
  const paths = ["identity_file", "known_hosts"].map((name) => {
    const path = parameters.get(name) ?? undefined;
    if (path !== undefined && !/^\/[^"\n\r\0%$]+$/.test(path))
      throw invalidAddressError(`${name} is not an absolute path`, `Write ?${name}=/PATH`);
    return path;
  });
  const [identityFile, knownHosts] = paths;
  return {
    kind: "sftp",
    host: host.replace(/[[\]]/g, ""),
    ...(port === undefined ? {} : { port: Number(port) }),
    folder: decodeURIComponent(folder).replace(/\/+$/, ""),
    ...(identityFile === undefined ? {} : { identityFile }),
    ...(knownHosts === undefined ? {} : { knownHosts }),
  };
};
