import type { CompiledSchema } from '../../schema/compiled.ts'
import type { Finding } from './finding.ts'

/** What a check of a plugin may look at. The plugin is not set up for it. */
export interface DoctorHost<Options = unknown> {
  /** Those of the plugin, checked and with defaults. */
  readonly options: Options
  /** The folder of svc.toml. */
  readonly baseDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** `null`: there is none that can be read. */
  readonly schema: CompiledSchema | null
}

/**
 * Looks at what a plugin needs beyond its set-up: files, other services, what of the configuration does not fit together. It changes nothing.
 * What it throws is the failure of a check with the plugin's name.
 */
export type DoctorCheck<Options = unknown> = (host: DoctorHost<Options>) => Promise<readonly Finding[]>

/** Types what the file `doctor` of a manifest exports. */
export function defineDoctorCheck<Options = unknown>(check: DoctorCheck<Options>): DoctorCheck<Options> {
  return check
}
