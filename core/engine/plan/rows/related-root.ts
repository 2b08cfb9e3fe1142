import type { RelatedRoot } from '../../../contract/operation.ts'
import type { PerKey } from '../../../contract/plan/read-plan.ts'
import type { Target } from '../../../contract/plan/stored-value.ts'
import type { Slot } from '../../../contract/slot.ts'
import type { ScalarType } from '../../../schema/model.ts'
import { below, type PlanContext } from '../context/plan-context.ts'
import { valueOfNode } from '../context/plan-value.ts'
import { openRelated } from '../sources/related.ts'
import { targetOf, toText } from '../values/operand.ts'
import { columnOrKey } from '../values/stored.ts'
import { relatedObjects } from './selection.ts'

/**
 * Plans the read of related rows in this database by keys that were read from rows of another database. Access rules of
 * their type apply.
 */
export function planRelatedRoot(context: PlanContext, { responseKey, relation, keys }: RelatedRoot): PerKey {
  const at = below(context, responseKey)
  const { field } = relation
  const { read, list } = field
  if (read?.from !== 'relation') throw new Error(`${field.name} is no relation`)
  const opened = openRelated(at, field, read)
  const inner = columnOrKey(opened.row, read.to_column, read.column_type)
  const rows = relatedObjects(at, relation, opened, null)
  const target = targetOf(context.schema.types.get('ID') as ScalarType, inner)
  return {
    kind: 'perKey',
    many: list,
    rows,
    parts: [{ target, through: [], keys: keysSlot(at, keys, target) }],
    supplied: [],
  }
}

const INTEGERS: ReadonlySet<string> = new Set(['int2', 'int4', 'int8'])
/** The fraction of an integer in the text of a decimal column. */
const POINT_ZERO = /\.0+$/

/** Makes the slot of the keys. A key that cannot be a value of the column becomes null, which matches no row. */
function keysSlot(context: PlanContext, node: RelatedRoot['keys'], { type }: Target): Slot {
  const given = valueOfNode(node, context.variables)
  const isInteger = type !== null && INTEGERS.has(type)
  const textOf = (key: string): string | null => {
    try {
      return toText(isInteger ? key.replace(POINT_ZERO, '') : key, null, type)
    } catch {
      return null
    }
  }
  return { read: ({ variables }) => (given.read(variables) as readonly string[]).map(textOf) }
}
