/** Format version that svc writes to the key `version` of `schema.json` (docs/reference/schema-json.md). */
export const AUTHORED_VERSION = '2.0.0'
