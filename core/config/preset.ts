import type { Manifest } from '../contract/manifest.ts'
import type { Plugin } from '../contract/plugin.ts'

/** A plugin in a preset: its manifest, and functions that import its code when it runs. */
export interface PresetEntry {
  readonly manifest: Manifest
  /** Imports the plugin: `() => import('../plugins/x/index.ts')`. The default export is the plugin. */
  readonly load: () => Promise<{ readonly default: Plugin<never> }>
  /**
   * Imports the plugin's further files, by the name in the manifest:
   * `{ './compile': () => import('../plugins/x/compile.ts') }`.
   */
  readonly modules?: Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>>
  /** `true`: when `NODE_ENV` is `production`, the plugin runs only if `enable` or its section enables it. */
  readonly developmentOnly?: true
}

/** A named list of plugins with configuration defaults (docs/guides/presets.md). */
export interface Preset {
  readonly name: string
  readonly extends?: Preset
  readonly plugins: readonly PresetEntry[]
  /** Configuration defaults that the preset sets, as a nested object like svc.toml. */
  readonly defaults?: Readonly<Record<string, unknown>>
}
