/**
 * The keys of plugins that `svc/authoring` offers as options. Re-exports, because they are kept in declaration files: each module also
 * adds its keys to the interfaces of core.
 */
export { schemaKeys as federationKeys } from '../plugins/federation/schema-keys.ts'
export { schemaKeys as cacheKeys } from '../plugins/response-cache/schema-keys.ts'
export { schemaKeys as restKeys } from '../plugins/rest/schema-keys.ts'
