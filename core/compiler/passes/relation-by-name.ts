import { toSnakeCase } from '../../base/util/naming.ts'
import { listNames } from '../../base/util/nearest.ts'
import type { AuthoredField, AuthoredRelation } from '../../schema/authored.ts'
import type { CompiledSource } from '../../schema/compiled.ts'
import { isListRef, namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import { agreeAsKeys, comparable } from '../ground/column-type.ts'
import type { CompileContext } from '../ground/context.ts'
import { columnOf, entityOfSource, shownName } from './describe-source.ts'

/** One of the two types of a relation, with the view or table of its rows. */
export interface Side {
  readonly type: string
  readonly source: CompiledSource
  readonly document: string | null
  readonly fields: readonly AuthoredField[]
}

/** Two columns that join the rows of a relation: related rows have equal values in them. */
export interface Pair {
  readonly from: string
  readonly to: string
}

/** Returns the pairs of columns in a field's option `relation`. */
export function pairsOf({ from, to }: AuthoredRelation): readonly Pair[] {
  const others = [to].flat()
  return [from].flat().flatMap((name, i) => (others[i] === undefined ? [] : [{ from: name, to: others[i] }]))
}

/**
 * Finds the columns of a relation by their names. For a single object: `fk_author`, `author_id`, or the only `fk_user`
 * in the rows of `here`, whose value equals `pk_user` or `id` of `there`. For a list: the only reference in the rows of
 * `there` to `here`.
 * @returns `null` after a fault that lists the names searched for, or the possible declarations
 */
export function findPairs(
  context: CompileContext,
  here: Side,
  there: Side,
  field: AuthoredField,
  list: boolean,
): readonly Pair[] | null {
  const pairs = list
    ? pairsToMany(context, here, there)
    : pairsToOne(context, here, there, field).map((pair): readonly Pair[] => [pair])
  const [only] = pairs
  if (pairs.length === 1 && only !== undefined) return only
  const label = `${here.type}.${field.name}`
  const element = context.index.get(here.type)
  const at = [field, element?.kind === 'object' ? element.element : undefined] as const
  if (pairs.length === 0) {
    const looked = list ? lookedForMany(context, here, there) : lookedForOne(context, here, there, field)
    context.report.fault(
      'relation-missing',
      `${label}: no columns make this relation. Looked for ${looked}. Declare it: relation: { from: '<column of ${shownName(context, here.source)}>', to: '<column of ${shownName(context, there.source)}>' }.`,
      ...at,
    )
    return null
  }
  const choices = pairs.map((columns) => `relation: ${declaration(columns)}`)
  context.report.fault(
    'relation-ambiguous',
    `${label}: more than one relation is possible. Declare the one that is meant: ${choices.join(' or ')}.`,
    ...at,
  )
  return null
}

/**
 * Returns the source text of the option `relation` for pairs of columns, for messages:
 * `{ from: 'author_id', to: 'id' }`.
 */
export function declaration(columns: readonly Pair[]): string {
  const [only, ...others] = columns
  if (only !== undefined && others.length === 0) return `{ from: '${only.from}', to: '${only.to}' }`
  const list = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(', ')}]`
  return `{ from: ${list(columns.map(({ from }) => from))}, to: ${list(columns.map(({ to }) => to))} }`
}

function pairsToOne(context: CompileContext, here: Side, there: Side, field: AuthoredField): readonly Pair[] {
  const name = toSnakeCase(field.name)
  const entity = toSnakeCase(there.type)
  if (context.catalog === null) return [{ from: `fk_${name}`, to: `pk_${entity}` }]
  for (const from of [`fk_${name}`, `${name}_id`]) {
    const to = columnOf(here.source, from) === null ? null : keyFor(here, there, from)
    if (to !== null) return [{ from, to }]
  }
  const shared = [`fk_${entity}`, `${entity}_id`].find((from) => columnOf(here.source, from) !== null)
  const to = shared === undefined ? null : keyFor(here, there, shared)
  if (shared === undefined || to === null) return []
  // When two fields would use the same column, the relation is ambiguous.
  const rivals = here.fields.filter((other) => isUndeclaredOne(other, there.type) && !hasOwnColumn(here, other))
  return rivals.length > 1 ? [{ from: shared, to }, ...otherReferences(here, there, shared)] : [{ from: shared, to }]
}

/** Further possible relations, as choices in the message about an ambiguous one. */
function otherReferences(here: Side, there: Side, shared: string): readonly Pair[] {
  const others = here.source.columns
    .map((column) => column.name)
    .filter((name) => name !== shared && (name.startsWith('fk_') || name.endsWith('_id')))
    .flatMap((from) => {
      const to = keyFor(here, there, from)
      return to === null ? [] : [{ from, to }]
    })
  return others.length > 0 ? others : [{ from: '<column>', to: `pk_${toSnakeCase(there.type)}` }]
}

function pairsToMany(context: CompileContext, here: Side, there: Side): readonly (readonly Pair[])[] {
  const entity = toSnakeCase(here.type)
  /** Pairs of columns by the columns of the other side. */
  const reverse = new Map<string, readonly Pair[]>()
  for (const field of there.fields) {
    const ref = parseTypeRef(field.type)
    if (ref === null || isListRef(ref) || namedTypeOf(ref).name !== here.type || field.computed === true) continue
    const columns =
      field.relation === undefined ? pairsToOne(context, there, here, field).slice(0, 1) : pairsOf(field.relation)
    if (columns.length === 0) continue
    const turned = columns.map(({ from, to }) => ({ from: to, to: from }))
    reverse.set(columns.map(({ from }) => from).join(' '), turned)
  }
  if (context.catalog === null) {
    return reverse.size > 0 ? [...reverse.values()] : [[{ from: `pk_${entity}`, to: `fk_${entity}` }]]
  }
  for (const to of [`fk_${entity}`, `${entity}_id`]) {
    const from = columnOf(there.source, to) === null ? null : keyFor(there, here, to)
    // A column that is part of a declared relation forms no other relation.
    const isDeclared = [...reverse.values()].some((columns) => columns.some((pair) => pair.to === to))
    if (from !== null && !isDeclared) reverse.set(to, [{ from, to }])
  }
  return [...reverse.values()]
}

/**
 * Returns the column of `there` that the reference `from` of `here` points to. `fk_` columns point to `pk_`, `_id`
 * columns to `id` or to the key column of the same name (`album_id` = `album_id`), if the types can be compared.
 */
function keyFor(here: Side, there: Side, from: string): string | null {
  const pk = [`pk_${toSnakeCase(there.type)}`, `pk_${entityOfSource(there.source.name)}`]
  const { key } = there.source
  // A column of a composite key only matches by its name: `order_id` must not refer to `tenant_id`.
  const own = [`${toSnakeCase(there.type)}_id`, ...(key.length > 1 ? key.filter((name) => name === from) : key)]
  const order = from.startsWith('fk_') ? [...pk, 'id', ...own] : ['id', ...pk, ...own]
  const type = columnOf(here.source, from)?.type ?? null
  const agree = here.source.database === there.source.database ? comparable : agreeAsKeys
  const found = order.find((name) => {
    const column = columnOf(there.source, name)
    return column !== null && agree(type, column.type)
  })
  return found ?? null
}

function isUndeclaredOne(field: AuthoredField, target: string): boolean {
  const ref = parseTypeRef(field.type)
  if (ref === null || isListRef(ref) || namedTypeOf(ref).name !== target) return false
  return field.relation === undefined && field.computed !== true
}

function hasOwnColumn(here: Side, field: AuthoredField): boolean {
  const name = toSnakeCase(field.name)
  return columnOf(here.source, `fk_${name}`) !== null || columnOf(here.source, `${name}_id`) !== null
}

function lookedForOne(context: CompileContext, here: Side, there: Side, field: AuthoredField): string {
  const name = toSnakeCase(field.name)
  const entity = toSnakeCase(there.type)
  const from = [...new Set([`fk_${name}`, `${name}_id`, `fk_${entity}`, `${entity}_id`])]
  return `${listNames(from)} in ${shownName(context, here.source)}, with pk_${entity} or id in ${shownName(context, there.source)}`
}

function lookedForMany(context: CompileContext, here: Side, there: Side): string {
  const entity = toSnakeCase(here.type)
  return `fk_${entity}, ${entity}_id or a field of type ${here.type} in ${shownName(context, there.source)}, with pk_${entity} or id in ${shownName(context, here.source)}`
}
