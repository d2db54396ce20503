/** The archive of the programs, which the release script puts beside the entry. */
declare module "*.tar.zst" {
  const path: string;
  export default path;
}
