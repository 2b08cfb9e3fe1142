import { SvcError } from '../../../base/errors/svc-error.ts'
import type { RowsRoot } from '../../../contract/operation.ts'
import type { ExistsCondition } from '../../../contract/plan/condition.ts'
import type { KeyPart, PerKey } from '../../../contract/plan/read-plan.ts'
import type { RowRef, Target } from '../../../contract/plan/stored-value.ts'
import type { Slot } from '../../../contract/slot.ts'
import type { EnumType, FieldModel, ObjectType, ScalarType } from '../../../schema/model.ts'
import { rangeOf } from '../conditions/relation-filter.ts'
import { below, inputError, limitError, type PlanContext } from '../context/plan-context.ts'
import { type PlanValue, valueOfNode } from '../context/plan-value.ts'
import { refuseClosed } from '../context/refuse-closed.ts'
import { openRows } from '../sources/open-rows.ts'
import { targetOf, toText } from '../values/operand.ts'
import { fieldValue } from '../values/stored.ts'
import { nodeIdOf } from './node-id.ts'
import { nodeQueryOf } from './node-root.ts'
import { ONE_ROW } from './page.ts'
import { planShape } from './selection.ts'
import { planSupplied, type SuppliedColumns } from './supplied-columns.ts'

/**
 * Plans a root field that reads rows of a type by a list of keys, for plugins such as federation. The access rules of
 * the root field's query apply or, without one, those of the query for `node`. If no query returns the type, the rows
 * are hidden unless the root is marked as `open`.
 * @throws SvcError INTERNAL_SERVER_ERROR if the type has no view or table with that key
 */
export function planRowsRoot(context: PlanContext, root: RowsRoot): PerKey {
  const at = below(context, root.responseKey)
  const { type, selection } = root
  const query = root.query ?? nodeQueryOf(context.schema, type)
  const source = query?.source ?? type.source
  const paths = [root.by ?? 'id'].flat()
  if (paths.length === 0) throw new SvcError('INTERNAL_SERVER_ERROR', `Rows of ${type.name} have a key of no field.`)
  if (source === null) throw noKey(type, paths[0]!)
  const of = { named: type, typeColumn: '__typename' }
  const document = query?.document ?? type.document
  const documents =
    root.documents === undefined ? undefined : documentsSlot(at, valueOfNode(root.documents, context.variables))
  const beside =
    root.supplied === undefined ? NOTHING : planSupplied(type, selection, valueOfNode(root.supplied, context.variables))
  const more = { ...(documents === undefined ? {} : { documents }), computed: beside.computed }
  const { row, rules } = openRows(at, of, source, document, query, more)
  const keys = valueOfNode(root.keys, context.variables)
  const length = typeof root.by === 'object' ? paths.length : null
  const parts = paths.map((path, index): KeyPart => {
    const { target, through, field } = keyTarget(at, type, row, path)
    const part = length === null ? null : { index, length }
    return { target, through, keys: keysSlot(at, keys, type, field, target, part) }
  })
  const object = planShape(at, selection, row, '__typename')
  const isHidden = query === null && root.open !== true
  const shown = isHidden ? [...rules, { kind: 'constant', holds: false } as const] : rules
  const rows = { row, object, tie: null, rules: shown, where: [], filter: null, order: [], page: ONE_ROW }
  return { kind: 'perKey', many: false, rows, parts, supplied: beside.values }
}

const NOTHING: SuppliedColumns = { computed: new Map(), values: [] }

/** Returns the target of a key: a field of the type, or of an object in one of its fields. */
function keyTarget(
  context: PlanContext,
  type: ObjectType,
  row: RowRef,
  path: string,
): Pick<KeyPart, 'target' | 'through'> & { readonly field: FieldModel } {
  const through: ExistsCondition['over'][] = []
  const names = path.split('.')
  let owner = type
  let from = row
  for (const [index, name] of names.entries()) {
    const field = owner.fields.get(name)
    if (field === undefined || field.list) throw noKey(type, path)
    // As with filters, a look-up by key would reveal values of a denied field.
    refuseClosed(context, owner, field, 'keys')
    const { named } = field
    if (index === names.length - 1) {
      if (named.kind !== 'scalar' && named.kind !== 'enum') throw noKey(type, path)
      return { target: storedTarget(type, path, from, field, named), through, field }
    }
    if (named.kind !== 'object') throw noKey(type, path)
    const over = rangeOf(context, field, named, from)
    through.push(over)
    owner = named
    from = over.row
  }
  throw noKey(type, path)
}

function storedTarget(
  type: ObjectType,
  path: string,
  row: RowRef,
  field: FieldModel,
  named: ScalarType | EnumType,
): Target {
  const stored = field.read?.from === 'relation' ? null : fieldValue(row, field)
  if (stored === null) throw new SvcError('INTERNAL_SERVER_ERROR', `${type.name}.${path} is no stored key.`)
  return targetOf(named, stored)
}

function noKey(type: ObjectType, path: string): SvcError {
  const message = `${type.name} cannot be read by key: it has no source with a scalar field "${path}".`
  return new SvcError('INTERNAL_SERVER_ERROR', message)
}

function documentsSlot(context: PlanContext, given: PlanValue): Slot {
  return {
    read({ variables }) {
      const text = given.read(variables)
      if (typeof text !== 'string') throw inputError(context, 'documents', 'rows that are gone come as JSON text.')
      return text
    },
  }
}

/**
 * Reads the keys as texts. A value that is invalid for the key's type matches no row. It is no error, so that the other keys of the list
 * are still read.
 * @param part the index in a key that is a list of `length` values; `null` when a key is one value
 */
function keysSlot(
  context: PlanContext,
  given: PlanValue,
  type: ObjectType,
  field: FieldModel,
  target: Target,
  part: { readonly index: number; readonly length: number } | null,
): Slot {
  const at = { path: context.path }
  const { maxRows } = context.settings
  const textOf = (whole: unknown): string | null => {
    const key = part === null ? whole : Array.isArray(whole) && whole.length === part.length ? whole[part.index] : null
    const node = typeof key === 'string' && field.name === 'id' ? nodeIdOf(key) : null
    try {
      return toText(node?.type === type.name ? node.id : key, field.named, target.type)
    } catch {
      return null
    }
  }
  return {
    read({ variables }) {
      const keys = given.read(variables)
      if (!Array.isArray(keys)) throw inputError(at, 'keys', 'rows are requested by a list of keys.')
      if (maxRows > 0 && keys.length > maxRows) {
        throw limitError(at, 'keys', `${keys.length} are more than the ${maxRows} rows that a list may have.`)
      }
      return keys.map(textOf)
    },
  }
}
