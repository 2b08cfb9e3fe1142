import { SvcError } from '../base/errors/svc-error.ts'

/** A reason why svc cannot start, such as an invalid option or a plugin whose set-up failed. */
export interface BootFault {
  readonly code: string
  /** Name of the plugin that the fault belongs to; `null`: none, or several. */
  readonly plugin: string | null
  readonly message: string
  readonly cause?: unknown
}

/** Returns the faults that an error made by {@link bootFailed} lists; of any other value an empty list. */
export function faultsOf(error: unknown): readonly BootFault[] {
  const listed = error instanceof SvcError && error.code === 'SVC_BOOT_FAILED' ? error.details?.faults : undefined
  return (listed as readonly BootFault[] | undefined) ?? []
}

/** Creates one error for all faults of a boot. @returns SvcError SVC_BOOT_FAILED, whose message lists the faults */
export function bootFailed(faults: readonly BootFault[]): SvcError {
  const lines = faults.map(({ code, message }) => `  - ${message} (${code})`)
  const head = faults.length === 1 ? 'Boot found a fault:' : `Boot found ${faults.length} faults:`
  const causes = faults.flatMap(({ cause }) => (cause === undefined ? [] : [cause]))
  return new SvcError('SVC_BOOT_FAILED', [head, ...lines].join('\n'), {
    details: { faults: faults.map(({ code, plugin, message }) => ({ code, plugin, message })) },
    cause: causes.length > 1 ? new AggregateError(causes) : causes[0],
  })
}

/**
 * Describes a value that a plugin threw during the boot, for {@link bootFailed}. An SvcError keeps its code.
 * @param doing what the plugin did, completing "Plugin … failed": `to set up`
 */
export function toFault(error: unknown, plugin: string | null, doing: string): BootFault {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof SvcError ? error.code : 'SVC_PLUGIN_SETUP_FAILED'
  const who = plugin === null || message.includes(`"${plugin}"`) ? '' : `Plugin "${plugin}" failed ${doing}: `
  return { code, plugin, message: `${who}${message}`, cause: error }
}
