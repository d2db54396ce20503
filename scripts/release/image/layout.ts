/**
 * Writes a container image as one file: the image layout of the OCI image specification 1.0
 * (https://github.com/opencontainers/image-spec/blob/v1.0.2/image-layout.md) in a `tar`.
 */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Entry, type Layer, tarOf } from "./layer.ts";

export interface ImageLayer extends Layer {
  /** Absolute path of the compressed layer. */
  readonly path: string;
  /** Says what made the layer, in the image's history. */
  readonly about: string;
}

export interface Image {
  /** Name and version, as `podman load` gives it to the image. */
  readonly reference: string;
  /** The processor in Go's words: `amd64` or `arm64`. */
  readonly architecture: string;
  /** Time of the sources, as RFC 3339. */
  readonly created: string;
  /** The command and settings of a container, as the specification's `config`. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly layers: readonly ImageLayer[];
}

const TYPE = "application/vnd.oci.image";

export const writeLayout = async (image: Image, path: string): Promise<void> => {
  const { reference, architecture, created, layers } = image;
  const config = json({
    created,
    architecture,
    os: "linux",
    config: image.config,
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ about }) => ({ created, created_by: about })),
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: `${TYPE}.manifest.v1+json`,
    config: describe(`${TYPE}.config.v1+json`, config),
    layers: layers.map(({ digest, size }) => ({ mediaType: `${TYPE}.layer.v1.tar+gzip`, digest, size })),
  });
  const index = json({
    schemaVersion: 2,
    mediaType: `${TYPE}.index.v1+json`,
    manifests: [
      Object.assign(describe(`${TYPE}.manifest.v1+json`, manifest), {
        platform: { architecture, os: "linux" },
        annotations: { "org.opencontainers.image.ref.name": reference },
      }),
    ],
  });
  const files: readonly (readonly [name: string, from: string | Uint8Array])[] = [
    ["oci-layout", json({ imageLayoutVersion: "1.0.0" })],
    ["index.json", index],
    [blobOf(digestOf(config)), config],
    [blobOf(digestOf(manifest)), manifest],
    ...layers.map((layer) => [blobOf(layer.digest), layer.path] as const),
  ];
  const folders: readonly Entry[] = ["blobs", "blobs/sha256"].map((folder) => ({ kind: "folder", path: folder }));
  const entries = files.map(([name, from]): Entry => ({ kind: "file", path: name, from, isProgram: false }));
  await pipeline(Readable.from(tarOf([...folders, ...entries])), createWriteStream(path));
};

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

const blobOf = (digest: string): string => `blobs/${digest.replace(":", "/")}`;

const describe = (mediaType: string, bytes: Uint8Array) => ({
  mediaType,
  digest: digestOf(bytes),
  size: bytes.length,
});
