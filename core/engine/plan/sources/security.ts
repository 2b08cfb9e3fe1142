import { SvcError } from '../../../base/errors/svc-error.ts'
import { lookup } from '../../../base/util/lookup.ts'
import type { Condition } from '../../../contract/plan/condition.ts'
import type { SourceRow } from '../../../contract/plan/stored-value.ts'
import type { BindInput, Slot } from '../../../contract/slot.ts'
import type { Parameter } from '../../../contract/statement.ts'
import type { QueryModel } from '../../../schema/model.ts'
import { parseAuthored } from '../context/authored-parts.ts'
import type { PlanContext } from '../context/plan-context.ts'
import { cursorText } from '../values/cursor-text.ts'
import { toJsonText, toText } from '../values/operand.ts'
import { columnOrKey } from '../values/stored.ts'

/**
 * Plans the access rules `inject` and `row_filter` of a query, which apply to every caller (docs/guides/access.md).
 * Claims and context values become parameters, so that callers share the plan.
 */
export function securityConditions(context: PlanContext, query: QueryModel, row: SourceRow): readonly Condition[] {
  const conditions = [...injectConditions(context, query, row)]
  if (query.rowFilter !== undefined) {
    const parts = parseAuthored(query.rowFilter, (name) => contextSlot(context, name))
    conditions.push({ kind: 'authored', parts })
  }
  return conditions
}

/** A query or a type with the option `inject`. */
type Injecting = Pick<QueryModel, 'inject' | 'injectReads'>

/**
 * Plans the access rule `inject` of a query or type: each named column must equal a claim of the credential, or one of
 * its items.
 */
export function injectConditions(context: PlanContext, of: Injecting, row: SourceRow): readonly Condition[] {
  return of.inject.map(({ parameter: name, claim }) => injectCondition(context, of, row, name, claim))
}

function injectCondition(
  context: PlanContext,
  query: Injecting,
  row: SourceRow,
  name: string,
  claim: string,
): Condition {
  const read = query.injectReads.get(name)
  const column = read?.from === 'column' ? read.column : read?.from === 'document' ? read.key : name
  const value = columnOrKey(row, column, read?.from === 'column' ? read.column_type : null)
  const type = value.from === 'column' ? value.type : 'text'
  const element = type?.startsWith('_') ? type.slice(1) : type
  context.caller.claims.add(claim)
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

/**
 * Returns the parameter for a placeholder of `row_filter`, whose value is read from the `context` of the request.
 * @param name name of the placeholder
 */
export function contextSlot(context: PlanContext, name: string): Slot {
  context.caller.context.add(name)
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
 * Converts a claim or context value to texts. An absent value denies access (docs/guides/access.md#rules-of-a-type).
 * @throws SvcError UNAUTHENTICATED without a credential; FORBIDDEN when the value is missing or does not fit the column
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
    return (Array.isArray(value) ? value : [value]).map((item: unknown) => textOf(item, type))
  } catch (cause) {
    throw new SvcError('FORBIDDEN', `${message.replace(/\.$/, '')} in a form that fits.`, { path, cause })
  }
}

/** Converts one value to text. @throws Error for a value that the database would reject, which would look like bad stored data */
function textOf(value: unknown, type: string | null): string {
  if (type === 'json' || type === 'jsonb') return toJsonText(value)
  const text = toText(value, null, type)
  const isDay = type?.startsWith('timestamp') === true && cursorText(text, { named: null, type: 'date' })
  if (!isDay && !cursorText(text, { named: null, type })) throw new Error(`the value is no ${type}`)
  return text
}
