import { isDeepStrictEqual } from 'node:util'
import type { AuthoredSchema, FieldModel, Operator } from '../../../core/index.ts'
import { toWireName } from '../../../core/util/naming.ts'
import { POSTGRES_FIELDS, SPECIAL_FIELDS, type SpecialField } from '../../helpers/special-cases.ts'
import type { Json } from '../request.ts'

/** Fields of semantic scalars whose operators are written down as a table: which value fulfils which operand. */
function fieldsFor(kind: 'postgres' | 'sqlite'): readonly SpecialField[] {
  // The text of an inet has a form of its own on the wire.
  return kind === 'sqlite'
    ? SPECIAL_FIELDS
    : [...SPECIAL_FIELDS, ...POSTGRES_FIELDS.filter(({ column }) => column !== 'inet')]
}

const BY_WIRE_NAME = new Map(fieldsFor('postgres').map((one) => [toWireName(one.field), one]))

/** The table is one that `specialSql` makes. A rank of a part is the number of a row of it. */
export function withSpecials(schema: AuthoredSchema, kind: 'postgres' | 'sqlite'): AuthoredSchema {
  const relation = (name: string, type: string, from: string, to: string) => ({ name, type, relation: { from, to } })
  const fields = fieldsFor(kind).map(({ field, scalar, cases }) => ({
    name: field,
    type: scalar,
    orderable: false,
    filter_operators: [...new Set(cases.map(([name]) => name))],
  }))
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
    queries: [...(schema.queries ?? []), { name: 'specials', type: '[Special!]!' }],
  }
}

export function specialFields(kind: 'postgres' | 'sqlite'): readonly SpecialField[] {
  return fieldsFor(kind)
}

function casesOf(field: FieldModel, { name, scalars }: Operator): SpecialField['cases'] {
  if (scalars.length === 0) return []
  return BY_WIRE_NAME.get(field.wireName)?.cases.filter(([one]) => one === name) ?? []
}

/** Operands whose answer is written down; none: the operator is no special one, or nobody wrote it down. */
export function specialOperands(field: FieldModel, operator: Operator): readonly Json[] {
  return casesOf(field, operator).map(([, operand]) => operand as Json)
}

/** The values that fulfil the operand. */
export function specialMatches(field: FieldModel, operator: Operator, operand: Json): readonly string[] {
  const found = casesOf(field, operator).find(([, one]) => isDeepStrictEqual(one, operand))
  if (found === undefined) throw new Error(`Nobody wrote down what ${field.name} ${operator.name} finds`)
  const { values } = BY_WIRE_NAME.get(field.wireName)!
  return found[2].map((row) => String(values[row - 1]))
}
