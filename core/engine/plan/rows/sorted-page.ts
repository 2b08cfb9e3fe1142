import { canonicalJson } from '../../../base/util/canonical-json.ts'
import type { ArgumentNode } from '../../../contract/operation.ts'
import type { KeyedPage, SortedPage, SortKey } from '../../../contract/plan/read-plan.ts'
import type { SourceRow, StoredValue } from '../../../contract/plan/stored-value.ts'
import type { Slot } from '../../../contract/slot.ts'
import type { FieldModel, QueryModel } from '../../../schema/model.ts'
import { inputError, type PlanContext } from '../context/plan-context.ts'
import { argumentValue, type PlanValue } from '../context/plan-value.ts'
import { cursorText } from '../values/cursor-text.ts'
import { cursorMark, readSortedCursor } from './cursor.ts'
import { wantedOrder } from './order.ts'
import { isNothing } from './page.ts'

/**
 * The columns that identify the rows of a connection and sort them if the client passes no `orderBy`. `digest`: values
 * whose hash makes the key unique; `null`: it is unique already.
 */
export interface ConnectionKey {
  /** The key as one or two columns; `null`: the schema declares a list of sort keys for cursors instead. */
  readonly keyed: Pick<KeyedPage, 'key' | 'type' | 'tie'> | null
  /** The key as sort keys, to be added after those of the client. */
  readonly terms: readonly Omit<SortKey, 'direction'>[]
  readonly digest: readonly StoredValue[] | null
}

/**
 * Plans the page of a connection in the order that the client requested. The key of the connection is added as the last
 * sort key, with the direction of the one before it, so that no two rows are equal.
 * @param args arguments of the root field
 * @returns `null`: the client passed no `orderBy` and the schema declares no sort keys for cursors, or the rows are of
 * an interface or union
 */
export function planSortedPage(
  context: PlanContext,
  query: QueryModel,
  args: readonly ArgumentNode[],
  row: SourceRow,
  key: ConnectionKey,
): Pick<SortedPage, 'terms' | 'digest' | 'marks' | 'after' | 'before'> | null {
  if (query.named.kind !== 'object') return null
  const orderBy = argumentValue(args, 'orderBy', context.variables)
  const wanted = wantedOrder(context, query.named, row, orderBy, 'orderBy')
  if (wanted.terms.length === 0 && key.keyed !== null) return null
  const terms = new Map<string, SortKey>()
  let order = query.wireName
  for (const { field, term } of wanted.terms) {
    refuseHidden(context, field)
    // Sorting by a field twice has no effect.
    if (terms.has(field.name)) continue
    const { value } = term.target
    terms.set(field.name, {
      target: term.target,
      direction: term.direction,
      nullable: !(value.from === 'column' && value.notNull),
    })
    order += ` ${field.name} ${term.direction}`
  }
  const all = [...terms.values(), ...key.terms.map((term) => ({ ...term, direction: wanted.direction }))]
  const readers = [...all.map((term) => (text: string | null) => valueText(text, term))]
  if (key.digest !== null) readers.push(digestText)
  const marks = { order: cursorMark(order), filter: filterMark(context, query, args) }
  const bound = (name: 'after' | 'before'): readonly (Slot | null)[] | null => {
    const given = argumentValue(args, name, context.variables)
    return isNothing(given) ? null : cursorSlots(context, given, name, readers, marks)
  }
  return {
    terms: all,
    digest: key.digest,
    marks: [{ read: () => marks.order }, { read: ({ variables }) => marks.filter(variables) }],
    after: bound('after'),
    before: bound('before'),
  }
}

/** Rejects a sort field with a custom `serialize`. A cursor contains the stored value, which may reveal more than the serialized one. */
function refuseHidden(context: PlanContext, { named, wireName }: FieldModel): void {
  if (named.kind !== 'scalar' || named.codec?.serialize === undefined) return
  const cause = `a cursor would show what ${named.name} stores, which it serializes otherwise`
  throw inputError(context, 'orderBy', `a connection cannot be ordered by "${wireName}": ${cause}.`)
}

type Variables = PlanContext['variables']

/** Returns a hash of the client's filter and of the query's arguments. */
function filterMark(
  { variables }: PlanContext,
  query: QueryModel,
  args: readonly ArgumentNode[],
): (variables: Variables) => string {
  const names = ['where', ...[...query.arguments.values()].map(({ wireName }) => wireName)]
  const values = names.map((name) => [name, argumentValue(args, name, variables)] as const)
  const markOf = (given: Variables): string => {
    const filter: Record<string, unknown> = {}
    for (const [name, value] of values) {
      const own = value.read(given)
      if (own !== null && own !== undefined && !isEmpty(own)) filter[name] = own
    }
    return isEmpty(filter) ? '' : cursorMark(canonicalJson(filter))
  }
  if (!values.every(([, value]) => value.constant)) return markOf
  const known = markOf(variables)
  return () => known
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** @throws SvcError BAD_USER_INPUT for a cursor of another list, order or filter, or for an invalid one */
function cursorSlots(
  context: PlanContext,
  given: PlanValue,
  name: string,
  readers: readonly ((text: string | null) => string | null)[],
  marks: { readonly order: string; readonly filter: (variables: Variables) => string },
): readonly (Slot | null)[] {
  const at = { path: context.path }
  const read = (variables: Variables): readonly (string | null)[] => {
    try {
      const own = { order: marks.order, filter: marks.filter(variables) }
      return readSortedCursor(given.read(variables), readers.length, own).map((text, index) => readers[index]!(text))
    } catch (error) {
      throw inputError(at, name, `${error instanceof Error ? error.message : String(error)}.`)
    }
  }
  return read(context.variables).map((text, index) =>
    text === null ? null : { read: ({ variables }) => read(variables)[index] ?? null },
  )
}

function digestText(text: string | null): string {
  if (text === null || !/^[0-9a-f]{32}$/.test(text)) throw new Error('this is no cursor of this list')
  return text
}

function valueText(text: string | null, { target, nullable }: SortKey): string | null {
  if (text === null && nullable) return null
  const fits = text !== null && cursorText(text, target)
  if (!fits) throw new Error('this is no cursor of this list')
  return text
}
