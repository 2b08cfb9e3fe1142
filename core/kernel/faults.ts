import { SvcError } from '../errors/svc-error.ts'

/** One reason why boot cannot go on. */
export interface BootFault {
  readonly code: string
  /** `null` = not one plugin's. */
  readonly plugin: string | null
  readonly message: string
  readonly cause?: unknown
}

/** The faults of a {@link bootFailed} error, for tools and tests. */
export function faultsOf(error: unknown): readonly BootFault[] {
  const listed = error instanceof SvcError && error.code === 'SVC_BOOT_FAILED' ? error.details?.faults : undefined
  return (listed as readonly BootFault[] | undefined) ?? []
}

/**
 * One error for all faults of one boot.
 * @returns SvcError SVC_BOOT_FAILED; `details.faults` lists them
 */
export function bootFailed(faults: readonly BootFault[]): SvcError {
  const lines = faults.map(({ code, message }) => `  - ${message} (${code})`)
  const head = faults.length === 1 ? 'Boot found a fault:' : `Boot found ${faults.length} faults:`
  const causes = faults.flatMap(({ cause }) => (cause === undefined ? [] : [cause]))
  return new SvcError('SVC_BOOT_FAILED', [head, ...lines].join('\n'), {
    details: { faults: faults.map(({ code, plugin, message }) => ({ code, plugin, message })) },
    cause: causes.length > 1 ? new AggregateError(causes) : causes[0],
  })
}

/** What a plugin threw during boot, as a fault. An SvcError keeps its code. */
export function toFault(error: unknown, plugin: string | null, doing: string): BootFault {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof SvcError ? error.code : 'SVC_PLUGIN_SETUP_FAILED'
  const who = plugin === null || message.includes(`"${plugin}"`) ? '' : `Plugin "${plugin}" failed ${doing}: `
  return { code, plugin, message: `${who}${message}`, cause: error }
}
