/** The entry of the area `http`: everything that other areas use of it and that a start loads. */
export type { HomeBackups, HomeRestorer } from "./backups.ts";
export type { HomeStorage } from "./doctor.ts";
export type { Http } from "./http.ts";
export type { SourceFolders } from "./imports/house-imports.ts";
export { type DaemonParts, openHttp } from "./open.ts";
export { createPreload } from "./preload.ts";
export type { Reach } from "./reach.ts";
export type { HomeFile } from "./security/view.ts";
export type { TunnelParts } from "./tunnel/programs.ts";
export type { UiFiles } from "./ui-files.ts";
