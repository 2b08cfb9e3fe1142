import { hash } from 'node:crypto'
import { lookup } from '../../base/util/lookup.ts'
import { valueKey } from '../../base/util/value-key.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { Operation } from '../../contract/operation.ts'
import { digestOf } from '../plan/template-digest.ts'
import type { EngineSettings } from './context/context.ts'
import { callerReads } from './read/read-sources.ts'

/**
 * Returns the key under which the response of a query may be cached, a hash. Requests have equal keys, in all
 * processes, exactly if their responses are equal while the data does not change. The key covers schema, selection,
 * variables, access, and the claims and context values that rules of the schema read.
 * @returns `null`: the response must not be cached. This applies to mutations, streams, rows of events, root fields of
 * plugins, and variables that are too long or not plain data
 * @throws SvcError if the operation cannot be planned with these variables
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
