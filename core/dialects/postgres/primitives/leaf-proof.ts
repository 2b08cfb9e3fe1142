import type { FieldModel } from '../../../schema/model.ts'
import { scalarOf } from '../../../schema/scalars.ts'
import type { LeafProof, SqlValue } from '../../sql-value.ts'

/**
 * Substrings of a result that show a float or numeric value which is not a JSON number (`NaN`, `Infinity`,
 * `-Infinity`). `to_json` writes such values as strings.
 */
export const NO_NUMBERS = ['"NaN"', 'Infinity"']

const INT32 = new Set(['int2', 'int4'])
const INTEGERS = new Set(['int2', 'int4', 'int8'])
const REALS = new Set(['float4', 'float8', 'numeric'])

export function proofOf({ named, type }: Pick<FieldModel, 'named' | 'type'>, value: SqlValue): LeafProof {
  if (named.kind === 'enum') return 'none'
  if (named.kind !== 'scalar') return 'proven'
  const { base } = named
  if (base === 'JSON') return value.from === 'document' && scalarOf(named).group === 'vector' ? 'none' : 'proven'
  if (value.from === 'document') return 'none'
  if (type.kind !== 'list') return columnProof(base, value.type)
  return value.type?.startsWith('_') ? columnProof(base, value.type.slice(1)) : 'none'
}

/** Returns the proof for a native column. @param type of the column; `null` = compiled without the catalog */
function columnProof(base: string, type: string | null): LeafProof {
  switch (base) {
    case 'Int':
      return type !== null && INT32.has(type) ? 'proven' : 'none'
    case 'BigInt':
      return type !== null && INTEGERS.has(type) ? 'proven' : 'none'
    case 'Boolean':
      return type === 'bool' ? 'proven' : 'none'
    case 'Float':
    case 'Decimal':
      if (type === null) return 'none'
      return INTEGERS.has(type) ? 'proven' : REALS.has(type) ? 'finite' : 'none'
    default:
      return 'proven'
  }
}
