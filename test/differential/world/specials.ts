import { isDeepStrictEqual } from 'node:util'
import { toWireName } from '../../../core/base/util/naming.ts'
import type { AuthoredSchema } from '../../../core/doors/command.ts'
import type { filterOperators } from '../../../core/doors/front.ts'
import type { FieldModel } from '../../../core/doors/plugin.ts'
import { placeFields } from '../../helpers/place-cases.ts'
import {
  LTREE_FIELD,
  POSTGRES_FIELDS,
  SPECIAL_FIELDS,
  type SpecialField,
  VECTOR_FIELDS,
} from '../../helpers/special-cases.ts'
import type { Json } from '../request.ts'

/** What a database has of the table. */
export type SpecialKind = 'sqlite' | 'mysql' | 'postgres' | 'postgis' | 'pglite'

/** With the extension on the search path. */
const PLACE_FIELDS = placeFields('public')

/** Fields of semantic scalars whose operators are written down as a table: which value fulfils which operand. */
export function specialFields(kind: SpecialKind): readonly SpecialField[] {
  if (kind === 'sqlite' || kind === 'mysql') return SPECIAL_FIELDS
  const postgres = [...SPECIAL_FIELDS, ...POSTGRES_FIELDS, LTREE_FIELD]
  if (kind === 'postgres') return postgres
  return [...postgres, ...(kind === 'postgis' ? PLACE_FIELDS : VECTOR_FIELDS)]
}

const BY_WIRE_NAME = new Map([...specialFields('pglite'), ...PLACE_FIELDS].map((one) => [toWireName(one.field), one]))

/** Whose values are compared as they are written. */
const PLAIN_SCALARS = new Set(['Email', 'IBAN', 'Latitude', 'Color'])
const PLAIN = ['_eq', '_neq', '_in', '_nin', '_is_null', '_is_not_null']

/** The table is one that `specialSql` makes. A rank of a part is the number of a row of it. */
export function withSpecials(schema: AuthoredSchema, kind: SpecialKind): AuthoredSchema {
  const relation = (name: string, type: string, from: string, to: string) => ({ name, type, relation: { from, to } })
  const own = specialFields(kind)
  const fields = own.map(({ field, scalar, cases, hierarchy }) => ({
    name: field,
    type: scalar,
    orderable: false,
    filter_operators: [...new Set([...cases.map(([name]) => name), ...(PLAIN_SCALARS.has(scalar) ? PLAIN : [])])],
    ...(hierarchy === undefined ? {} : { hierarchy }),
  }))
  const hierarchies = own.flatMap(({ field, hierarchy }) =>
    hierarchy === undefined ? [] : [{ name: hierarchy, type: 'Special', path: field }],
  )
  const special = {
    name: 'Special',
    sql_source: 'tb_special',
    fields: [{ name: 'id', type: 'ID!' }, ...fields, relation('parts', '[Part!]!', 'id', 'rank')],
  }
  return {
    ...schema,
    types: [
      ...(schema.types ?? []).map((type) =>
        type.name === 'Part'
          ? { ...type, fields: [...type.fields, relation('special', 'Special', 'rank', 'id')] }
          : type,
      ),
      special,
    ],
    hierarchies,
    queries: [...(schema.queries ?? []), { name: 'specials', type: '[Special!]!' }],
  }
}

function casesOf(field: FieldModel, { name, scalars }: filterOperators.Operator): SpecialField['cases'] {
  if (scalars.length === 0) return []
  return BY_WIRE_NAME.get(field.wireName)?.cases.filter(([one]) => one === name) ?? []
}

/** Operands whose answer is written down; none: the operator is no special one, or nobody wrote it down. */
export function specialOperands(field: FieldModel, operator: filterOperators.Operator): readonly Json[] {
  return casesOf(field, operator).map(([, operand]) => operand as Json)
}

/** The values that fulfil the operand. */
export function specialMatches(
  field: FieldModel,
  operator: filterOperators.Operator,
  operand: Json,
): readonly string[] {
  const found = casesOf(field, operator).find(([, one]) => isDeepStrictEqual(one, operand))
  if (found === undefined) throw new Error(`Nobody wrote down what ${field.name} ${operator.name} finds`)
  const { values } = BY_WIRE_NAME.get(field.wireName)!
  return found[2].map((row) => String(values[row - 1]))
}
