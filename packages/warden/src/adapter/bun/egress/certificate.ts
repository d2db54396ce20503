/**
 * X.509 certificates of the house's authority: one for itself, and short-lived ones for the hosts
 * whose TLS it terminates.
 */
import { createHash, type KeyObject, randomBytes, sign } from "node:crypto";
import { parseAddress } from "../../../policy/network/address.ts";
import { bits, context, type Der, instant, integer, join, octets, oid, sequence, set, text, trueValue } from "./der.ts";

export interface CertificateRequest {
  readonly subject: string;
  readonly issuer: string;
  /** The public key that the certificate certifies. */
  readonly key: KeyObject;
  readonly issuerKey: { readonly public: KeyObject; readonly private: KeyObject };
  readonly from: number;
  readonly until: number;
  /**
   * The host name or address that the certificate is for. When absent, it is the certificate of an
   * authority, which cannot certify other authorities.
   */
  readonly host?: string;
}

const ECDSA_SHA256 = sequence(oid("1.2.840.10045.4.3.2"));
const SERIAL_SIZE = 16;

/** Returns DER. Keys are on P-256. */
export const writeCertificate = (request: CertificateRequest): Uint8Array => {
  const { subject, issuer, key, issuerKey, from, until } = request;
  const body = sequence(
    context(0, integer(Uint8Array.of(2)), true),
    integer(Uint8Array.from([64 | ((randomBytes(1)[0] ?? 0) >> 2), ...randomBytes(SERIAL_SIZE - 1)])),
    ECDSA_SHA256,
    nameOf(issuer),
    sequence(instant(from), instant(until)),
    nameOf(subject),
    toSpki(key),
    context(3, sequence(...extensionsOf(request)), true),
  );
  return sequence(body, ECDSA_SHA256, bits(sign("sha256", body, issuerKey.private)));
};

export const toPem = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der)
    .toString("base64")
    .replace(/.{1,64}/g, "$&\n")}-----END CERTIFICATE-----\n`;

const extensionsOf = ({ key, issuerKey, host }: CertificateRequest): readonly Der[] => {
  const ids = [
    extension("2.5.29.14", octets(keyId(key))),
    extension("2.5.29.35", sequence(context(0, keyId(issuerKey.public), false))),
  ];
  if (host === undefined) {
    return [
      ...ids,
      extension("2.5.29.19", sequence(trueValue, integer(Uint8Array.of(0))), "critical"),
      // The key may only sign certificates.
      extension("2.5.29.15", bits(Uint8Array.of(0b0000_0100), 2), "critical"),
    ];
  }
  const address = parseAddress(host);
  const name = address === undefined ? context(2, new TextEncoder().encode(host), false) : context(7, address, false);
  return [
    ...ids,
    extension("2.5.29.19", sequence(), "critical"),
    extension("2.5.29.15", bits(Uint8Array.of(0b1000_0000), 7), "critical"),
    // The certificate is for servers.
    extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.1"))),
    extension("2.5.29.17", sequence(name)),
  ];
};

const extension = (id: string, value: Der, critical?: "critical"): Der =>
  sequence(oid(id), ...(critical === undefined ? [] : [trueValue]), octets(value));

const nameOf = (commonName: string): Der => sequence(set(sequence(oid("2.5.4.3"), text(commonName))));
const toSpki = (key: KeyObject): Uint8Array => new Uint8Array(key.export({ type: "spki", format: "der" }));
const keyId = (key: KeyObject): Uint8Array =>
  new Uint8Array(
    createHash("sha256")
      .update(join([toSpki(key)]))
      .digest(),
  ).slice(0, 20);
