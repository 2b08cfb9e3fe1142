import type { RowsRoot } from '../../contract/operation.ts'
import type { Slot } from '../../contract/slot.ts'
import { SvcError } from '../../errors/svc-error.ts'
import type { CompiledSource } from '../../schema/compiled.ts'
import type { EnumType, FieldModel, ObjectType, ScalarType } from '../../schema/model.ts'
import { targetOf, toText } from '../conditions/operand.ts'
import { refuseClosed } from '../conditions/refuse-closed.ts'
import { below, inputError, limitError, type PlanContext } from '../plan-context.ts'
import { type PlanValue, valueOfNode } from '../plan-value.ts'
import { ONE_ROW, type PerKey } from '../read-plan.ts'
import { planShape } from '../selection.ts'
import { nodeIdOf } from './node-id.ts'
import { nodeQueryOf } from './node-root.ts'
import { openRows } from './open-rows.ts'
import { fieldValue } from './stored.ts'
import type { Target } from './stored-value.ts'

/**
 * Rows of a type by a list of keys. The rules of the query that the root names hold, else those of `node`; what no query
 * returns has no rules, and is shown to nobody.
 * @throws SvcError INTERNAL_SERVER_ERROR when the type has no source with that key
 */
export function planRowsRoot(context: PlanContext, root: RowsRoot): PerKey {
  const at = below(context, root.responseKey)
  const { type, selection } = root
  const query = root.query ?? nodeQueryOf(context.schema, type)
  const source = query?.source ?? type.source
  const names = [root.by ?? 'id'].flat()
  if (names.length === 0) throw new SvcError('INTERNAL_SERVER_ERROR', `Rows of ${type.name} have a key of no field.`)
  const fields = names.map((name) => keyField(type, source, name))
  // As in filters: which keys find something tells what the field holds.
  for (const field of fields) refuseClosed(at, type, field, 'keys')
  const of = { named: type, typeColumn: '__typename' }
  const document = query?.document ?? type.document
  const documents =
    root.documents === undefined ? undefined : documentsSlot(at, valueOfNode(root.documents, context.variables))
  const { row, rules } = openRows(at, of, source!, document, query, documents)
  const given = valueOfNode(root.keys, context.variables)
  const parts = fields.map((field, index) => {
    const stored = field.list ? null : fieldValue(row, field)
    if (stored === null) {
      throw new SvcError('INTERNAL_SERVER_ERROR', `${type.name}.${field.wireName} is no stored key.`)
    }
    const target = targetOf(field.named, stored)
    const part = typeof root.by === 'object' ? index : null
    return { target, keys: keysSlot(at, given, type, field, target, part, fields.length) }
  })
  const object = planShape(at, selection, row, '__typename')
  const shown = query === null ? [...rules, { kind: 'constant', holds: false } as const] : rules
  const rows = { row, object, tie: null, rules: shown, where: [], filter: null, order: [], page: ONE_ROW }
  return { kind: 'perKey', rows, parts }
}

type KeyField = FieldModel & { readonly named: ScalarType | EnumType }

function keyField(type: ObjectType, source: CompiledSource | null, name: string): KeyField {
  const field = type.fields.get(name)
  if (source !== null && field !== undefined && (field.named.kind === 'scalar' || field.named.kind === 'enum')) {
    return field as KeyField
  }
  const message = `${type.name} cannot be read by key: it has no source with a scalar field "${name}".`
  throw new SvcError('INTERNAL_SERVER_ERROR', message)
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
 * What cannot be a key of the type is none; it is no error, because others are asked for as well.
 * @param part which of its values, where a key is a list of `length` values; `null`: it is a value
 */
function keysSlot(
  context: PlanContext,
  given: PlanValue,
  type: ObjectType,
  field: FieldModel,
  target: Target,
  part: number | null,
  length: number,
): Slot {
  const at = { path: context.path }
  const { maxRows } = context.settings
  const textOf = (whole: unknown): string | null => {
    const key = part === null ? whole : Array.isArray(whole) && whole.length === length ? whole[part] : null
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
      if (!Array.isArray(keys)) throw inputError(at, 'keys', 'rows are asked for by a list of keys.')
      if (maxRows > 0 && keys.length > maxRows) {
        throw limitError(at, 'keys', `${keys.length} are more than the ${maxRows} rows that a list may have.`)
      }
      return keys.map(textOf)
    },
  }
}
