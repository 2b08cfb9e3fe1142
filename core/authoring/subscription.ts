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
 * Options of a subscription (docs/plugins/subscriptions.md#a-subscription). Each non-null argument is a further condition: it must
 * equal the entity's field of that name.
 */
export interface SubscriptionOptions extends Omit<OperationOptions, 'sqlSource' | keyof OperationKeyOptions> {
  /** The type whose changes are sent: its class, its handle or its name. Default: the result type of the subscription. */
  readonly entityType?: unknown
  /** Listen to this topic instead of all changes: `order_created`, the name of a mutation, or a database channel `svc_<topic>`. */
  readonly topic?: string
  /** Kinds of changes to send. Default: all. */
  readonly operation?: Change | readonly Change[]
  /**
   * Condition on the entity's fields: `"status == 'shipped' and customer_id == context.user_id"`. Or its parts as objects:
   * `{ path, operator, value }`, or `{ conditions }` for several. `{ argument, path }` names the value that an argument is
   * compared with.
   */
  readonly filter?: SubscriptionFilter
  /** Lose no event while the subscription lasts: missed events are read from the event backend, which must store them. */
  readonly durable?: boolean
  /** Clients may send the id of the last received event, to get all later events. Requires `durable`. */
  readonly replay?: boolean
}

const CHANGES: ReadonlySet<unknown> = new Set(['INSERT', 'UPDATE', 'DELETE'])
const change = rule('"INSERT", "UPDATE", "DELETE", or a list of them', (value) => {
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
const conditions = rule('a list of conditions', (value) => {
  const all = Array.isArray(value) ? value.map(listed.read) : []
  return all.length > 0 && !all.includes(undefined) ? all : undefined
})
const filter = either(text, test, record({ conditions: conditions('conditions') }, ['conditions']))
const entityName = rule('a type: its class, its handle or its name', (value) =>
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

const SUBSCRIPTION: OperationForm = { collection: 'subscriptions', word: 'subscription', rules: SUBSCRIPTION_RULES }

/**
 * Declares a subscription: `@subscription(() => Order, { operation: 'UPDATE', args: { id: nullable(ID) } }) orderUpdated!: unknown`,
 * or `subscription('orderUpdated', Order, { … })`.
 */
export function subscription<First extends TypeSource | string>(
  ...args: OperationArguments<First, SubscriptionOptions>
): OperationResult<First> {
  return declareOperation(SUBSCRIPTION, args, placeAbove(subscription)) as OperationResult<First>
}
