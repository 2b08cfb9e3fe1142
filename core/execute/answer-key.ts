import { hash } from 'node:crypto'
import type { Exchange } from '../contract/exchange.ts'
import type { Operation } from '../contract/operation.ts'
import { digestOf } from '../plan/template-digest.ts'
import { lookup } from '../util/lookup.ts'
import { valueKey } from '../util/value-key.ts'
import type { EngineSettings } from './context.ts'
import { callerReads } from './read-sources.ts'

/**
 * Text that is equal for requests whose answers are the same as long as nothing is written, in every process, and for no
 * others: schema, what is asked for, variables, what `authorize` said, and of the caller what rules of the schema look at
 * (a claim of `inject`, a value of `row_filter`). A digest: it tells nothing of them.
 * @returns `null` where nothing may be kept: what is no query, a stream, rows that events tell of, a root that a plugin answers, values that are no plain
 * data or too long
 * @throws SvcError when the operation cannot be planned with these variables
 */
export function answerKey(exchange: Exchange, operation: Operation, settings: EngineSettings): string | null {
  const { template, variables, access, form, told } = operation
  if (template.kind !== 'query' || form !== undefined || told !== undefined) return null
  const asked = digestOf(template)
  if (asked === null) return null
  const { claims, context } = callerReads(exchange, operation, settings)
  const values = valueKey(variables)
  const caller = claims.size === 0 && context.size === 0 ? '' : valueKey(callerValues(exchange, claims, context))
  if (values === null || caller === null) return null
  const accessKey = access?.key ?? ''
  // Neither digest has a space in it, and of what follows each but the last says how long it is: no two keys are spelt alike.
  const key = `${exchange.generation.hash} ${asked} ${accessKey.length} ${values.length} ${accessKey}${values}${caller}`
  // In one call: a hash object costs more than what it does with so short a text.
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
