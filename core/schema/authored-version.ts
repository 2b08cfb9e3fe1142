/** Value of `version` in every `schema.json` that svc writes (docs/reference/schema-json.md). */
export const AUTHORED_VERSION = '2.0.0'
