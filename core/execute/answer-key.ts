import { createHash } from 'node:crypto'
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
 * @returns `null` where nothing may be kept: what is no query, a stream, a root that a plugin answers, values that are no plain
 * data or too long
 * @throws SvcError when the operation cannot be planned with these variables
 */
export function answerKey(exchange: Exchange, operation: Operation, settings: EngineSettings): string | null {
  const { template, variables, access, form } = operation
  if (template.kind !== 'query' || form !== undefined) return null
  const asked = digestOf(template)
  if (asked === null) return null
  const { claims, context } = callerReads(exchange, operation, settings)
  const own = [
    ...[...claims].map((claim) => [
      'claim',
      claim,
      exchange.auth === null ? null : lookup(exchange.auth.claims, claim),
    ]),
    ...[...context].map((name) => ['context', name, lookup(exchange.context, name)]),
  ]
  const key = valueKey([exchange.generation.hash, asked, variables, access?.key ?? '', own])
  return key === null ? null : createHash('sha256').update(key).digest('base64url')
}
