import type { CompiledSchema } from '../../schema/compiled.ts'
import type { Finding } from './finding.ts'

/** Input of the check of a plugin. The plugin is not set up. */
export interface DoctorHost<Options = unknown> {
  /** Options of the plugin, validated and filled with defaults. */
  readonly options: Options
  /** The folder of svc.toml. */
  readonly baseDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The compiled schema; `null`: there is no readable schema. */
  readonly schema: CompiledSchema | null
}

/**
 * Checks what a plugin needs beyond its set-up: files, other services, the consistency of the configuration. It changes nothing.
 * An error that it throws becomes a failed check with the name of the plugin.
 */
export type DoctorCheck<Options = unknown> = (host: DoctorHost<Options>) => Promise<readonly Finding[]>

/** Types the default export of the file `doctor` of a manifest. Returns its argument. */
export function defineDoctorCheck<Options = unknown>(check: DoctorCheck<Options>): DoctorCheck<Options> {
  return check
}
