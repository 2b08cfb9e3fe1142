import { ownedKeysOf } from '../../core/config/owned-keys.ts'
import { listManifests } from '../../scripts/docs/config-sections.ts'

/** The keys of schema.json that belong to plugins of svc. */
export const OWNED_KEYS = ownedKeysOf(listManifests())
