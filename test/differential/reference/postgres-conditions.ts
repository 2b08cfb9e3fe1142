import type { EnumType, ScalarType } from '../../../core/doors/driver.ts'
import type { FieldModel } from '../../../core/doors/plugin.ts'
import type { CompiledThrough } from '../../../core/schema/compiled.ts'
import type { OutputComposite } from '../../../core/schema/type-model.ts'
import { jsonText } from '../json-text.ts'
import type { Json, Member, Test, Where } from '../request.ts'
import { Token } from '../request.ts'
import type { Caller } from '../world/callers.ts'
import { rulesOfType } from '../world/rules.ts'
import { specialMatches } from '../world/specials.ts'
import { WORD_QUERIES } from '../world/words.ts'
import type { Equality, ListOf } from './lists.ts'
import { writeOperator } from './postgres-operators.ts'

/** A row of a source by its alias, or an object in a document by the expression that gives it. */
export type Holder = string | { readonly json: string }

/** Types that a key of a document is cast to, by the scalar that is declared. */
const IN_DOCUMENT: Readonly<Record<string, string>> = {
  Int: 'int4',
  BigInt: 'int8',
  Float: 'float8',
  Decimal: 'numeric',
  Boolean: 'boolean',
  Date: 'date',
  DateTime: 'timestamptz',
  Time: 'time',
  UUID: 'uuid',
}

/** Conditions of one statement as SQL, and its parameters. */
export class Conditions {
  readonly parameters: string[] = []
  readonly #caller: Caller
  #aliases = 0

  constructor(caller: Caller) {
    this.#caller = caller
  }

  ofList({ source, rules, where, equals, type, last, after, before }: ListOf): string {
    const all = equals.map((each) => this.#equality(each, source.types, type))
    for (const rule of rules) all.push(rule.sql('a', this.#caller))
    if (where !== null) all.push(this.where(where, 'a'))
    const bound = (values: readonly string[] | null, sign: string): void => {
      if (values === null) return
      const own = last.map((column) => `a."${column}"`).join(', ')
      const texts = values.map((value, index) => this.parameter(value, source.types.get(last[index]!)!))
      all.push(`(${own}) ${sign} (${texts.join(', ')})`)
    }
    bound(after, '>')
    bound(before, '<')
    return all.length === 0 ? 'TRUE' : all.map((each) => `(${each})`).join(' AND ')
  }

  parameter(value: string, type: string): string {
    const name = type.replace(/^enum:/, '')
    return `$${this.parameters.push(value)}::${name.startsWith('_') ? `${name.slice(1)}[]` : name}`
  }

  #equality(equality: Equality, types: ReadonlyMap<string, string>, type: OutputComposite): string {
    if (equality.kind === 'column') {
      const { column, text } = equality
      return `a."${column}" = ${this.parameter(text, types.get(column)!)}`
    }
    if (equality.kind === 'through') {
      const { join, rules, own, ends } = equality
      const all = [
        ...own.map(({ column, text }) => `j."${column}" = ${this.parameter(text, join.types.get(column)!)}`),
        ...ends.map(({ from, to }) => `j."${from}" = a."${to}"`),
        ...rules.map((rule) => `(${rule.sql('j', this.#caller)})`),
      ]
      return `EXISTS (SELECT 1 FROM "${join.name}" j WHERE ${all.join(' AND ')})`
    }
    if (equality.kind === 'words') {
      return `a.words @@ ${WORD_QUERIES[equality.query]}('english', ${this.parameter(equality.text, 'text')})`
    }
    const { field, values, whole } = equality
    const value = this.valueOf(field, 'a', type)
    const operands = values.map((each) => this.operand(field, each, type))
    if (whole) return `${value} = ARRAY[${operands.join(', ')}]::${this.typeOf(field, type)}[]`
    if (field.list) return operands.map((operand) => `${operand} = ANY(${value})`).join(' AND ')
    return operands.length === 0 ? 'FALSE' : `${value} IN (${operands.join(', ')})`
  }

  where({ type, members }: Where, holder: Holder): string {
    const all = members.map((member) => `(${this.#member(member, holder, type)})`)
    return all.length === 0 ? 'TRUE' : all.join(' AND ')
  }

  #member(member: Member, holder: Holder, type: OutputComposite): string {
    switch (member.kind) {
      case 'and':
      case 'or': {
        const parts = member.parts.map((part) => `(${this.where(part, holder)})`)
        if (parts.length === 0) return member.kind === 'and' ? 'TRUE' : 'FALSE'
        return parts.join(member.kind === 'and' ? ' AND ' : ' OR ')
      }
      case 'not':
        return `NOT (${this.where(member.part, holder)})`
      case 'nothing':
        return 'TRUE'
      case 'tests': {
        const tests = member.tests.map((test) => `(${this.#test(member.field, test, holder, type)})`)
        return tests.length === 0 ? 'TRUE' : tests.join(' AND ')
      }
      case 'one':
        return this.#exists(member.field, holder, (inner) => this.where(member.part, inner), true)
      case 'many': {
        const all = member.quantifiers.map(({ quantifier, part }) => {
          const inner = (row: Holder): string => {
            const condition = this.where(part, row)
            return quantifier === 'every' ? `(${condition}) IS NOT TRUE` : condition
          }
          return `${quantifier === 'some' ? '' : 'NOT '}${this.#exists(member.field, holder, inner, false)}`
        })
        return all.length === 0 ? 'TRUE' : all.join(' AND ')
      }
    }
  }

  #exists(field: FieldModel, holder: Holder, condition: (row: Holder) => string, single: boolean): string {
    const { read } = field
    const alias = `b${this.#aliases++}`
    if (read?.from === 'relation') {
      const ties = [read, ...(read.also ?? [])].map((pair) => {
        const own =
          typeof holder === 'string' && pair.from_document === undefined
            ? `${holder}."${pair.from_column}"`
            : `(${documentOf(holder)} ->> '${pair.from_column}')::${pair.column_type ?? 'text'}`
        return `${read.through === undefined ? alias : 'j'}."${pair.to_column}" = ${own}`
      })
      if (read.through !== undefined) ties.splice(0, ties.length, this.#joined(read.through, alias, ties))
      const rules = rulesOfType(field.named.name).map((rule) => ` AND (${rule.sql(alias, this.#caller)})`)
      return `EXISTS (SELECT 1 FROM "${read.target}" ${alias} WHERE ${ties.join(' AND ')}${rules.join('')} AND (${condition(alias)}))`
    }
    const json = `(${documentOf(holder)} -> '${keyOf(field)}')`
    if (single) return `(jsonb_typeof(${json}) = 'object' AND (${condition({ json })})) IS TRUE`
    const items = `jsonb_array_elements(CASE WHEN jsonb_typeof(${json}) = 'array' THEN ${json} END)`
    return `EXISTS (SELECT 1 FROM ${items} AS ${alias}(item) WHERE ${condition({ json: `${alias}.item` })})`
  }

  #joined({ source, pairs, types = [] }: CompiledThrough, alias: string, ties: readonly string[]): string {
    const all = [
      ...ties,
      ...pairs.map((pair) => `j."${pair.from_column}" = ${alias}."${pair.to_column}"`),
      ...types.flatMap(rulesOfType).map((rule) => `(${rule.sql('j', this.#caller)})`),
    ]
    return `EXISTS (SELECT 1 FROM "${source}" j WHERE ${all.join(' AND ')})`
  }

