/**
 * The house's certificate authority, which is created once per home. Its key never leaves the home.
 * Cells trust its certificate.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { lazy, HearthError } from "@hearth/protocol";
import { replaceFile } from "../replace-file.ts";
import { toPem, writeCertificate } from "./certificate.ts";

export interface Leaf {
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
}

export interface Authority {
  /** PEM. */
  certificate(): Promise<string>;
  /** Returns a certificate for a host or an address, which is reused until shortly before it expires. */
  leafFor(host: string): Promise<Leaf>;
}

const DAY_MS = 24 * 60 * 60_000;
const AUTHORITY_DAYS = 3650;
const LEAF_DAYS = 7;
/** Certificates are valid from a day earlier, for cells whose clock is slow. */
const BACKDATED_DAYS = 1;
const AUTHORITY_NAME = "Hearth egress";
/** Maximum number of hosts in the cache. */
const MAX_LEAVES = 500;

/**
 * Creates the authority. `folder` is created if it is missing. Throws `store.damaged` for an
 * invalid key, which is never overwritten.
 */
export const createAuthority = ({
  folder,
  now,
}: {
  readonly folder: string;
  readonly now: () => number;
}): Authority => {
  const keyPath = join(folder, "authority.key");
  const certificatePath = join(folder, "authority.pem");

  const createKeyPair = (): KeyPair => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    return { private: privateKey, public: publicKey };
  };
  const certify = (pair: KeyPair): string =>
    toPem(
      writeCertificate({
        subject: AUTHORITY_NAME,
        issuer: AUTHORITY_NAME,
        key: pair.public,
        issuerKey: pair,
        from: now() - BACKDATED_DAYS * DAY_MS,
        until: now() + AUTHORITY_DAYS * DAY_MS,
      }),
    );

  const open = lazy(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const storedKey = await readIfThere(keyPath);
    const pair = storedKey === undefined ? createKeyPair() : readPair(storedKey, keyPath);
    if (storedKey === undefined) await replaceFile(keyPath, toPkcs8(pair.private));
    const storedCertificate = await readIfThere(certificatePath);
    if (storedCertificate !== undefined && isValidCertificate(storedCertificate, pair, now() + LEAF_DAYS * DAY_MS))
      return { pair, certificate: storedCertificate };
    const certificate = certify(pair);
    await replaceFile(certificatePath, certificate);
    return { pair, certificate };
  });
  /** One key for all leaf certificates of this run. It is never written to the disk. */
  const leafPair = lazy(async () => createKeyPair());
  const leaves = new Map<string, { readonly leaf: Leaf; readonly until: number }>();

  return {
    certificate: async () => (await open()).certificate,
    async leafFor(host) {
      const cachedLeaf = leaves.get(host);
      if (cachedLeaf !== undefined && cachedLeaf.until - DAY_MS > now()) return cachedLeaf.leaf;
      const [{ pair, certificate }, leafKeys] = await Promise.all([open(), leafPair()]);
      const until = now() + LEAF_DAYS * DAY_MS;
      const der = writeCertificate({
        // A name that is too long for the subject is still in the certificate's host names.
        subject: host.slice(0, 64),
        issuer: AUTHORITY_NAME,
        key: leafKeys.public,
        issuerKey: pair,
        from: now() - BACKDATED_DAYS * DAY_MS,
        until,
        host,
      });
      const leaf: Leaf = { key: toPkcs8(leafKeys.private), certificate: toPem(der) + certificate };
      const [oldest] = leaves.keys();
      if (leaves.size >= MAX_LEAVES && oldest !== undefined) leaves.delete(oldest);
      leaves.set(host, { leaf, until });
      return leaf;
    },
  };
};

interface KeyPair {
  readonly private: KeyObject;
  readonly public: KeyObject;
}

const toPkcs8 = (key: KeyObject): string => String(key.export({ type: "pkcs8", format: "pem" }));

const readPair = (pem: string, path: string): KeyPair => {
  try {
    const key = createPrivateKey(pem);
    return { private: key, public: createPublicKey(key) };
  } catch (cause) {
    throw new HearthError("store.damaged", `${path} does not contain a valid key.`, {
      hint: "Move the file elsewhere to let the house create a new key.",
      cause,
    });
  }
};

const isValidCertificate = (pem: string, pair: KeyPair, at: number): boolean => {
  try {
    const certificate = new X509Certificate(pem);
    return certificate.verify(pair.public) && Date.parse(certificate.validTo) > at;
  } catch {
    return false;
  }
};

const readIfThere = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
};
