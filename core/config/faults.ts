import { SvcError } from '../base/errors/svc-error.ts'

/** An invalid value, key or variable of the configuration. */
export interface Fault {
  /** Configuration key of the fault: `server.port`. Empty when the fault concerns no key. */
  readonly key: string
  /** Location of the fault: `svc.toml:12`, `SVC_SERVER__PORT`, `--port`. */
  readonly place: string
  /** Description of the fault, a sentence without its full stop. */
  readonly message: string
}

/**
 * Reports all faults of the configuration as one error; returns if there are none.
 * @throws SvcError SVC_CONFIG_INVALID
 */
export function throwFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return
  const lines = [...new Set([...faults].sort(byPlace).map(printFault))]
  const [only = ''] = lines
  const message =
    lines.length === 1
      ? `The configuration cannot be used. ${only}`
      : `The configuration cannot be used, for ${lines.length} reasons:\n${lines.map((line) => `  - ${line}`).join('\n')}`
  throw new SvcError('SVC_CONFIG_INVALID', message, { details: { faults } })
}

/** Sorts lines of the file by number, and other places by name. */
function byPlace(a: Fault, b: Fault): number {
  return a.place.localeCompare(b.place, 'en', { numeric: true })
}

function printFault({ place, message }: Fault): string {
  const text = message.startsWith(`${place} `) ? message : `${place}: ${message}`
  return /[.?!\u2026]$/.test(text) ? text : `${text}.`
}
