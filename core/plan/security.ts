import { SvcError } from '../errors/svc-error.ts'
import type { BindInput, Slot } from '../front/slot.ts'
import type { Parameter } from '../front/statement.ts'
import type { QueryModel } from '../schema/model.ts'
import { parseAuthored } from './authored-parts.ts'
import type { Condition } from './condition.ts'
import { toText } from './operand.ts'
import type { PlanContext } from './plan-context.ts'
import { columnOrKey } from './stored.ts'
import type { SourceRow } from './stored-value.ts'

/**
 * The conditions that the schema lays on a query whoever asks (behaviours 21): `inject` and `row_filter`. They stand
 * first. What they compare with is bound, never planned.
 */
export function securityConditions(context: PlanContext, query: QueryModel, row: SourceRow): readonly Condition[] {
  const conditions = query.inject.map(({ parameter: name, claim }) => injectCondition(context, query, row, name, claim))
  if (query.rowFilter !== undefined) {
    const parts = parseAuthored(query.rowFilter, (name) => contextSlot(context, name))
    conditions.push({ kind: 'authored', parts })
  }
  return conditions
}

function injectCondition(
  context: PlanContext,
  query: QueryModel,
  row: SourceRow,
  name: string,
  claim: string,
): Condition {
  const read = query.injectReads.get(name)
  const column = read?.from === 'column' ? read.column : read?.from === 'document' ? read.key : name
  const value = columnOrKey(row, column, read?.from === 'column' ? read.column_type : null)
  const type = value.from === 'column' ? value.type : 'text'
  const element = type?.startsWith('_') ? type.slice(1) : type
  const slot: Slot = { read: (input) => claimValue(context, input, claim, element) }
  const list = type?.startsWith('_') === true
  return {
    kind: 'compare',
    operator: list ? '_has_any:list' : '_in',
    target: { value, named: null, list, type: element },
    operand: { kind: 'list', slot },
  }
}

function claimValue(context: PlanContext, input: BindInput, claim: string, type: string | null): Parameter {
  const auth = input.exchange?.auth ?? null
  const value = auth === null ? undefined : lookup(auth.claims, claim)
  return securityTexts(context, auth !== null, value, `The credential does not carry the claim "${claim}".`, type)
}

function contextSlot(context: PlanContext, name: string): Slot {
  return {
    read: (input) => {
      const value = input.exchange === null ? undefined : lookup(input.exchange.context, name)
      const known = input.exchange !== null && input.exchange.auth !== null
      const texts = securityTexts(context, known, value, `The request has no value for "${name}".`, null)
      return Array.isArray(value) ? texts : (texts[0] ?? null)
    },
  }
}

/**
 * @throws SvcError UNAUTHENTICATED when there is no credential, FORBIDDEN when it lacks the value: absence denies
 * (decisions "row_filter")
 */
function securityTexts(
  context: PlanContext,
  known: boolean,
  value: unknown,
  message: string,
  type: string | null,
): readonly (string | null)[] {
  const path = context.path.slice(0, 1)
  if (value === undefined || value === null) {
    throw known
      ? new SvcError('FORBIDDEN', message, { path })
      : new SvcError('UNAUTHENTICATED', 'This needs a credential.', { path })
  }
  try {
    return (Array.isArray(value) ? value : [value]).map((item: unknown) => toText(item, null, type))
  } catch (cause) {
    throw new SvcError('FORBIDDEN', `${message.replace(/\.$/, '')} in a form that fits.`, { path, cause })
  }
}

/** A literal key first, then a dotted path (behaviours 21). */
export function lookup(values: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(values, name)) return values[name]
  let value: unknown = values
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}
