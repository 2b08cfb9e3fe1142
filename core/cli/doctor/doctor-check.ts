import type { CompiledSchema } from '../../schema/compiled.ts'
import type { Finding } from './finding.ts'

/** What `svc doctor` passes to the check of a plugin. The plugin itself is not set up. */
export interface DoctorHost<Options = unknown> {
  /** Options of the plugin, validated and filled with defaults. */
  readonly options: Options
  /** Absolute path of the folder that contains svc.toml. */
  readonly baseDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The project's compiled schema; `null`: it is missing or cannot be read. */
  readonly schema: CompiledSchema | null
}

/**
 * A plugin's own check for `svc doctor`: verifies files, other services and configuration that the plugin needs,
 * without changing anything. If it throws, `svc doctor` reports a failed check with the name of the plugin.
 */
export type DoctorCheck<Options = unknown> = (host: DoctorHost<Options>) => Promise<readonly Finding[]>

/**
 * Returns its argument unchanged; it only checks the TypeScript type. Use it for the default export of the module that
 * a plugin's manifest names in `doctor`.
 */
export function defineDoctorCheck<Options = unknown>(check: DoctorCheck<Options>): DoctorCheck<Options> {
  return check
}
