import { loadOwnedKeys } from '../../core/cli/compile/load-compile-parts.ts'
import { readPluginCatalogue } from '../../core/config/plugin-catalog.ts'
import { PRESETS } from '../../presets/index.ts'

const section = { preset: 'full', enable: [], disable: [], use: [] }
const { available } = await readPluginCatalogue({ presets: PRESETS, section, baseDir: process.cwd() })

/** The keys of schema.json that belong to plugins of svc, with their checks. */
export const OWNED_KEYS = await loadOwnedKeys(available)
