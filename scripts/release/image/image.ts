/** Makes the container image of a release: Debian's libraries and tools in one layer, Hearth in another. */
import { lstatSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { filesIn } from "../archive.ts";
import { findRuntime, type Platform } from "../platforms.ts";
import { writeProgramFolder } from "../program-folder.ts";
import { run } from "../run.ts";
import { copyThirdParty } from "../third-party.ts";
import { debianEntries, type DebianPackage, findDebianPackages, MERGED } from "./debian.ts";
import { type Entry, writeLayer } from "./layer.ts";
import { writeLayout } from "./layout.ts";

export interface ImageOptions {
  readonly root: string;
  readonly version: string;
  readonly platform: Platform;
  /** An existing folder for intermediate files. Its path leaves no trace in the result. */
  readonly scratch: string;
  readonly outfile: string;
}

/** Packages that the runtime, the embedder and cells load, and tools for the agent's shell. */
const PACKAGES = [
  ...["base-files", "bash", "bubblewrap", "ca-certificates", "coreutils", "dash", "diffutils", "findutils"],
  ...["grep", "gzip", "libc6", "libstdc++6", "mawk", "procps", "sed", "tar"],
];
/** The user of the house in a container. */
const USER = 1000;
const PORT = 18_789;
/** Folder of Hearth. It is outside of `/usr`, which cells see. */
const PLACE = "opt/hearth";
const ANYONE_WRITES = 0o1777;
const PRIVATE = 0o700;
const CERTIFICATES = "usr/share/ca-certificates/";

const ETC: Readonly<Record<string, string>> = {
  passwd: `root:x:0:0:root:/root:/bin/sh\nhearth:x:${USER}:${USER}:hearth:/data:/bin/sh\n`,
  group: `root:x:0:\nhearth:x:${USER}:\n`,
  "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
};

/** Writes the image, and returns the Debian packages that it took files from. */
export const buildImage = async (options: ImageOptions): Promise<readonly DebianPackage[]> => {
  const { root, version, platform, outfile } = options;
  const scratch = join(options.scratch, "image");
  await mkdir(scratch);
  const packages = await findDebianPackages(PACKAGES);
  const [system, hearth] = [join(scratch, "system"), join(scratch, "hearth")];
  const created = (await run(["git", "log", "-1", "--format=%cI"], root)).trim();
  await writeLayout(
    {
      reference: `localhost/hearth:${version}`,
      architecture: platform.arch === "x64" ? "amd64" : "arm64",
      created,
      config: configOf(version),
      layers: [
        {
          ...{ path: system, about: "files of Debian packages" },
          ...(await writeLayer(await systemEntries(packages), system)),
        },
        {
          ...{ path: hearth, about: `hearth ${version}` },
          ...(await writeLayer(await hearthEntries(options, join(scratch, "programs")), hearth)),
        },
      ],
    },
    outfile,
  );
  await rm(scratch, { recursive: true });
  return packages;
};

const configOf = (version: string) => ({
  User: `${USER}:${USER}`,
  ExposedPorts: { [`${PORT}/tcp`]: {} },
  Env: [`PATH=/${PLACE}:/usr/bin:/bin`, "HEARTH_HOME=/data", "HOME=/tmp", "LANG=C.UTF-8"],
  Entrypoint: [`/${PLACE}/hearth`],
  Cmd: ["up"],
  Volumes: { "/data": {} },
  WorkingDir: "/data",
  StopSignal: "SIGTERM",
  Labels: {
    "org.opencontainers.image.title": "hearth",
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.licenses": "Apache-2.0",
  },
});

const systemEntries = async (packages: readonly DebianPackage[]): Promise<readonly Entry[]> => {
  const entries: Entry[] = [];
  for (const each of packages) entries.push(...(await debianEntries(each)));
  const folders = ["dev", "etc", "proc", "root", "run", "sys", "var"].map((path): Entry => ({ kind: "folder", path }));
  return [
    ...entries,
    ...folders,
    { kind: "folder", path: "tmp", mode: ANYONE_WRITES },
    { kind: "folder", path: "var/tmp", mode: ANYONE_WRITES },
    { kind: "folder", path: "data", mode: PRIVATE, owner: USER },
    ...MERGED.map((name): Entry => ({ kind: "link", path: name, target: `usr/${name}` })),
    { kind: "link", path: "usr/bin/awk", target: "mawk" },
    ...Object.entries(ETC).map(([name, text]) => fileOf(`etc/${name}`, new TextEncoder().encode(text))),
    fileOf("etc/ssl/certs/ca-certificates.crt", await certificatesOf(entries)),
  ];
};

const fileOf = (path: string, from: string | Uint8Array): Entry => ({ kind: "file", path, from, isProgram: false });

/** The certificates of the package alone. The bundle of this machine may hold an authority of its network. */
const certificatesOf = async (entries: readonly Entry[]): Promise<Uint8Array> => {
  const texts: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    if (entry.kind !== "file" || typeof entry.from !== "string") continue;
    if (entry.path.startsWith(CERTIFICATES)) texts.push(`${(await readFile(entry.from, "utf8")).trim()}\n`);
  }
  return new TextEncoder().encode(texts.join(""));
};

/** The runtime, the programs and the launcher. Only root can write them. */
const hearthEntries = async ({ root, platform }: ImageOptions, programs: string): Promise<readonly Entry[]> => {
  await mkdir(programs);
  await writeProgramFolder(root, programs);
  await copyThirdParty(root, programs, platform);
  return [
    ...filesIn(programs).map((name): Entry => {
      const from = join(programs, name);
      return { kind: "file", path: `${PLACE}/${name}`, from, isProgram: (lstatSync(from).mode & 0o100) !== 0 };
    }),
    { kind: "file", path: `${PLACE}/bin/bun`, from: await findRuntime(root, platform), isProgram: true },
    { kind: "file", path: `${PLACE}/hearth`, from: join(root, "scripts/release/image/launcher.sh"), isProgram: true },
  ];
};

/** Writes the Debian packages of an image as CycloneDX. */
export const writeImageBom = async (
  version: string,
  packages: readonly DebianPackage[],
  path: string,
): Promise<void> => {
  const bom = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { type: "container", name: "hearth", version } },
    components: packages.map(({ name, version: its, architecture }) => ({
      type: "library",
      name,
      version: its,
      purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(its)}?arch=${architecture}`,
    })),
  };
  await writeFile(path, `${JSON.stringify(bom, null, 2)}\n`);
};
