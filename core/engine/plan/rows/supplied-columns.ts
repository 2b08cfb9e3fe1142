import { SvcError } from '../../../base/errors/svc-error.ts'
import { writeJson } from '../../../base/util/exact-number.ts'
import type { ObjectSelection } from '../../../contract/operation.ts'
import type { SuppliedValue } from '../../../contract/plan/read-plan.ts'
import type { ComputedColumn } from '../../../contract/plan/stored-value.ts'
import type { Slot } from '../../../contract/slot.ts'
import type { FieldModel, ObjectType } from '../../../schema/model.ts'
import { scalarOf } from '../../../schema/scalars.ts'
import { parseAuthored } from '../context/authored-parts.ts'
import type { PlanValue } from '../context/plan-value.ts'
import { toText } from '../values/operand.ts'

/**
 * For a read by keys: the fields that SQL of the schema computes (option `sql`), and the values that the request
 * supplies with each key as input of this SQL.
 */
export interface SuppliedColumns {
  readonly computed: ReadonlyMap<FieldModel, ComputedColumn>
  readonly values: readonly SuppliedValue[]
}

/**
 * Plans the selected fields that SQL of the schema computes from values in the request. Each value becomes one
 * parameter.
 * @param supplied list of objects with the values, one object per key
 * @throws SvcError INTERNAL_SERVER_ERROR if a placeholder in the SQL of a field names no field
 */
export function planSupplied(type: ObjectType, selection: ObjectSelection, supplied: PlanValue): SuppliedColumns {
  const computed = new Map<FieldModel, ComputedColumn>()
  const values = new Map<string, SuppliedValue>()

  function slotOf(placeholder: string): Slot {
    let value = values.get(placeholder)
    if (value === undefined) {
      value = readValue(type, placeholder, supplied)
      values.set(placeholder, value)
    }
    return value.slot
  }

  for (const selected of selection.fields) {
    if (selected.kind !== 'field' || selected.field.sql === undefined || computed.has(selected.field)) continue
    // A generated name that no column has by chance.
    const name = `svc:${computed.size + 1}`
    computed.set(selected.field, { name, parts: parseAuthored(selected.field.sql, slotOf) })
  }
  return { computed, values: [...values.values()] }
}

function readValue(type: ObjectType, placeholder: string, supplied: PlanValue): SuppliedValue {
  const path: string[] = []
  let owner: ObjectType | null = type
  let field: FieldModel | undefined
  for (const name of placeholder.split('.')) {
    field = owner === null ? undefined : fieldOf(owner, name)
    if (field === undefined) {
      throw new SvcError('INTERNAL_SERVER_ERROR', `${type.name} has no field "${placeholder}", which its SQL uses.`)
    }
    path.push(field.wireName)
    owner = field.named.kind === 'object' && !field.list ? field.named : null
  }
  const { textOf, type: castTo } = formOf(field!)
  return {
    type: castTo,
    slot: {
      read({ variables }) {
        const rows = supplied.read(variables)
        return Array.isArray(rows) ? rows.map((row) => textOf(valueAt(row, path))) : []
      },
    },
  }
}

function fieldOf({ fields }: ObjectType, name: string): FieldModel | undefined {
  return fields.get(name) ?? [...fields.values()].find((field) => field.name === name)
}

function valueAt(row: unknown, path: readonly string[]): unknown {
  let value = row
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

/** Returns the SQL type of a value, and a function that converts it to text. A value of another type becomes null. */
function formOf(field: FieldModel): { readonly type: string; readonly textOf: (value: unknown) => string | null } {
  const { named, list } = field
  const isLeaf = !list && (named.kind === 'enum' || (named.kind === 'scalar' && named.base !== 'JSON'))
  if (!isLeaf)
    return { type: 'jsonb', textOf: (value) => (value === null || value === undefined ? null : jsonText(value)) }
  const type = named.kind === 'scalar' ? (scalarOf(named).documentCast ?? 'text') : 'text'
  return {
    type,
    textOf(value) {
      if (value === null || value === undefined) return null
      try {
        return toText(value, named, type)
      } catch {
        return null
      }
    },
  }
}

/** Converts a value to JSON text; `null` if it contains U+0000, which PostgreSQL rejects. */
function jsonText(value: unknown): string | null {
  const text = writeJson(value)
  return text.includes('\\u0000') ? null : text
}
