import { defaultSelection, selectionOf } from '../../../core/doors/front.ts'
import type { FieldModel, FieldSelection, ObjectSelection, ObjectType, Selection } from '../../../core/doors/plugin.ts'
import { selectable } from '../request/fields-of-type.ts'
import type { SelectNode } from '../request/parse-select.ts'
import type { EmbeddedParameter } from '../request/read-request.ts'
import { badRequest, unknownParameter } from '../request/refusals.ts'
import { type Embed, embedArguments } from './embeds.ts'
import { MARK } from './mark.ts'
import { deprecatedOrder, type SortOrder } from './sort-order.ts'

/** State while the parameter `select` is converted to a selection. */
export interface SelectContext {
  readonly embedded: readonly EmbeddedParameter[]
  readonly maxPageSize: number
  /** Selected lists of related rows, by the path with which query parameters name them. */
  readonly embeds: Map<string, Embed>
  /** Set to `true` when the selection contains a row count, which must be unwrapped in the response text. */
  counts: boolean
  /** Set to the deprecation reason of a selected field; `undefined`: none is deprecated. */
  deprecated: string | undefined
}

/**
 * Converts the parsed parameter `select` to a selection, and records in `context` what it contains.
 * @param nodes entries of `select`; `null`: all default fields
 * @param path path from the row to `type`, for related rows
 * @throws SvcError UNKNOWN_PARAMETER, BAD_REQUEST
 */
export function selectFields(
  context: SelectContext,
  type: ObjectType,
  nodes: readonly SelectNode[] | null,
  path: readonly string[] = [],
): ObjectSelection {
  if (nodes === null) return defaultSelection(type)
  const fields = new Map<string, { readonly of: string; readonly selection: FieldSelection }>()
  for (const node of nodes) {
    const selection = selectField(context, type, node, path)
    const of = JSON.stringify([node.name, node.count, node.nested])
    const other = fields.get(selection.responseKey)
    if (other !== undefined && other.of !== of) {
      throw badRequest(
        `select: two things are to be called "${selection.responseKey}". Give one another name: name:field.`,
      )
    }
    fields.set(selection.responseKey, { of, selection })
  }
  return { kind: 'object', type, fields: [...fields.values()].map(({ selection }) => selection) }
}

function selectField(
  context: SelectContext,
  type: ObjectType,
  node: SelectNode,
  path: readonly string[],
): FieldSelection {
  const field = relationByKey(type, node) ?? selectable(type, node.name)
  context.deprecated ??= field.deprecated
  if (node.count) return countRows(context, field, node, path)
  const responseKey = node.alias ?? field.wireName
  const { named } = field
  const args = embed(context, field, node, path)
  return {
    kind: 'field',
    responseKey,
    field,
    arguments: args,
    selection: below(context, field, node, path),
    location: null,
  }

  function below(context: SelectContext, field: FieldModel, node: SelectNode, path: readonly string[]): Selection {
    if (node.nested === null) return selectionOf(named)
    if (named.kind !== 'object') throw badRequest(`select: "${field.wireName}" has no fields to choose from.`)
    return selectFields(context, named, node.nested, [...path, node.alias ?? node.name])
  }
}

/** Registers an embedded list under its name and alias, and returns its arguments. */
function embed(context: SelectContext, field: FieldModel, node: SelectNode, path: readonly string[]) {
  const { named } = field
  if (named.kind !== 'object' || field.read?.from !== 'relation' || !field.list) return []
  const names = new Set([node.alias ?? field.wireName, node.name, field.wireName, field.name])
  const given = [...names].map((name) => [...path, name].join('.'))
  const used = given.find((name) => context.embedded.some((parameter) => parameter.path.join('.') === name))
  for (const name of given) if (!context.embeds.has(name)) context.embeds.set(name, { path: name, type: named })
  if (used === undefined) return []
  const args = embedArguments({ path: used, type: named }, context.embedded, context.maxPageSize)
  for (const { name, value } of args) {
    if (name === 'orderBy' && value.kind === 'constant')
      context.deprecated ??= deprecatedOrder(named, value.value as SortOrder)
  }
  return args
}

function countRows(
  context: SelectContext,
  field: FieldModel,
  node: SelectNode,
  path: readonly string[],
): FieldSelection {
  if (field.read?.from !== 'relation' || !field.list || field.named.kind !== 'object') {
    throw badRequest(`select: "${field.wireName}" is no list of related rows, which alone are counted.`)
  }
  if (field.read.across === true) {
    throw badRequest(`select: "${field.wireName}" is of another database, whose rows are not counted here.`)
  }
  context.counts = true
  const args = embed(context, field, node, path).filter(({ name }) => name === 'where')
  return {
    kind: 'aggregate',
    responseKey: node.alias ?? `${field.wireName}Count`,
    field,
    arguments: args,
    groupBy: null,
    fields: [{ kind: 'measure', responseKey: MARK, function: 'count', field: null }],
    having: [],
    orderBy: [],
    location: null,
  }
}

/** Finds a relation by its column: `author:fk_user(id,name)`. */
function relationByKey(type: ObjectType, { name }: SelectNode): FieldModel | null {
  if (type.fields.has(name)) return null
  const relations = [...type.fields.values()].filter(
    ({ read }) =>
      read?.from === 'relation' && read.also === undefined && read.through === undefined && read.from_column === name,
  )
  return relations.length === 1 && ![...type.fields.values()].some((field) => field.name === name)
    ? relations[0]!
    : null
}

/**
 * Rejects query parameters for lists of related rows that `select` does not contain.
 * @throws SvcError UNKNOWN_PARAMETER
 */
export function refuseUnused({ embedded, embeds }: SelectContext): void {
  const stray = embedded.find(({ path }) => !embeds.has(path.join('.')))
  if (stray === undefined) return
  throw unknownParameter(stray.name, [...embeds.keys()], 'embedded list for')
}
