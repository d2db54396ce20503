/** The address of a backup target from the fields of its form. */

export const targetKinds = ["s3", "sftp", "file"] as const;
export type TargetKind = (typeof targetKinds)[number];

export interface TargetFields {
  readonly kind: TargetKind;
  /** S3: the address of the store. Empty: AWS. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** SSH: USER@HOST, with :PORT if it is not 22. */
  readonly host: string;
  /** SSH: the path of the private key on the machine of the house. Empty: the one that ssh chooses. */
  readonly identityFile: string;
  /** The folder on the server or share, or the prefix in the bucket. */
  readonly folder: string;
}

export const emptyFields: TargetFields = {
  kind: "s3",
  endpoint: "",
  region: "",
  bucket: "",
  host: "",
  identityFile: "",
  folder: "",
};

/** Whether the fields that a target of this kind needs are filled. */
export const isComplete = ({ kind, bucket, host, folder }: TargetFields): boolean => {
  switch (kind) {
    case "s3":
      return bucket.trim() !== "";
    case "sftp":
      return host.trim() !== "" && folder.trim() !== "";
    case "file":
      return folder.trim() !== "";
  }
};

/** Builds the address of a target. The house validates it. */
export const toAddress = (fields: TargetFields): string => {
  const { kind, endpoint, region, bucket, host, identityFile, folder } = fields;
  // Leading slashes are removed: SFTP and file addresses add one, and a prefix of S3 has none.
  const path = folder.trim().replace(/^\/+/, "");
  switch (kind) {
    case "s3":
      return `s3://${bucket.trim()}${path === "" ? "" : `/${path}`}${toQuery({ endpoint, region })}`;
    case "sftp":
      return `sftp://${host.trim()}/${path}${toQuery({ identity_file: identityFile })}`;
    case "file":
      return `file:///${path}`;
  }
};

/** Returns the query of the values that are filled. A slash and a colon are not encoded. */
const toQuery = (values: Readonly<Record<string, string>>): string => {
  const parameters = Object.entries(values).flatMap(([name, value]) =>
    value.trim() === ""
      ? []
      : [`${name}=${encodeURIComponent(value.trim()).replaceAll("%3A", ":").replaceAll("%2F", "/")}`],
  );
  return parameters.length === 0 ? "" : `?${parameters.join("&")}`;
};
