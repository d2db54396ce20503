/** The text of `README.md` in an export. */
export const README = `# An export of a Hearth house

- \`rooms/HOUSE/ROOM/DAY.md\`: the messages of each room, one page per day, for people. An import does not use them.
- \`tables/TABLE.jsonl\`: the database, one row per line as JSON, with every column.
- \`blobs/\`: long texts and parts of attachments, each in a file with the name of its SHA-256.
- \`home/\`: the files of the home as they are: \`hearth.toml\`, brains, the audit log's anchor and its key.
- \`credentials/\`: only if they were requested: hashes of passwords, keys and sessions.
- \`export.json\`: every file with its SHA-256, and the state hash. Its second line is the SHA-256 of the first.

The state hash identifies the content of the tables. To compute it:

    cd tables && ls | LC_ALL=C sort | xargs sha256sum | sha256sum

Secrets of the vault are in \`tables/secrets.jsonl\`, encrypted. The vault's key is not here unless credentials were requested.

To make a home of this export: \`hearth import hearth DIR --home NEW\`. The command refuses the export if any file is missing or was changed.
`;
