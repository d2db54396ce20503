/** Addresses of backup targets: what they mean, and the error of a wrong one. */
import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { isBackupAddress, parseBackupAddress } from "./backup-address.ts";

const AWS = {
  accessKeyId: { kind: "env", name: "AWS_ACCESS_KEY_ID" },
  secretAccessKey: { kind: "env", name: "AWS_SECRET_ACCESS_KEY" },
};

const refusalOf = (text: string): { readonly message: string; readonly hint: string | undefined } => {
  try {
    parseBackupAddress(text);
  } catch (error) {
    if (isHearthError(error, "config.invalid")) return { message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error(`${text} was accepted`);
};

test.each([
  ["s3://house", true],
  ["sftp://host/folder", true],
  ["file:///mnt", true],
  ["/mnt/disk", false],
  ["backups/s3:", false],
  ["S3://house", false],
])("%j is an address and no path: %p", (text, isAddress) => {
  expect(isBackupAddress(text)).toBe(isAddress);
});

describe("an address", () => {
  test.each([
    ["s3://house", { prefix: "", region: "us-east-1", endpoint: "https://s3.us-east-1.amazonaws.com" }],
    ["s3://house/", { prefix: "" }],
    ["s3://house//a/b/", { prefix: "a/b" }],
    ["s3://house/a?region=eu-central-1", { prefix: "a", endpoint: "https://s3.eu-central-1.amazonaws.com" }],
    ["s3://house?endpoint=https://s3.example.com/", { endpoint: "https://s3.example.com" }],
    ["s3://house?endpoint=http://127.0.0.1:9000", { endpoint: "http://127.0.0.1:9000" }],
    ["s3://house?endpoint=http://[::1]:9000", { endpoint: "http://[::1]:9000" }],
    ["s3://house?access_key_id=env:ID", { accessKeyId: { kind: "env", name: "ID" } }],
    ["s3://house?secret_access_key=file:s3.key", { secretAccessKey: { kind: "file", path: "s3.key" } }],
  ])("of S3: %s", (text, expected) => {
    expect(parseBackupAddress(text)).toMatchObject({ kind: "s3", bucket: "house", ...AWS, ...expected });
  });

  test.each([
    ["sftp://ana@host/backups/", { host: "ana@host", folder: "/backups" }],
    ["sftp://host:2222/a%20b", { host: "host", port: 2222, folder: "/a b" }],
    ["sftp://ana@[::1]:22/a", { host: "ana@::1", port: 22, folder: "/a" }],
    [
      "sftp://host/a?identity_file=/keys/id&known_hosts=/keys/hosts",
      { host: "host", folder: "/a", identityFile: "/keys/id", knownHosts: "/keys/hosts" },
    ],
  ])("of SFTP: %s", (text, expected) => {
    expect(parseBackupAddress(text)).toEqual({ kind: "sftp", ...expected });
  });

  test.each([
    ["file:///mnt/share/hearth//", "/mnt/share/hearth"],
    ["file:///mnt/my%20disk", "/mnt/my disk"],
  ])("of a folder: %s", (text, folder) => {
    expect(parseBackupAddress(text)).toEqual({ kind: "file", folder });
  });
});

describe("a wrong address", () => {
  test.each([
    ["ftp://host/a", "the address of a backup target cannot be read"],
    ["s3:house", "the address of a backup target cannot be read"],
    ["s3://house#part", "the address of a backup target cannot be read"],
    ["s3://ab/../c", "the bucket or the prefix after s3:// is not valid"],
    ["s3://house/a/../b", "the bucket or the prefix after s3:// is not valid"],
    ["s3://house/./b", "the bucket or the prefix after s3:// is not valid"],
    ["s3://House", "the bucket or the prefix after s3:// is not valid"],
    ["s3://house?region=EU", "the region is not valid"],
    ["s3://house?endpoint=nowhere", "the endpoint is not an https: address"],
    ["s3://house?endpoint=http://s3.example.com", "the endpoint is not an https: address"],
    ["s3://house?endpoint=https://ana:canary@s3.example.com", "or contains credentials"],
    ["s3://house?endpoint=https://ana@s3.example.com", "or contains credentials"],
    ["s3://house?endpoint=https://:canary@s3.example.com", "or contains credentials"],
    ["s3://house?endpoint=https://s3.example.com%3Fkey=canary", "or contains credentials"],
    ["s3://house?access_key_id=canary", "access_key_id must be a reference"],
    ["s3://house?secret_access_key=canary", "secret_access_key must be a reference"],
    ["s3://house?secret_access_key=secret:CANARY", "secret_access_key is in the vault"],
    ["s3://house?password=canary", "s3: has no parameter password"],
    ["sftp://host", "the user, the host or the folder after sftp:// is not valid"],
    ["sftp://-oProxyCommand/a", "the user, the host or the folder after sftp:// is not valid"],
    ["sftp://ana@-host/a", "the user, the host or the folder after sftp:// is not valid"],
    ["sftp://host/a?identity_file=id", "identity_file is not an absolute path"],
    ["sftp://host/a?known_hosts=/a$b", "known_hosts is not an absolute path"],
    ["sftp://host/a?region=eu", "sftp: has no parameter region"],
    ["file://mnt", "file: needs an absolute path"],
    ["file:///", "file: needs an absolute path"],
    ["file:///mnt?endpoint=x", "file: has no parameter endpoint"],
  ])("%s: %s", (text, why) => {
    const { message, hint = "" } = refusalOf(text);
    expect(message).toStartWith("Backup target: ");
    expect(message).toContain(why);
    expect(`${message} ${hint}`.toLowerCase()).not.toContain("canary");
    expect(hint).not.toBe("");
  });

  test("gets a hint for its kind", () => {
    expect(refusalOf("file:///mnt?endpoint=x").hint).toBe("Remove it.");
    expect(refusalOf("sftp://host/a?region=eu").hint).toBe("Known are: identity_file, known_hosts.");
    expect(refusalOf("file://mnt").hint).toContain("file:///mnt/share/hearth");
    expect(refusalOf("sftp://host").hint).toContain("sftp://USER@HOST/FOLDER");
    expect(refusalOf("s3://House").hint).toContain("s3://BUCKET/PREFIX");
  });
});
