import { valueKey } from '../../../core/doors/front.ts'
import {
  type Exchange,
  lookup,
  type ObjectType,
  type Operation,
  type OperationTemplate,
  reachOf,
} from '../../../core/doors/plugin.ts'

interface Facts {
  readonly claims: readonly string[]
  /** Does a rule in SQL read context values of the request? */
  readonly context: boolean
}

const known = new WeakMap<OperationTemplate, Facts>()
const numbers = new WeakMap<OperationTemplate, number>()
let last = 0

/**
 * Returns a key that is equal for subscriptions with equal results for callers with equal access. It covers the
 * document, the variables, and claims and context values that rules of the schema read.
 * @param more further values that affect the result
 */
export function sharedBy(exchange: Exchange, { template, variables }: Operation, more: unknown): string {
  const { claims, context } = factsOf(exchange, template)
  const held = claims.map((claim) => lookup(exchange.auth?.claims ?? {}, claim) ?? null)
  const key = valueKey([variables, exchange.auth === null, held, context ? exchange.context : null, more])
  // Values without a key get a key that no other operation has.
  return `${numberOf(template)}|${key ?? `#${++last}`}`
}

function numberOf(template: OperationTemplate): number {
  let number = numbers.get(template)
  if (number === undefined) {
    number = ++last
    numbers.set(template, number)
  }
  return number
}

function factsOf({ generation }: Exchange, template: OperationTemplate): Facts {
  let facts = known.get(template)
  if (facts === undefined) {
    const reach = reachOf(template)
    const ruled = [...generation.schema.types.values()].filter(
      (type): type is ObjectType =>
        type.kind === 'object' && (type.inject.length > 0 || type.rowFilter !== undefined) && reach.has(type.name),
    )
    const own = template.roots.flatMap((root) => (root.kind === 'operation' ? [root.operation] : []))
    const injects = [...ruled, ...own].flatMap(({ inject }) => inject.map(({ claim }) => claim))
    const context = [...ruled, ...own].some((one) => 'rowFilter' in one && one.rowFilter !== undefined)
    facts = { claims: [...new Set(injects)].sort(), context }
    known.set(template, facts)
  }
  return facts
}
