import type { SubscriptionFilter } from '../schema/authored.ts'
import { brandOf } from './brand.ts'
import {
  declareOperation,
  OPERATION_RULES,
  type OperationArguments,
  type OperationForm,
  type OperationOptions,
  type OperationResult,
} from './operation.ts'
import type { OperationKeyOptions } from './option-interfaces.ts'
import { either, flag, json, type OptionRule, oneOf, record, rule, text } from './options.ts'
import { placeAbove } from './place.ts'
import type { TypeSource } from './type-source.ts'

type Change = 'INSERT' | 'UPDATE' | 'DELETE'

/**
 * Options of `subscription()` (docs/plugins/subscriptions.md#a-subscription). Each argument that the client sets is a
 * condition too: the field of that name in the changed row must equal it.
 */
export interface SubscriptionOptions extends Omit<OperationOptions, 'sqlSource' | keyof OperationKeyOptions> {
  /**
   * The type whose changed rows are sent: its class, the result of `type()`, or its name. Default: the result type of
   * the subscription.
   */
  readonly entityType?: unknown
  /**
   * Sends only events of this topic: `order_created` (or `_updated`, `_deleted`) for rows of `Order`, the name of a
   * mutation, or the part after `svc_` in the name of a PostgreSQL notification channel. Default: all changes of the
   * entity.
   */
  readonly topic?: string
  /** Kinds of changes to send. Default: all. */
  readonly operation?: Change | readonly Change[]
  /**
   * Condition on the fields of the changed row: `"status == 'shipped' and customer_id == context.user_id"`. As an
   * object: `{ path, operator, value }`, or `{ conditions }` for several. `{ argument, path }` compares an argument
   * with the value at a path.
   */
  readonly filter?: SubscriptionFilter
  /**
   * `true`: a subscription loses no event while it lasts. svc reads missed events again from the event backend, which
   * must store them.
   */
  readonly durable?: boolean
  /**
   * `true`: a client that subscribes again may send the id of the last event that it received, and gets all later
   * events. Requires `durable`.
   */
  readonly replay?: boolean
}

const CHANGES: ReadonlySet<unknown> = new Set(['INSERT', 'UPDATE', 'DELETE'])
const change = rule('changes', '"INSERT", "UPDATE", "DELETE", or a list of them', (value) => {
  const all = Array.isArray(value) ? value : [value]
  return all.length > 0 && all.every((one) => CHANGES.has(one)) ? value : undefined
})
const OPERATORS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'contains']
const test = record({ path: text('path'), operator: oneOf(...OPERATORS)('operator'), value: json('value') }, [
  'path',
  'value',
])
const argumentPath = record({ argument: text('argument'), path: text('path') }, ['argument', 'path'])
const listed = either(test, argumentPath)('conditions')
const conditions = rule({ listOf: listed }, 'a list of conditions', (value) => {
  const all = Array.isArray(value) ? value.map(listed.read) : []
  return all.length > 0 && !all.includes(undefined) ? all : undefined
})
const filter = either(text, test, record({ conditions: conditions('conditions') }, ['conditions']))
const entityName = rule('entity', 'a type: its class, its handle or its name', (value) =>
  typeof value === 'string' && value !== '' ? value : brandOf(value)?.name,
)

const { sqlSource: _source, ...SHARED } = OPERATION_RULES
const SUBSCRIPTION_RULES = {
  ...SHARED,
  entityType: entityName('entity_type'),
  topic: text('topic'),
  operation: change('operation'),
  filter: filter('filter'),
  durable: flag('durable'),
  replay: flag('replay'),
} satisfies Record<keyof Required<SubscriptionOptions>, OptionRule>

/** What `subscription()` adds to the common declaration of operations: its list in `schema.json` and its options. */
export const SUBSCRIPTION: OperationForm = {
  collection: 'subscriptions',
  word: 'subscription',
  rules: SUBSCRIPTION_RULES,
}

/**
 * Declares a subscription: `@subscription(() => Order, { operation: 'UPDATE', args: { id: nullable(ID) } })
 * orderUpdated!: unknown`, or `subscription('orderUpdated', Order, { … })`.
 */
export function subscription<First extends TypeSource | string>(
  ...args: OperationArguments<First, SubscriptionOptions>
): OperationResult<First> {
  return declareOperation(SUBSCRIPTION, args, placeAbove(subscription)) as OperationResult<First>
}
