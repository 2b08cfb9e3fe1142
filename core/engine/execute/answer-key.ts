import { hash } from 'node:crypto'
import { lookup } from '../../base/util/lookup.ts'
import { valueKey } from '../../base/util/value-key.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { Operation } from '../../contract/operation.ts'
import { digestOf } from '../plan/template-digest.ts'
import type { EngineSettings } from './context/context.ts'
import { callerReads } from './read/read-sources.ts'

/**
 * Returns the cache key of a response, a digest. In all processes, keys are equal exactly for requests whose responses
 * are equal as long as nothing is written. The key covers schema, selection, variables, access, and the caller's data
 * that rules of the schema read: claims of `inject`, context values of `row_filter`.
 * @returns `null` when the answer must not be cached: mutations, streams, rows of events, roots of plugins, and
 * variables that are too long or no plain data
 * @throws SvcError when the operation cannot be planned with these variables
 */
export function answerKey(exchange: Exchange, operation: Operation, settings: EngineSettings): string | null {
  const { template, variables, access, form, changed } = operation
  if (template.kind !== 'query' || form !== undefined || changed !== undefined) return null
  const asked = digestOf(template)
  if (asked === null) return null
  const { claims, context } = callerReads(exchange, operation, settings)
  const values = valueKey(variables)
  const caller = claims.size === 0 && context.size === 0 ? '' : valueKey(callerValues(exchange, claims, context))
  if (values === null || caller === null) return null
  const accessKey = access?.key ?? ''
  // Unambiguous: the digests contain no space, and the lengths of all parts but the last are included.
  const key = `${exchange.generation.hash} ${asked} ${accessKey.length} ${values.length} ${accessKey}${values}${caller}`
  // `hash` needs no Hash object, which would cost more than hashing such a short text.
  return hash('sha256', key, 'base64url')
}

function callerValues(
  { auth, context: given }: Exchange,
  claims: ReadonlySet<string>,
  context: ReadonlySet<string>,
): readonly unknown[] {
  return [
    ...[...claims].map((claim) => ['claim', claim, auth === null ? null : lookup(auth.claims, claim)]),
    ...[...context].map((name) => ['context', name, lookup(given, name)]),
  ]
}
