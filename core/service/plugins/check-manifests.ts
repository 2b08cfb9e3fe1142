import { CODES } from '../../base/errors/codes.ts'
import type { MetricDefinition } from '../../base/util/instruments.ts'
import type { Manifest } from '../../contract/manifest.ts'
import type { BootFault } from '../../kernel/faults.ts'
import { howToGet, type KnownPlugin } from '../../kernel/order.ts'
import type { SchemaModel } from '../../schema/model.ts'

/**
 * Checks the error codes, metrics and commands that plugins declare in their manifests. Codes and metrics need valid
 * names with the plugin's prefix; no name may be declared by two plugins.
 * @returns faults SVC_CODE_INVALID, SVC_METRIC_INVALID, SVC_COMMAND_INVALID; empty: all are valid
 */
export function checkManifests(manifests: readonly Manifest[]): readonly BootFault[] {
  const faults: BootFault[] = []
  const owners = new Map<string, string>()
  for (const manifest of manifests) {
    const { name, codes = {}, metrics = {}, commands = [] } = manifest
    const fault = (code: string, message: string) => faults.push({ code, plugin: name, message })
    const claim = (code: string, kind: string, key: string): void => {
      const other = owners.get(`${kind} ${key}`)
      if (other === undefined) owners.set(`${kind} ${key}`, name)
      else fault(code, `Plugin "${name}" declares the ${kind} "${key}", which plugin "${other}" declares already.`)
    }
    for (const key of Object.keys(codes)) {
      const prefix = prefixOf(name).toUpperCase()
      if (Object.hasOwn(CODES, key))
        fault('SVC_CODE_INVALID', `Plugin "${name}" declares the code "${key}", which is svc's own.`)
      else if (!key.startsWith(prefix) || !/^[A-Z][A-Z0-9_]*$/.test(key)) {
        const message = `Plugin "${name}" declares the code "${key}"; its codes are in upper case and begin with "${prefix}".`
        fault('SVC_CODE_INVALID', message)
      } else claim('SVC_CODE_INVALID', 'code', key)
    }
    for (const [key, definition] of Object.entries(metrics)) {
      const why = whyNoMetric(prefixOf(name), key, definition)
      if (why !== null) fault('SVC_METRIC_INVALID', `Plugin "${name}" declares the metric "${key}": ${why}.`)
      else claim('SVC_METRIC_INVALID', 'metric', key)
    }
    for (const { name: command } of commands) claim('SVC_COMMAND_INVALID', 'command', command)
  }
  return faults
}

/**
 * Returns a fault SVC_SCHEMA_REQUIRES for each plugin that a compiled schema needs and that does not run.
 * @param running names of the running plugins
 * @param known plugins that can be enabled, for the message
 */
export function checkRequires(
  schema: Pick<SchemaModel, 'requires'>,
  running: ReadonlySet<string>,
  known: readonly KnownPlugin[] = [],
): readonly BootFault[] {
  return schema.requires
    .filter((name) => !running.has(name))
    .map((name) => ({
      code: 'SVC_SCHEMA_REQUIRES',
      plugin: null,
      message: `The compiled schema relies on plugin "${name}", which is not running. ${howToGet(name, running, known)}`,
    }))
}

/** Returns the prefix for a plugin's names: `rate_limit` for `@acme/rate-limit`. */
function prefixOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).replaceAll('-', '_')
}

/** Checks a metric against the Prometheus data model and naming conventions. @returns the fault; `null`: valid */
function whyNoMetric(prefix: string, key: string, { type, labels = [], buckets }: MetricDefinition): string | null {
  if (!/^[a-z][a-z0-9_]*$/.test(key)) return 'a name is lower case, digits and _'
  if (!key.startsWith(`${prefix}_`) && !key.startsWith('svc_')) return `its names begin with "${prefix}_"`
  if (type === 'counter' && !key.endsWith('_total')) return 'the name of a counter ends with "_total"'
  const label = labels.find((one) => !/^[a-z][a-z0-9_]*$/.test(one) || one === 'le' || one === 'worker')
  if (label !== undefined) return `"${label}" is no name for a label`
  if (buckets === undefined) return null
  if (type !== 'histogram') return 'only a histogram has buckets'
  const isAscending = buckets.every((bound, i) => Number.isFinite(bound) && (i === 0 || bound > buckets[i - 1]!))
  return buckets.length > 0 && isAscending ? null : 'buckets are numbers that ascend'
}