  #test(field: FieldModel, { operator, operand }: Test, holder: Holder, type: OutputComposite): string {
    if (operator.scalars.length > 0) {
      const own = this.valueOf(field, holder, type)
      const matches = specialMatches(field, operator, operand).map((each) => this.operand(field, each, type, holder))
      // Of a null nothing is known, even where no value would do.
      return `CASE WHEN ${own} IS NOT NULL THEN ${matches.length === 0 ? 'FALSE' : `${own} IN (${matches.join(', ')})`} END`
    }
    const value =
      field.named.name === 'JSON' && field.type.kind !== 'list'
        ? this.#json(field, holder)
        : this.valueOf(field, holder, type)
    return writeOperator(operator, {
      value,
      json: this.#jsonOrNull(field, holder),
      isMoment: field.named.kind === 'scalar' && field.named.base === 'DateTime',
      operand,
      own: (each) => this.operand(field, each, type, holder),
      ownType: this.typeOf(field, type, holder),
      text: (each) => this.parameter(each, 'text'),
      int: (each) => this.parameter(String(each), 'int'),
      jsonb: (each) => this.parameter(jsonText(each), 'jsonb'),
    })
  }

  /** The value of a field, in the type in which it is compared. */
  valueOf(field: FieldModel, holder: Holder, type: OutputComposite): string {
    const { read, named } = field
    const inColumn = typeof holder === 'string' && read?.from === 'column'
    if (field.list) {
      if (inColumn) return `${holder}."${read.column}"`
      const json = this.#json(field, holder)
      const items = `SELECT v::${this.typeOf(field, type, holder)} FROM jsonb_array_elements_text(${json}) WITH ORDINALITY e(v, n) ORDER BY n`
      return `CASE WHEN jsonb_typeof(${json}) = 'array' THEN ARRAY(${items}) END`
    }
    if (!inColumn) return `(${documentOf(holder)} ->> '${keyOf(field)}')::${this.typeOf(field, type, holder)}`
    const column = `${holder}."${read.column}"`
    if (read.column_type === 'timestamp' && named.kind === 'scalar' && named.base === 'DateTime')
      return `(${column} AT TIME ZONE 'UTC')`
    return column
  }

  /** A value of the field's type; of a list, an item. */
  operand(field: FieldModel, value: Json, type: OutputComposite, holder: Holder = 'a'): string {
    const { named } = field
    const text =
      named.kind === 'enum' ? named.toValue.get(String(value))! : value instanceof Token ? value.text : String(value)
    return this.parameter(text, this.typeOf(field, type, holder))
  }

  /** Type in which values of a field are compared: that of the column, or the one that is declared. */
  typeOf(field: FieldModel, _type: OutputComposite, holder: Holder = 'a'): string {
    const { read, named } = field
    if (typeof holder === 'string' && read?.from === 'column' && read.column_type !== null) {
      if (read.column_type === 'timestamp') return 'timestamptz'
      if (read.column_type === 'bit') return 'varbit'
      return read.column_type.replace(/^_/, '')
    }
    return declaredType(named as ScalarType | EnumType)
  }

  #json(field: FieldModel, holder: Holder): string {
    const { read } = field
    if (typeof holder === 'string' && read?.from === 'column') {
      return `${holder}."${read.column}"${read.column_type === 'json' ? '::jsonb' : ''}`
    }
    return `(${documentOf(holder)} -> '${keyOf(field)}')`
  }

  #jsonOrNull(field: FieldModel, holder: Holder): string {
    return field.named.name === 'JSON' ? this.#json(field, holder) : 'NULL'
  }
}

function declaredType(named: ScalarType | EnumType): string {
  return named.kind === 'scalar' ? (IN_DOCUMENT[named.base] ?? 'text') : 'text'
}

function documentOf(holder: Holder): string {
  return typeof holder === 'string' ? `${holder}."data"` : holder.json
}

function keyOf({ read, name }: FieldModel): string {
  if (read?.from === 'document') return read.key
  if (read?.from === 'column') return read.column
  throw new Error(`${name} is in no document`)
}
